// What part of the world is in the window. World units are metres, y up. view.lua may say where the
// camera looks (luabind.Camera). Otherwise the whole arena is shown if the player's own body is large
// enough to be seen then, and if not the camera follows it.

const TOP = 50; // CSS pixels kept free, for bars
const BOTTOM = 46;
const LOW = 480; // CSS pixels: in a window that is not higher, the bars are over the world
const SIDE = 18;
const LEAST = 12; // CSS pixels from the middle of the player's body to its edge
const SPREAD = 1.35; // how much more than the followed bodies is shown
const FAR = 0.5; // of the window: a camera that has to move further jumps

export class Camera {
  constructor() {
    this.arena = { width: 40, height: 24 };
    this.x = this.y = 0;
    this.scale = 1; // CSS pixels for a metre
    this.at = null; // ms of the last frame; null: the next one jumps
    this.shaken = { x: 0, y: 0 }; // metres that it is moved by a shake
    this.free = { top: 0, bottom: 0, left: 0, right: 0 }; // CSS pixels kept free besides
    this.resize(1, 1, 1);
  }

  // resize takes the size of the window in CSS pixels, and how many pixels of the screen one has.
  resize(width, height, ratio) {
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.cx = this.free.left + SIDE + this.across / 2; // CSS pixels: where the centre is shown
    this.cy = this.free.top + this.bars[0] + this.down / 2;
    this.at = null;
  }

  // keepFree keeps pixels free at the sides of the window: { top, bottom, left, right }.
  keepFree(free) {
    this.free = free;
    this.resize(this.width, this.height, this.ratio);
  }

  setArena(width, height) {
    if (width > 0 && height > 0) this.arena = { width, height };
    this.at = null;
  }

  // bars is the height of the bars at the top and at the bottom.
  get bars() { return this.height > LOW ? [TOP, BOTTOM] : [0, 0]; }

  // CSS pixels that the arena has.
  get across() { return Math.max(1, this.width - 2 * SIDE - this.free.left - this.free.right); }
  get down() { return Math.max(1, this.height - this.bars[0] - this.bars[1] - this.free.top - this.free.bottom); }

  // fit is the scale at which the whole arena is shown.
  get fit() { return Math.max(0.01, Math.min(this.across / (this.arena.width + 2), this.down / (this.arena.height + 2))); }

  // followOwn shows the player's body, { x, y, reach } in metres; null: there is none.
  followOwn(own) {
    this.scale = own ? Math.max(this.fit, LEAST / Math.max(own.reach, 0.05)) : this.fit;
    this.x = own ? own.x : 0;
    this.y = own ? own.y : 0;
    this.keepInside();
    this.at = null;
  }

  // follow shows what view.lua says. followed are its bodies, { x, y, vx, vy, share } in metres and metres
  // a second, the first of which is looked ahead of.
  follow({ zoom, ahead, ease, inside }, followed, now) {
    if (followed.length === 0) {
      this.followOwn(null);
      return;
    }
    const [lead] = followed, to = { x: lead.vx * (ahead ?? 0), y: lead.vy * (ahead ?? 0) };
    for (const { x, y, share } of followed) {
      to.x += x * share;
      to.y += y * share;
    }
    const short = Math.min(this.across, this.down), [least, most] = zoom.length ? zoom : [short / this.fit, short / this.fit];
    let scale = short / least;
    for (const { x, y } of followed) {
      scale = Math.min(scale, this.across / (2 * SPREAD * Math.abs(x - to.x)), this.down / (2 * SPREAD * Math.abs(y - to.y)));
    }
    scale = Math.max(scale, short / most);
    const part = this.at === null || !(ease > 0) ? 1 : 1 - Math.exp(-3 * (now - this.at) / 1000 / ease);
    const jumps = Math.hypot(to.x - this.x, to.y - this.y) * this.scale > FAR * this.height;
    this.at = now;
    this.scale += (scale - this.scale) * part;
    this.x += (to.x - this.x) * (jumps ? 1 : part);
    this.y += (to.y - this.y) * (jumps ? 1 : part);
    if (inside) this.keepInside();
  }

  // keepInside moves the centre so that nothing outside the arena is shown.
  keepInside() {
    this.x = within(this.x, (this.arena.width + 2 - this.across / this.scale) / 2);
    this.y = within(this.y, (this.arena.height + 2 - this.down / this.scale) / 2);
  }

  // left and top convert metres to CSS pixels.
  left(x) { return this.cx + (x - this.x - this.shaken.x) * this.scale; }
  top(y) { return this.cy - (y - this.y - this.shaken.y) * this.scale; }

  // toWorld converts a point in the window to metres.
  toWorld(left, top) {
    return { x: this.x + this.shaken.x + (left - this.cx) / this.scale, y: this.y + this.shaken.y + (this.cy - top) / this.scale };
  }
}

function within(at, most) { return most > 0 ? Math.min(Math.max(at, -most), most) : 0; }
