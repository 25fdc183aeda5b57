// Trails: lines where objects were drawn in the last moments. Looks say which objects have one; those that say nothing
// have one if they are the ship of a player.

import { reach } from './shapes.js';

const POINTS = 80;
const DEFAULT = 22; // points of a ship whose look says nothing
const EVERY = 1000 / 40; // ms
const PLACED = 6; // metres in that time: the ship was placed elsewhere

export class Trails {
  constructor() {
    this.trails = new Map(); // by id of the body
    this.slots = []; // of bodies with a trail
    this.extended = 0;
  }

  // reset forgets all trails.
  reset() {
    this.trails.clear();
    this.extended = 0;
  }

  // draw adds lines for ships, which are slots of bodies by player.
  draw(scene, ships, bodies, kinds, scale, now) {
    if (now - this.extended > EVERY) {
      this.extended = now;
      this.slots = trailing(ships, bodies, kinds);
      this.extend(this.slots, bodies);
    }
    for (const slot of this.slots) {
      if (!bodies.live[slot]) continue;
      const trail = this.trails.get(bodies.id[slot]), kind = kinds[bodies.kind[slot]];
      if (!trail || !kind) continue;
      const width = Math.max(1.5 / scale, reach(kind) * 0.28), { xs, ys, count } = trail;
      const shown = kind.trail > 0 ? Math.round(kind.trail * 1000 / EVERY) : DEFAULT, skip = Math.max(0, count - shown);
      for (let i = skip + 1; i < count; i++) {
        const from = (trail.first + i - 1) % POINTS, to = (trail.first + i) % POINTS;
        scene.line(xs[from], ys[from], xs[to], ys[to], width, kind.paint, 0.34 * ((i - skip) / (count - skip)) ** 2);
      }
    }
  }

  extend(slots, bodies) {
    const kept = new Set();
    for (const slot of slots) {
      const id = bodies.id[slot], x = bodies.x[slot], y = bodies.y[slot];
      const trail = this.trails.get(id) ?? { xs: new Float32Array(POINTS), ys: new Float32Array(POINTS), first: 0, count: 0 };
      const last = (trail.first + trail.count - 1 + POINTS) % POINTS;
      if (trail.count > 0 && Math.hypot(x - trail.xs[last], y - trail.ys[last]) > PLACED) trail.count = 0;
      if (trail.count === POINTS) trail.first = (trail.first + 1) % POINTS;
      else trail.count++;
      const at = (trail.first + trail.count - 1) % POINTS;
      trail.xs[at] = x;
      trail.ys[at] = y;
      this.trails.set(id, trail);
      kept.add(id);
    }
    for (const id of this.trails.keys()) if (!kept.has(id)) this.trails.delete(id);
  }
}

// trailing returns the slots of the bodies that have a trail.
function trailing(ships, { top, live, kind }, kinds) {
  const slots = [...ships.values()].filter((slot) => !kinds[kind[slot]].trail);
  for (let i = 0; i < top; i++) if (live[i] && kinds[kind[i]].trail > 0) slots.push(i);
  return slots;
}
