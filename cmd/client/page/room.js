// What the page knows of the room, from the messages of a program (room.go).

import { Bodies } from './bodies.js';
import { paintOf, rgb } from './colors.js';
import { Motion } from './motion.js';

const HEAD = 36; // bytes before the bodies of a frame

const uncolored = (kind) => kind.color && !rgb(kind.color);

export class Room {
  constructor() {
    this.bodies = new Bodies();
    this.motion = new Motion();
    this.kinds = [];
    this.labels = new Map(); // by body: those that differ between bodies of a kind
    this.ropes = []; // lines between bodies
    this.info = null; // what seldom changes
    this.names = new Map(); // of players
    this.figures = null; // those of the newest view: tick, rtt and so on
  }

  get player() { return this.info?.player ?? 0; }

  // reset forgets what a new connection sends again.
  reset() {
    this.bodies.reset();
    this.motion.reset();
    this.figures = null;
  }

  // uncolored returns what is wrong with the colours of the objects that are shown, which fields may have, a line each.
  uncolored() {
    const wrong = new Map(), { live, kind, top } = this.bodies;
    if (!this.kinds.some(uncolored)) return [];
    for (let slot = 0; slot < top; slot++) {
      const k = this.kinds[kind[slot]];
      if (live[slot] && k && uncolored(k)) wrong.set(`${k.class} ${k.color}`, k);
    }
    return [...wrong.values()].map((k) => ({ place: k.class, message: `look.color is "${k.color}", which is no colour; write #f90 or orange` }));
  }

  // take takes a message; it reports whether it is one of the room.
  take(message) {
    switch (message.t) {
      case 'info':
        this.info = message;
        this.names = new Map(message.players.map((p) => [p.id, p.name]));
        return true;
      case 'kinds': // numbered from `from` on; 0 begins anew
        for (const kind of this.kinds.splice(message.from)) kind.mesh?.free();
        for (const kind of message.kinds) this.kinds.push(Object.assign(kind, { paint: paintOf(kind) }));
        return true;
      case 'labels':
        this.labels = new Map(message.labels?.map((l) => [l.id, l.text]));
        return true;
      case 'ropes':
        this.ropes = message.ropes;
        return true;
    }
    return false;
  }

  // view reads a frame that arrives now.
  view(buffer, now) {
    const data = new DataView(buffer), u32 = (at) => data.getUint32(at, true);
    const at = u32(0) - 1 + data.getFloat32(28, true); // the tick that is shown, and its part
    this.figures = {
      tick: u32(0), confirmed: u32(4), rewinds: u32(8), corrections: u32(12), repredictions: u32(16),
      rtt: data.getFloat32(20, true), lead: data.getFloat32(24, true),
    };
    const seconds = this.motion.push(at, this.info?.rate || 60, now);
    this.bodies.take(data, HEAD, u32(32) === 1, seconds);
  }

  // move sets where bodies are drawn now.
  move(now) { this.bodies.move(this.motion.part(now)); }

  // list describes the room as objects, for tests and for the console.
  list(x, y, angle) {
    const { bodies, kinds, labels, info, figures } = this;
    const out = { ...figures, stage: info?.stage, status: info?.status, game: info?.game, player: this.player, players: info?.players, ropes: this.ropes, bodies: [] };
    for (let i = 0; i < bodies.top; i++) {
      if (!bodies.live[i]) continue;
      const kind = kinds[bodies.kind[i]], id = bodies.id[i];
      out.bodies.push({ id, kind, class: kind.class, owner: bodies.owner[i], label: labels.get(id) ?? kind.label, bar: bodies.bar[i], x: x[i], y: y[i], angle: angle[i] });
    }
    return out;
  }
}
