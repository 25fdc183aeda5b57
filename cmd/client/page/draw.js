// Draws the arena on a canvas that fills the window. World units are metres,
// y up; the whole arena fits between the bars at the top and the bottom.

import { outline, reach } from './shapes.js';

const TOP = 50; // CSS pixels kept free
const BOTTOM = 46;
const SIDE = 18;
const TRAIL = 22; // points of a ship's trail
const TRAIL_EVERY = 1000 / 40; // ms
const FONT = 'system-ui, "Segoe UI", "Liberation Sans", sans-serif';

export class Arena {
  constructor(canvas) {
    this.canvas = canvas;
    this.ctx = canvas.getContext('2d', { alpha: false });
    this.width = 40;
    this.height = 24;
    this.floor = null; // the arena without bodies, drawn once for each size
    this.trails = new Map(); // by body
    this.trailed = 0;
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  setSize(width, height) {
    if (!(width > 0 && height > 0) || (width === this.width && height === this.height)) return;
    this.width = width;
    this.height = height;
    this.resize();
  }

  resize() {
    this.ratio = window.devicePixelRatio || 1;
    this.cssWidth = this.canvas.clientWidth;
    this.cssHeight = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.cssWidth * this.ratio);
    this.canvas.height = Math.round(this.cssHeight * this.ratio);
    this.scale = Math.max(0.01, Math.min((this.cssWidth - 2 * SIDE) / (this.width + 2), (this.cssHeight - TOP - BOTTOM) / (this.height + 2)));
    this.cx = this.cssWidth / 2;
    this.cy = TOP + (this.cssHeight - TOP - BOTTOM) / 2;
    this.floor = null;
  }

  // toWorld converts a point in the window to metres.
  toWorld(px, py) {
    return { x: (px - this.cx) / this.scale, y: (this.cy - py) / this.scale };
  }

