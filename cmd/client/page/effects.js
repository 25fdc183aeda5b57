// Effects of cues: rings that grow and fade, texts that rise, sounds (sound.js).
// The client sends them by the key of their cue (page_cues.go), so that effects
// can be moved or removed when the cue turns out to be elsewhere, or not to happen.

import { Sounds } from './sound.js';

const FONT = 'system-ui, "Segoe UI", "Liberation Sans", sans-serif';
const MOST = 400; // cues shown at once

export class Effects {
  constructor() {
    this.cues = new Map(); // by key: { start, effects }
    this.sounds = new Sounds();
    this.taken = 0;
  }

  reset() { this.cues.clear(); }

  // age is how many milliseconds of the effects have passed already: what is over is not shown.
  take({ what, key, was, age = 0, effects }, now) {
    this.taken++;
    if (what === 'cancelled') this.sounds.stop(key);
    if (was) this.sounds.move(was, key);
    const heard = effects?.filter((e) => e.kind === 'sound') ?? [];
    effects = effects?.filter((e) => e.kind !== 'sound');
    if (what === 'fired') for (const effect of heard) if (age < effect.ms) this.sounds.play(key, effect);
    const before = this.cues.get(was ?? key);
    this.cues.delete(was ?? key);
    if (what === 'moved' && !before) return; // its effects had ended before it moved
    if (!effects?.length || this.cues.size >= MOST) return;
    this.cues.set(key, { start: what === 'moved' ? before.start : now - age, effects });
  }

  draw(arena, now) {
    arena.screen();
    for (const [key, cue] of this.cues) {
      let alive = false;
      for (const effect of cue.effects) {
        const part = (now - cue.start) / effect.ms;
        if (part >= 1) continue;
        alive = true;
        this.drawOne(arena, effect, Math.max(0, part));
      }
      if (!alive) this.cues.delete(key);
    }
    arena.ctx.globalAlpha = 1;
  }

  drawOne(arena, effect, part) {
    const { ctx, scale } = arena;
    const x = arena.cx + effect.x * scale, y = arena.cy - effect.y * scale;
    const out = 1 - (1 - part) ** 2; // fast at the beginning
    ctx.globalAlpha = 1 - part;
    ctx.fillStyle = ctx.strokeStyle = '#fff';
    if (effect.color) ctx.fillStyle = ctx.strokeStyle = effect.color; // an invalid colour changes nothing
    if (effect.kind === 'text') {
      ctx.font = `600 ${Math.max(11, effect.size * scale)}px ${FONT}`;
      ctx.textAlign = 'center';
      ctx.fillText(effect.text ?? '', x, y - out * effect.size * scale);
      return;
    }
    ctx.lineWidth = Math.max(1, 0.12 * effect.size * scale * (1 - part));
    ctx.beginPath();
    ctx.arc(x, y, (effect.size / 2) * scale * (0.2 + 0.8 * out), 0, 2 * Math.PI);
    ctx.stroke();
  }
}
