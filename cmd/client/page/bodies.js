// The bodies that the client shows, as columns of numbers: a body has a slot as long as it is shown. So
// a displayed frame makes no object for a body. frames.go writes what is read here.

const SNAP_SPEED = 300; // m/s: a body that seems faster was placed, not moved
const COLUMNS = {
  live: Uint8Array, id: Float64Array, kind: Uint16Array, owner: Uint16Array, bar: Float32Array, // id: 53 of 64 bits, as many as a number holds
  x0: Float32Array, y0: Float32Array, a0: Float32Array, // in the view before the newest
  x1: Float32Array, y1: Float32Array, a1: Float32Array, // in the newest view
  x: Float32Array, y: Float32Array, angle: Float32Array, // as drawn
};

export class Bodies {
  constructor() {
    this.top = 0; // slots below it may be taken
    this.grow(256);
  }

  grow(room) {
    for (const [name, Column] of Object.entries(COLUMNS)) {
      const column = new Column(room);
      if (this[name]) column.set(this[name]);
      this[name] = column;
    }
    this.room = room;
  }

  reset() {
    this.live.fill(0);
    this.top = 0;
  }

  // take reads the bodies of a view from a place on. seconds is the time since the view before.
  take(data, at, whole, seconds) {
    const { top } = this;
    for (const [from, to] of [['x0', 'x1'], ['y0', 'y1'], ['a0', 'a1']]) this[from].set(this[to].subarray(0, top));
    const was = this.live.slice(0, top);
    if (whole) this.live.fill(0);
    at = this.takeGone(data, at);
    const fresh = new Set();
    at = this.takeRows(data, at, was, fresh);
    at = this.takePoses(data, at, fresh, SNAP_SPEED * seconds);
    this.takeBars(data, at);
  }

  takeGone(data, at) {
    const end = at + 4 + 2 * data.getUint32(at, true);
    for (at += 4; at < end; at += 2) this.live[data.getUint16(at, true)] = 0;
    return end;
  }

  takeRows(data, at, was, fresh) {
    const end = at + 4 + 14 * data.getUint32(at, true);
    for (at += 4; at < end; at += 14) {
      const slot = data.getUint16(at, true);
      const id = (data.getUint32(at + 6, true) % 0x200000) * 2 ** 32 + data.getUint32(at + 2, true);
      if (slot >= this.room) this.grow(Math.max(2 * this.room, slot + 1));
      if (slot >= this.top) this.top = slot + 1;
      if (this.id[slot] !== id || !was[slot]) fresh.add(slot);
      this.live[slot] = 1;
      this.id[slot] = id;
      this.kind[slot] = data.getUint16(at + 10, true);
      this.owner[slot] = data.getUint16(at + 12, true);
    }
    return end;
  }

  takePoses(data, at, fresh, reach) {
    const end = at + 4 + 14 * data.getUint32(at, true);
    for (at += 4; at < end; at += 14) {
      const slot = data.getUint16(at, true);
      const x = data.getFloat32(at + 2, true), y = data.getFloat32(at + 6, true), angle = data.getFloat32(at + 10, true);
      if (fresh.has(slot) || Math.abs(x - this.x0[slot]) + Math.abs(y - this.y0[slot]) > reach) {
        this.x0[slot] = x;
        this.y0[slot] = y;
        this.a0[slot] = angle;
      } else {
        this.a0[slot] = angle - turn(this.a0[slot], angle);
      }
      this.x1[slot] = x;
      this.y1[slot] = y;
      this.a1[slot] = angle;
    }
    return end;
  }

  takeBars(data, at) {
    const end = at + 4 + 6 * data.getUint32(at, true);
    for (at += 4; at < end; at += 6) this.bar[data.getUint16(at, true)] = data.getFloat32(at + 2, true);
  }

  // find returns the slot of a body, -1 if it is not shown.
  find(id) {
    for (let i = 0; i < this.top; i++) if (this.live[i] && this.id[i] === id) return i;
    return -1;
  }

  // move sets the drawn poses: 0 is the view before, 1 the newest; above 1, bodies go on as between them.
  move(part) {
    const { x0, y0, a0, x1, y1, a1, x, y, angle } = this;
    for (let i = 0; i < this.top; i++) {
      x[i] = x0[i] + (x1[i] - x0[i]) * part;
      y[i] = y0[i] + (y1[i] - y0[i]) * part;
      angle[i] = a0[i] + (a1[i] - a0[i]) * part;
    }
  }
}

// turn is the shortest turn from one angle to another.
function turn(from, to) {
  const full = 2 * Math.PI;
  const way = (to - from) % full;
  return way > Math.PI ? way - full : way < -Math.PI ? way + full : way;
}