  screen() { this.ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0); }

  // place sets the units to metres in the frame of a body.
  place(x, y, angle) {
    const s = this.scale * this.ratio, c = Math.cos(angle) * s, d = Math.sin(angle) * s;
    this.ctx.setTransform(c, -d, -d, -c, (this.cx + x * this.scale) * this.ratio, (this.cy - y * this.scale) * this.ratio);
  }

  // draw shows poses, as Motion.at gives them.
  draw(poses, view, now) {
    if (!this.floor) this.floor = this.makeFloor();
    this.ctx.setTransform(1, 0, 0, 1, 0, 0);
    this.ctx.drawImage(this.floor, 0, 0);
    if (!view) return;
    const ships = shipsOf(poses);
    this.drawTrails(ships, view, now);
    this.drawRopes(poses, view);
    for (const pose of poses) if (!isOwn(pose, view)) this.drawBody(pose, false);
    for (const pose of poses) if (isOwn(pose, view)) this.drawBody(pose, ships.get(pose.body.owner) === pose);
    this.drawNames(ships, view);
    this.drawLabels(poses);
  }

  drawBody({ body, x, y, angle }, highlighted) {
    const { ctx } = this;
    const color = colorOf(body);
    if (highlighted) this.drawGlow(x, y, reach(body.kind));
    this.place(x, y, angle);
    const path = outline(body.kind);
    ctx.fillStyle = color;
    ctx.strokeStyle = color;
    ctx.lineJoin = 'round';
    ctx.globalAlpha = body.kind.wall ? 0.28 : body.owner ? 0.85 : 0.3;
    ctx.fill(path.area);
    ctx.globalAlpha = body.kind.wall ? 0.55 : 1;
    ctx.lineWidth = 1.5 / this.scale;
    ctx.stroke(path.area);
    if (path.mark) ctx.stroke(path.mark);
    if (highlighted) {
      ctx.strokeStyle = '#fff';
      ctx.lineWidth = 1.6 / this.scale;
      ctx.stroke(path.area);
    }
    ctx.globalAlpha = 1;
  }

  // drawRopes draws the joints that tie bodies, between the drawn bodies.
  drawRopes(poses, view) {
    if (view.ropes.length === 0) return;
    const { ctx } = this;
    const byId = new Map(poses.map((pose) => [pose.body.id, pose]));
    this.screen();
    ctx.strokeStyle = '#c8b98f';
    ctx.lineCap = 'round';
    ctx.lineWidth = Math.max(1.5, 0.07 * this.scale);
    ctx.beginPath();
    for (const { a, b, ax, ay, bx, by } of view.ropes) {
      const from = end(byId.get(a), ax, ay), to = b === 0 ? { x: bx, y: by } : end(byId.get(b), bx, by);
      if (!from || !to) continue; // one of the bodies was just added or removed
      ctx.moveTo(this.cx + from.x * this.scale, this.cy - from.y * this.scale);
      ctx.lineTo(this.cx + to.x * this.scale, this.cy - to.y * this.scale);
    }
    ctx.stroke();
  }

  // drawGlow highlights the player's own ship.
  drawGlow(x, y, r) {
    const { ctx } = this;
    this.place(x, y, 0);
    const most = Math.max(r * 3.2, 26 / this.scale);
    const light = ctx.createRadialGradient(0, 0, r * 0.6, 0, 0, most);
    light.addColorStop(0, 'rgb(255 214 150 / .30)');
    light.addColorStop(1, 'rgb(255 214 150 / 0)');
    ctx.fillStyle = light;
    ctx.fillRect(-most, -most, 2 * most, 2 * most);
  }

  drawTrails(ships, view, now) {
    if (now - this.trailed > TRAIL_EVERY) {
      this.trailed = now;
      this.extendTrails(ships);
    }
    const { ctx } = this;
    this.screen();
    ctx.lineCap = 'round';
    for (const pose of ships.values()) {
      const trail = this.trails.get(pose.body.id);
      if (!trail || trail.length < 2) continue;
      ctx.strokeStyle = colorOf(pose.body);
      ctx.lineWidth = Math.max(1.5, reach(pose.body.kind) * this.scale * 0.28);
      for (let i = 1; i < trail.length; i++) {
        ctx.globalAlpha = 0.34 * (i / trail.length) ** 2;
        ctx.beginPath();
        ctx.moveTo(this.cx + trail[i - 1].x * this.scale, this.cy - trail[i - 1].y * this.scale);
        ctx.lineTo(this.cx + trail[i].x * this.scale, this.cy - trail[i].y * this.scale);
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
  }

  extendTrails(ships) {
    const kept = new Map();
    for (const { body, x, y } of ships.values()) {
      const trail = this.trails.get(body.id) ?? [];
      const end = trail[trail.length - 1];
      if (end && Math.hypot(x - end.x, y - end.y) > 6) trail.length = 0; // it was placed elsewhere
      trail.push({ x, y });
      if (trail.length > TRAIL) trail.shift();
      kept.set(body.id, trail);
    }
    this.trails = kept;
  }

  drawNames(ships, view) {
    const { ctx } = this;
    const names = new Map(view.players.map((p) => [p.id, p.name]));
    this.screen();
    ctx.textAlign = 'center';
    ctx.textBaseline = 'alphabetic';
    ctx.lineJoin = 'round';
    for (const [owner, { body, x, y }] of ships) {
      const name = names.get(owner) || `player ${owner}`;
      const px = this.cx + x * this.scale;
      const py = this.cy - (y + reach(body.kind)) * this.scale - (body.bar >= 0 ? 10 : 7);
      const own = owner === view.player;
      ctx.font = `${own ? 600 : 400} 12px ${FONT}`;
      ctx.strokeStyle = 'rgb(10 14 19 / .85)';
      ctx.lineWidth = 3;
      ctx.strokeText(name, px, py);
      ctx.fillStyle = own ? '#ffd596' : '#aebac5';
      ctx.fillText(name, px, py);
    }
  }

  // drawLabels draws the labels of looks under bodies, and bars above them: below
  // the name, if there is one.
  drawLabels(poses) {
    const { ctx } = this;
    this.screen();
    ctx.textAlign = 'center';
    ctx.textBaseline = 'top';
    ctx.lineJoin = 'round';
    ctx.font = `400 12px ${FONT}`;
    for (const { body, x, y } of poses) {
      const px = this.cx + x * this.scale, r = reach(body.kind) * this.scale;
      const py = this.cy - y * this.scale;
      if (body.label) {
        ctx.strokeStyle = 'rgb(10 14 19 / .85)';
        ctx.lineWidth = 3;
        ctx.strokeText(body.label, px, py + r + 4);
        ctx.fillStyle = '#aebac5';
        ctx.fillText(body.label, px, py + r + 4);
      }
      if (body.bar >= 0) {
        const width = Math.max(24, r * 1.6);
        ctx.fillStyle = 'rgb(10 14 19 / .85)';
        ctx.fillRect(px - width / 2 - 1, py - r - 6, width + 2, 5);
        ctx.fillStyle = body.bar > 0.5 ? '#7fbf8a' : body.bar > 0.25 ? '#e0b25c' : '#d9705f';
        ctx.fillRect(px - width / 2, py - r - 5, width * body.bar, 3);
      }
    }
  }

  // makeFloor draws the parts that do not move: the ground, a grid, the border.
  makeFloor() {
    const floor = document.createElement('canvas');
    floor.width = Math.max(1, this.canvas.width);
    floor.height = Math.max(1, this.canvas.height);
    const ctx = floor.getContext('2d', { alpha: false });
    ctx.fillStyle = '#0a0e13';
    ctx.fillRect(0, 0, floor.width, floor.height);
    ctx.scale(this.ratio, this.ratio);
    const w = this.width * this.scale, h = this.height * this.scale;
    const left = this.cx - w / 2, top = this.cy - h / 2;
    const ground = ctx.createRadialGradient(this.cx, this.cy, 0, this.cx, this.cy, Math.hypot(w, h) / 2);
    ground.addColorStop(0, '#121a22');
    ground.addColorStop(1, '#0d131a');
    ctx.fillStyle = ground;
    ctx.fillRect(left, top, w, h);
    this.drawGrid(ctx, left, top, w, h);
    ctx.strokeStyle = '#263340';
    ctx.strokeRect(left + 0.5, top + 0.5, w - 1, h - 1);
    return floor;
  }

  // drawGrid draws squares whose side is 1, 2 or 5 times a power of ten metres.
  drawGrid(ctx, left, top, w, h) {
    const least = 34 / this.scale;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least);
    ctx.strokeStyle = '#18222c';
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let x = Math.ceil(-this.width / 2 / step) * step; x < this.width / 2; x += step) {
      const px = Math.round(this.cx + x * this.scale) + 0.5;
      ctx.moveTo(px, top);
      ctx.lineTo(px, top + h);
    }
    for (let y = Math.ceil(-this.height / 2 / step) * step; y < this.height / 2; y += step) {
      const py = Math.round(this.cy - y * this.scale) + 0.5;
      ctx.moveTo(left, py);
      ctx.lineTo(left + w, py);
    }
    ctx.stroke();
  }
}

