// Draws images in the place of bodies, and tile maps below them, with WebGL.

import { Instances } from './gl.js';
import { reach } from './shapes.js';

const VIEW = `
  uniform vec4 view; // the centre, and how many halves of the window a metre is
  vec4 place(vec2 world) { return vec4((world - view.xy) * view.zw, 0.0, 1.0); }
`;

const PAINT = `
  in vec2 spot;
  out vec4 paint;
  uniform sampler2D image;
  void main() { paint = texture(image, spot); }
`;

const SPRITE = [`${VIEW}
  in vec2 corner;
  in vec3 pose;
  out vec2 spot;
  uniform vec2 size; // half of it, metres
  uniform vec2 part; // of the image: where the frame begins, how wide it is
  void main() {
    vec2 p = corner * size;
    float c = cos(pose.z), s = sin(pose.z);
    gl_Position = place(pose.xy + vec2(c * p.x - s * p.y, s * p.x + c * p.y));
    spot = vec2(part.x + (0.5 + 0.5 * corner.x) * part.y, 0.5 - 0.5 * corner.y);
  }
`, PAINT];

const TILE = [`${VIEW}
  in vec2 corner;
  in vec2 center;
  in float tile; // from 0, row by row
  out vec2 spot;
  uniform float side; // of a tile, metres
  uniform vec2 sheet; // tiles side by side, and rows
  uniform vec2 inset; // half a pixel of the sheet, so that tiles do not bleed into each other
  void main() {
    gl_Position = place(center + 0.5 * side * corner);
    vec2 first = vec2(mod(tile, sheet.x), floor(tile / sheet.x)) / sheet;
    vec2 within = vec2(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y);
    spot = mix(first + inset, first + 1.0 / sheet - inset, within);
  }
`, PAINT];

const SQUARE = [-1, -1, 1, -1, -1, 1, -1, 1, 1, -1, 1, 1];

export class Sprites {
  // numbers are those of the bodies that a Scene draws: each begins with its pose.
  constructor(gl, bodies, assets) {
    this.gl = gl;
    this.assets = assets;
    this.bodies = new Instances(gl, ...SPRITE, [['corner', 2]], [['pose', 3], ['style', 1], ['color', 3]], SQUARE);
    this.bodies.buffer = bodies.buffer;
    this.tiles = new Instances(gl, ...TILE, [['corner', 2]], [['center', 2], ['tile', 1]], SQUARE);
    this.laid = new Map(); // by tile map: { buffer, count } of its tiles
    this.sent = 0; // maps laid out so far, for tests
    this.shown = 0; // images drawn in this frame, for tests
  }

  // draw draws bodies of a kind as its image; false: the image is not there yet.
  draw(view, kind, first, count, now) {
    const image = kind.image && this.assets.texture(this.gl, kind.image);
    if (!image) return false;
    const frames = kind.frames || 1, frame = kind.fps ? Math.floor(now / 1000 * kind.fps) % frames : Number(kind.frame ?? 0) % frames;
    const wide = image.width / frames / image.height;
    const w = kind.w || (kind.h ? kind.h * wide : 2 * reach(kind)), h = kind.h || w / wide;
    const to = this.bodies.use();
    to.uniform('view', ...view);
    to.uniform('size', w / 2, h / 2);
    to.uniform('part', frame / frames, 1 / frames);
    this.gl.bindTexture(this.gl.TEXTURE_2D, image.texture);
    to.draw(first, count);
    this.shown += count;
    return true;
  }

  // drawTiles draws tile maps, those whose image is there.
  drawTiles(view, maps) {
    const { gl, tiles: to } = this;
    for (const [map, { buffer }] of this.laid) if (!maps.includes(map)) { gl.deleteBuffer(buffer); this.laid.delete(map); }
    for (const map of maps) {
      const image = this.assets.texture(gl, map.image);
      if (!image) continue;
      if (!this.laid.has(map)) {
        lay(to, map);
        this.laid.set(map, { buffer: to.buffer = gl.createBuffer(), count: to.count });
        to.send();
        this.sent++;
      }
      Object.assign(to, this.laid.get(map));
      const rows = Math.max(1, Math.round(map.columns * image.height / image.width));
      to.use().uniform('view', ...view);
      to.uniform('side', map.size);
      to.uniform('sheet', map.columns, rows);
      to.uniform('inset', 0.5 / image.width, 0.5 / image.height);
      gl.bindTexture(gl.TEXTURE_2D, image.texture);
      to.draw();
      this.shown++;
    }
  }
}

// lay sets the tiles of a map. x, y is its upper left corner.
function lay(to, { x, y, size, cells }) {
  to.clear();
  cells.forEach((row, i) => row.forEach((tile, j) => {
    if (tile >= 0) {
      const at = to.add(); // before numbers, which it may replace
      to.numbers.set([x + (j + 0.5) * size, y - (i + 0.5) * size, tile], at);
    }
  }));
}
