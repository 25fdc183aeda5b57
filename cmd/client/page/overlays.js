// What is drawn over the game for those who look for causes (F3): where the host has the bodies, the
// interpolation buffer, contacts, and what the last rewind ran again. page_overlay.go makes the messages.

import { rgb } from './colors.js';
import { outline, reach } from './shapes.js';

const GHOST = '#ff4fd8', BUFFER = '#4fd8ff', CONTACT = '#fff04f', RERUN = '#7aff5c';

export class Overlays {
  // send sends to the client; boxes are the checkboxes, each with the name of its overlay.
  constructor(send, boxes) {
    Object.assign(this, { send, boxes, message: null, shown: new Set(), drawn: 0 });
    for (const box of boxes) box.addEventListener('change', () => this.choose());
  }

  choose() {
    this.shown = new Set(this.boxes.filter((box) => box.checked).map((box) => box.dataset.overlay));
    this.message = null;
    this.again();
  }

  // again says what is shown, to a client that has just connected too.
  again() { this.send({ t: 'overlays', names: [...this.shown] }); }

  take(message) { if (this.shown.size) this.message = message; }

  // text says what the last rewind ran again, and how long the buffer is.
  get text() {
    const { message: m, shown } = this, lines = [];
    if (m && shown.has('rewind')) lines.push(m.rewound.from ? `Rewind: ticks ${m.rewound.from} to ${m.rewound.to}, ${m.rewound.whole} of them as a whole, hooks of ${m.rewound.objects.length} objects in others` : 'Rewind: none yet');
    if (m && shown.has('buffer')) lines.push(m.newest ? `Buffer: ${m.buffered.length} samples, up to ${(m.newest - m.moment).toFixed(1)} ticks after the moment shown` : 'Buffer: nothing is interpolated');
    if (m && shown.has('host')) lines.push(m.complete ? `Host: tick ${m.complete}, the newest that is complete` : `Host: tick ${m.newest}, of the newest snapshot`);
    return lines.join('\n');
  }

  // draw draws over what arena has drawn.
  draw({ scene, camera }, { bodies, kinds }) {
    this.drawn = 0;
    if (!this.message || !scene) return;
    const slots = new Map();
    for (let i = 0; i < bodies.top; i++) if (bodies.live[i]) slots.set(bodies.id[i], i);
    const width = 2 / camera.scale;
    for (const [id, x, y, angle] of this.message.atHost) {
      const slot = slots.get(id);
      if (slot !== undefined) this.ghost(scene, kinds[bodies.kind[slot]], x, y, angle, width);
    }
    this.buffer(scene, width);
    for (const [x, y] of this.message.contacts) this.dot(scene, x, y, 3.5 / camera.scale, 1, CONTACT);
    for (const id of this.message.rewound.objects) {
      const slot = slots.get(id);
      if (slot !== undefined) this.dot(scene, bodies.x[slot], bodies.y[slot], reach(kinds[bodies.kind[slot]]) + 5 / camera.scale, 0.12, RERUN);
    }
    scene.flush();
  }

  ghost(scene, kind, x, y, angle, width) {
    const c = Math.cos(angle), s = Math.sin(angle), points = outline(kind);
    const at = (i) => { const p = points[i % points.length]; return [x + c * p[0] - s * p[1], y + s * p[0] + c * p[1]]; };
    for (let i = 0; i < points.length; i++) scene.line(...at(i), ...at(i + 1), width, rgb(GHOST), 1);
    this.drawn++;
  }

  // buffer draws the samples of each object, which are sorted, with lines between them.
  buffer(scene, width) {
    let last = null;
    for (const sample of this.message.buffered) {
      const [id, x, y] = sample;
      if (last?.[0] === id) scene.line(last[1], last[2], x, y, width / 2, rgb(BUFFER), 0.6);
      this.dot(scene, x, y, 1.5 * width, 1, BUFFER);
      last = sample;
    }
  }

  dot(scene, x, y, radius, ring, color) {
    scene.dot(x, y, radius, ring, rgb(color), 1);
    this.drawn++;
  }
}