// end converts a point in the frame of a body to the world.
function end(pose, x, y) {
  if (!pose) return null;
  const c = Math.cos(pose.angle), s = Math.sin(pose.angle);
  return { x: pose.x + c * x - s * y, y: pose.y + s * x + c * y };
}

function isOwn(pose, view) {
  return view.player !== 0 && pose.body.owner === view.player;
}

// shipsOf returns each player's ship: the largest body that the player owns.
function shipsOf(poses) {
  const ships = new Map();
  for (const pose of poses) {
    const { owner, kind } = pose.body;
    if (owner === 0) continue;
    const other = ships.get(owner);
    if (!other || reach(kind) > reach(other.body.kind)) ships.set(owner, pose);
  }
  return ships;
}

const CALM = ['#7aa2c9', '#8fb996', '#c9a27a', '#a48fc4', '#6fb3b0', '#c48f9d', '#a9b070', '#8d9ad0'];

// colorOf is the colour that the script declares; without one, a colour by class.
function colorOf(body) {
  const { kind } = body;
  if (!kind.paint) {
    let n = 0;
    for (const c of kind.class) n = (n * 31 + c.charCodeAt(0)) % 9973;
    const known = kind.color && CSS.supports('color', kind.color);
    kind.paint = known ? kind.color : CALM[n % CALM.length];
  }
  return kind.paint;
}
