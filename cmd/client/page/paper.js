// Draws what scene.js draws, on a plain canvas: for browsers without WebGL2. It takes far longer for many bodies.

import { cellOf, EDGE } from './scene.js';
import { isRound, outline, reach } from './shapes.js';

const STYLES = [[0.28, 0.55], [0.3, 1], [0.85, 1], [0.85, 1]]; // alpha of the area and of the edge: a wall, nobody's, a player's, highlighted
const HIGHLIGHTED = 3;
const TURN = 2 * Math.PI;

export class Paper {
  // ctx is the context of the canvas.
  constructor(ctx, assets) {
    this.ctx = ctx;
    this.assets = assets;
    this.sprites = { shown: 0, drawTiles: (view, maps) => this.drawTiles(maps) };
  }

  // renderer is the name of what draws.
  get renderer() { return 'canvas'; }

  // start begins a displayed frame. From then on lengths are metres, y up.
  start(camera) {
    const { ctx } = this, { width, height } = ctx.canvas, scale = camera.scale * camera.ratio;
    this.sprites.shown = 0;
    this.edge = EDGE / camera.scale;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalAlpha = 1;
    ctx.fillStyle = '#0c1117';
    ctx.fillRect(0, 0, width, height);
    ctx.setTransform(scale, 0, 0, -scale, camera.left(0) * camera.ratio, camera.top(0) * camera.ratio);
    const a = camera.arena, cell = cellOf(34 / camera.scale), from = camera.toWorld(0, camera.height), to = camera.toWorld(camera.width, 0);
    ctx.fillStyle = '#101820';
    ctx.fillRect(-a.width / 2, -a.height / 2, a.width, a.height);
    ctx.lineWidth = 1 / scale;
    ctx.strokeStyle = '#18212b';
    ctx.beginPath();
    for (let x = cell * Math.ceil(from.x / cell); x < to.x; x += cell) { ctx.moveTo(x, from.y); ctx.lineTo(x, to.y); }
    for (let y = cell * Math.ceil(from.y / cell); y < to.y; y += cell) { ctx.moveTo(from.x, y); ctx.lineTo(to.x, y); }
    ctx.stroke();
    ctx.strokeStyle = '#263340';
    ctx.strokeRect(-a.width / 2, -a.height / 2, a.width, a.height);
  }

  // line draws a line, dot a dot or a ring. Colours are red, green and blue, 0 to 1.
  line(ax, ay, bx, by, width, color, alpha) {
    const { ctx } = this;
    ctx.globalAlpha = alpha;
    ctx.strokeStyle = css(color);
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(ax, ay);
    ctx.lineTo(bx, by);
    ctx.stroke();
  }

  dot(x, y, radius, ring, color, alpha) {
    if (!(radius > 0)) return;
    const { ctx } = this;
    ctx.globalAlpha = Math.min(Math.max(alpha, 0), 1);
    ctx.beginPath();
    if (ring > 0) {
      ctx.arc(x, y, radius, 0, TURN);
      if (ring < 1) ctx.arc(x, y, radius * (1 - ring), 0, TURN, true);
      ctx.fillStyle = css(color);
    } else {
      ctx.arc(x, y, radius, 0, TURN);
      ctx.fillStyle = ctx.createRadialGradient(x, y, 0, x, y, radius);
      ctx.fillStyle.addColorStop(0, css(color));
      ctx.fillStyle.addColorStop(1, css(color, 0));
    }
    ctx.fill();
  }

  flush() {} // all is drawn at once

  // draw draws bodies, kind by kind. styleOf returns the style of the body in a slot, below 0 if it is not to be
  // drawn. A kind whose image is not there yet has its shape.
  draw(bodies, kinds, styleOf, now) {
    const slots = kinds.map(() => []);
    for (let i = 0; i < bodies.top; i++) if (bodies.live[i] && styleOf(i) >= 0) slots[bodies.kind[i]].push(i);
    kinds.forEach((kind, k) => {
      const image = kind.image && slots[k].length > 0 && this.assets.image(kind.image);
      if (!image) kind.path ??= pathOf(kind);
      for (const i of slots[k]) {
        this.ctx.save();
        this.ctx.translate(bodies.x[i], bodies.y[i]);
        this.ctx.rotate(bodies.angle[i]);
        if (image) this.sprite(image, kind, now);
        else this.shape(kind, styleOf(i));
        this.ctx.restore();
      }
    });
  }

  shape(kind, style) {
    const { ctx } = this, [area, edge] = STYLES[style], color = css(kind.paint);
    ctx.fillStyle = color;
    ctx.globalAlpha = area;
    ctx.fill(kind.path);
    ctx.strokeStyle = style === HIGHLIGHTED ? '#fff' : color;
    ctx.globalAlpha = edge;
    ctx.lineWidth = this.edge;
    ctx.stroke(kind.path);
  }

  sprite(image, kind, now) {
    const { ctx } = this, frames = kind.frames || 1;
    const frame = kind.fps ? Math.floor(now / 1000 * kind.fps) % frames : Number(kind.frame ?? 0) % frames;
    const wide = image.width / frames, w = kind.w || (kind.h ? kind.h * wide / image.height : 2 * reach(kind)), h = kind.h || w * image.height / wide;
    ctx.globalAlpha = 1;
    ctx.scale(1, -1); // pictures have y down
    ctx.drawImage(image, frame * wide, 0, wide, image.height, -w / 2, -h / 2, w, h);
    this.sprites.shown++;
  }

  // drawTiles draws tile maps, those whose image is there.
  drawTiles(maps) {
    const { ctx } = this;
    ctx.globalAlpha = 1;
    for (const { image: name, x, y, size, columns, cells } of maps) {
      const image = this.assets.image(name), side = image && image.width / columns;
      if (!image) continue;
      cells.forEach((row, i) => row.forEach((tile, j) => {
        if (tile < 0) return;
        ctx.save();
        ctx.translate(x + j * size, y - i * size);
        ctx.scale(1, -1);
        ctx.drawImage(image, tile % columns * side, Math.floor(tile / columns) * side, side, side, 0, 0, size, size);
        ctx.restore();
      }));
      this.sprites.shown++;
    }
  }
}

function css(color, alpha = 1) { return `rgb(${color.map((v) => Math.round(255 * v)).join(' ')} / ${alpha})`; }

// pathOf is the outline of a body. A circle has a line in the direction of its angle.
function pathOf(kind) {
  const path = new Path2D(), [first, ...others] = outline(kind);
  path.moveTo(...first);
  for (const at of others) path.lineTo(...at);
  path.closePath();
  if (isRound(kind)) {
    path.moveTo(0.35 * reach(kind), 0);
    path.lineTo(reach(kind), 0);
  }
  return path;
}
