// Effects of cues: rings that grow and fade, texts that rise, particles, shakes of the camera and of pads,
// sounds (sound.js). The client sends them by the key of their cue (pageCue in page_script.go), so that effects
// can be moved or removed when the cue turns out to be elsewhere, or not to happen.

import { rgb } from './colors.js';
import { Sounds } from './sound.js';
import { number } from './widgets.js';

const FONT = 'system-ui, "Segoe UI", "Liberation Sans", sans-serif';
const MOST = 400; // cues shown at once
const WHITE = [1, 1, 1];
const GOLDEN = Math.PI * (3 - Math.sqrt(5)); // the angle between two particles of a burst
const SPREAD = 0.7549; // between their distances; with the golden ratio, all would be on one spiral
const SHAKES = 31; // a second, about
export const AT_ONCE = ['sound', 'rumble', 'instantReplay']; // what is not drawn with the effects

export class Effects {
  // heardAt(x, y) says where a sound from there is heard: { pan, near }.
  // files.url(name) returns the address of an asset; undefined: it is not there. files.fails(name, url) is told what
  // cannot be decoded.
  constructor(heardAt = () => ({ pan: 0, near: 1 }), files = { url() {}, fails() {} }) {
    this.cues = new Map(); // by key: { start, effects }
    this.sounds = new Sounds(heardAt, files);
    this.replayed = null; // an InstantReplay, if there are any
    this.taken = 0;
  }

  reset() { this.cues.clear(); }

  // age is how many milliseconds of the effects have passed already: what is over is not shown.
  take({ what, key, was, age = 0, effects }, now) {
    this.taken++;
    if (what === 'cancelled') {
      this.sounds.stop(key);
      this.replayed?.cancel(key);
    }
    if (was) {
      this.sounds.move(was, key);
      this.replayed?.move(was, key);
    }
    const felt = effects?.filter((e) => AT_ONCE.includes(e.kind)) ?? [];
    effects = effects?.filter((e) => !AT_ONCE.includes(e.kind));
    if (what === 'fired') {
      for (const effect of felt) {
        if (age >= effect.ms && !effect.file && effect.kind !== 'instantReplay') continue; // how long a file is, the browser knows
        if (effect.kind === 'instantReplay') this.replayed?.start(key, effect.replay, effect.replay.focus && number(effect.replay.focus), now);
        else if (effect.kind === 'sound') this.sounds.play(key, effect, age);
        else rumble(effect);
      }
    }
    const before = this.cues.get(was ?? key);
    this.cues.delete(was ?? key);
    if (what === 'moved' && !before) return; // its effects had ended before it moved
    if (!effects?.length || this.cues.size >= MOST) return;
    this.cues.set(key, { start: what === 'moved' ? before.start : now - age, effects });
  }

  draw(arena, now) {
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
    arena.scene?.flush();
  }

  // shake returns by how many metres the camera is moved now.
  shake(now) {
    const by = { x: 0, y: 0 };
    for (const { start, effects } of this.cues.values()) {
      for (const effect of effects) {
        const part = (now - start) / effect.ms;
        if (effect.kind !== 'shake' || part < 0 || part >= 1) continue;
        const t = (now - start) / 1000 * SHAKES * 2 * Math.PI, size = effect.size * (1 - part) ** 2;
        by.x += size * Math.sin(t);
        by.y += size * Math.sin(0.83 * t + 1);
      }
    }
    return by;
  }

  drawOne(arena, effect, part) {
    const { ctx, camera } = arena;
    const out = 1 - (1 - part) ** 2; // fast at the beginning
    if (effect.kind === 'shake') return;
    if (effect.kind === 'burst') {
      const color = (effect.color && rgb(effect.color)) ?? WHITE, size = Math.max(1.5 / camera.scale, 0.06 * effect.size * (1 - part));
      for (let i = 0; i < effect.n; i++) {
        const far = out * effect.size * (0.35 + 0.65 * ((i * SPREAD) % 1));
        arena.scene?.dot(effect.x + far * Math.cos(i * GOLDEN), effect.y + far * Math.sin(i * GOLDEN), size, 1, color, 1 - part);
      }
      return;
    }
    if (effect.kind === 'text') {
      ctx.globalAlpha = 1 - part;
      ctx.fillStyle = '#fff';
      if (effect.color) ctx.fillStyle = effect.color; // an invalid colour changes nothing
      ctx.font = `600 ${Math.max(11, effect.size * camera.scale)}px ${FONT}`;
      ctx.fillText(effect.text ?? '', camera.left(effect.x), camera.top(effect.y) - out * effect.size * camera.scale);
      return;
    }
    const radius = (effect.size / 2) * (0.2 + 0.8 * out);
    const width = Math.max(1 / camera.scale, 0.12 * effect.size * (1 - part));
    arena.scene?.dot(effect.x, effect.y, radius + width / 2, Math.min(1, width / (radius + width / 2)), (effect.color && rgb(effect.color)) ?? WHITE, 1 - part);
  }
}

// rumble shakes the pad that is in use, or the phone.
function rumble({ volume, ms }) {
  const pad = navigator.getGamepads?.().find((p) => p?.connected);
  if (pad?.vibrationActuator) pad.vibrationActuator.playEffect('dual-rumble', { duration: ms, strongMagnitude: volume, weakMagnitude: volume }).catch(() => {});
  else if (volume > 0 && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(ms);
}
