// Smooth motion at any frame rate, from views that arrive unevenly. Each view
// carries the time that it shows, in ticks and fractions of a tick. An
// interpolation clock runs over these times. It is behind the newest view by the
// time between views and their jitter, and never runs backwards.

const KEPT = 32; // views
const SLOW = 0.05; // how fast the clock adapts
const JUMP = 250; // ms: a larger gap sets the clock anew
const SNAP_SPEED = 300; // m/s: a body that seems faster was placed, not moved

export class Motion {
  constructor() { this.reset(); }

  reset() {
    this.views = [];
    this.offset = null; // ms: when tick 0 would have arrived
    this.arrived = 0;
    this.gap = 1000 / 60; // ms between views
    this.jitter = 2; // ms by which a view arrives early or late
    this.shown = -Infinity; // tick
  }

  newest() { return this.views[this.views.length - 1]; }

  push(view, now) {
    const last = this.newest();
    if (last && view.at < last.at) this.reset();
    view.byId = new Map(view.bodies.map((b) => [b.id, b]));
    if (last && view.at === last.at) { // a paused room
      this.views[this.views.length - 1] = view;
      return;
    }
    this.follow(now - view.at * 1000 / view.rate, now - this.arrived);
    this.arrived = now;
    this.views.push(view);
    if (this.views.length > KEPT) this.views.shift();
  }

  // follow sets the clock by a view's arrival.
  follow(offset, gap) {
    if (this.offset === null || Math.abs(offset - this.offset) > JUMP) {
      this.offset = offset;
      return;
    }
    const off = offset - this.offset;
    this.offset += off * SLOW;
    this.jitter += (Math.abs(off) - this.jitter) * SLOW;
    this.gap += (Math.min(gap, 100) - this.gap) * SLOW;
  }

  // at returns the bodies to draw at a time, as { body, x, y, angle }.
  at(now) {
    const newest = this.newest();
    if (!newest) return [];
    const delay = this.gap + 2 * this.jitter;
    const due = (now - this.offset - delay) * newest.rate / 1000;
    const tick = Math.min(Math.max(due, this.shown, this.views[0].at), newest.at);
    this.shown = tick;
    while (this.views.length > 1 && this.views[1].at <= tick) this.views.shift();
    const [from, to] = this.views;
    if (!to) return from.bodies.map(still);
    return between(from, to, (tick - from.at) / (to.at - from.at));
  }
}

function still(body) {
  return { body, x: body.x, y: body.y, angle: body.angle };
}

function between(from, to, part) {
  const reach = SNAP_SPEED * (to.at - from.at) / to.rate;
  return to.bodies.map((body) => {
    const was = from.byId.get(body.id);
    if (!was || Math.hypot(body.x - was.x, body.y - was.y) > reach) return still(body);
    return {
      body,
      x: was.x + (body.x - was.x) * part,
      y: was.y + (body.y - was.y) * part,
      angle: was.angle + turn(was.angle, body.angle) * part,
    };
  });
}

// turn is the shortest turn from one angle to another.
function turn(from, to) {
  const full = 2 * Math.PI;
  const way = (to - from) % full;
  return way > Math.PI ? way - full : way < -Math.PI ? way + full : way;
}
