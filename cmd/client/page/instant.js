// Instant replays: the last seconds that were drawn are drawn again, more slowly. They are made of the poses that this
// page has drawn; nobody else notices them, and the game goes on below.

import { Bodies } from './bodies.js';

const KEPT = 10_000; // ms of poses
const EVERY = 1000 / 31; // ms between two that are kept
const MOST = 8 * 2 ** 20; // bytes of them
const COLUMNS = ['live', 'id', 'kind', 'owner', 'bar', 'x', 'y', 'angle'];
const BYTES = 1 + 8 + 2 + 2 + 4 * 4; // of a body

export class InstantReplay {
  // badge is the button that is shown meanwhile, and ends the replay.
  constructor(badge) {
    this.badge = badge;
    this.bodies = new Bodies();
    this.reset();
    badge.addEventListener('click', () => this.stop());
  }

  // reset forgets all poses.
  reset() {
    this.kept = [];
    this.bytes = 0;
    this.stop();
  }

  // keep keeps the drawn poses.
  keep({ bodies, kinds }, now) {
    const last = this.kept.at(-1);
    if (last && now - last.at < EVERY) return;
    if (last && kinds.length < last.kinds) this.reset(); // they are numbered anew
    const shot = { at: now, top: bodies.top, kinds: kinds.length };
    for (const name of COLUMNS) shot[name] = bodies[name].slice(0, bodies.top);
    this.kept.push(shot);
    this.bytes += BYTES * shot.top;
    while (now - this.kept[0].at > KEPT || this.bytes > MOST && this.kept.length > 1) this.bytes -= BYTES * this.kept.shift().top;
  }

  // start begins to show the last seconds. focus is the number of the body that the camera follows; undefined: it does
  // what it does at other times. key is that of the cue that asks for it.
  start(key, { seconds, speed }, focus, now) {
    const shots = this.kept.filter((shot) => now - shot.at <= 1000 * seconds);
    if (shots.length < 2) return;
    Object.assign(this, { key, shots, speed, focus, began: now });
    this.badge.hidden = false;
  }

  // move gives the replay of a cue the key that the cue has now.
  move(was, key) { if (this.key === was) this.key = key; }

  // cancel ends the replay of a cue that did not happen.
  cancel(key) { if (this.key === key) this.stop(); }

  stop() {
    this.shots = this.key = null;
    this.badge.hidden = true;
  }

  // show returns a room with the bodies as they were; null: there is no replay now.
  show(room, now) {
    if (!this.shots) return null;
    const { shots } = this, at = shots[0].at + Math.max(0, now - this.began) * this.speed; // a frame may have begun before the cue came
    const next = shots.findIndex((shot) => shot.at > at);
    if (next < 1 || shots[next].kinds > room.kinds.length) {
      this.stop();
      return null;
    }
    const from = shots[next - 1], to = shots[next];
    blend(this.bodies, from, to, (at - from.at) / (to.at - from.at));
    return Object.create(room, { bodies: { value: this.bodies } });
  }

  // plan returns what the camera does meanwhile. ordinary is what it does at other times, or null.
  plan(ordinary) {
    if (this.focus === undefined || this.bodies.find(this.focus) < 0) return ordinary;
    return { zoom: [], ...ordinary, follow: [this.focus], shares: [1], ahead: 0 };
  }
}

// blend sets bodies to what is between two shots. A body that only one of them has, or that was placed elsewhere, stays
// as it is in one of them.
function blend(bodies, from, to, part) {
  while (bodies.room < from.top) bodies.grow(2 * bodies.room);
  bodies.live.fill(0);
  bodies.top = from.top;
  for (const name of COLUMNS) bodies[name].set(from[name]);
  for (let i = 0; i < Math.min(from.top, to.top); i++) {
    if (!from.live[i] || !to.live[i] || from.id[i] !== to.id[i]) continue;
    const dx = to.x[i] - from.x[i], dy = to.y[i] - from.y[i];
    if (Math.hypot(dx, dy) > 0.3 * (to.at - from.at)) continue; // 300 m/s
    bodies.x[i] += dx * part;
    bodies.y[i] += dy * part;
    bodies.angle[i] += Math.atan2(Math.sin(to.angle[i] - from.angle[i]), Math.cos(to.angle[i] - from.angle[i])) * part;
  }
}
