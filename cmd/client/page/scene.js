// What the window shows below its texts, drawn with WebGL: the floor, soft dots and rings, lines, and
// bodies. All lengths are metres.

import { Instances, upload } from './gl.js';
import { corners } from './shapes.js';
import { Sprites } from './sprites.js';

const VIEW = `
  uniform vec4 view; // the centre, and how many halves of the window a metre is
  vec4 place(vec2 world) { return vec4((world - view.xy) * view.zw, 0.0, 1.0); }
`;

const FLOOR = [`
  in vec2 corner;
  out vec2 at;
  uniform vec4 view;
  void main() { at = corner / view.zw + view.xy; gl_Position = vec4(corner, 0.0, 1.0); }
`, `
  in vec2 at;
  out vec4 paint;
  uniform vec2 arena; // half of its size
  uniform float pixel, cell;
  void main() {
    vec2 outside = abs(at) - arena;
    float d = max(outside.x, outside.y); // to the border
    float middle = 1.0 - min(1.0, length(at) / length(arena));
    vec3 ground = mix(vec3(0.051, 0.075, 0.102), vec3(0.071, 0.102, 0.133), middle);
    vec2 line = abs(at - cell * round(at / cell));
    if (min(line.x, line.y) < 0.5 * pixel) ground = vec3(0.094, 0.133, 0.173);
    vec3 color = d < 0.0 ? ground : mix(vec3(0.039, 0.055, 0.075), ground, 0.6);
    if (abs(d) < 0.6 * pixel) color = vec3(0.149, 0.2, 0.251);
    paint = vec4(color, 1.0);
  }
`];

const BODY = [`${VIEW}
  in vec2 corner, wide;
  in float edge;
  in vec3 pose;
  in float style; // 0: a wall, 1: nobody's, 2: a player's, 3: highlighted
  in vec3 color;
  out vec4 shade;
  uniform float line; // half the width of an edge
  void main() {
    vec2 p = corner + wide * line;
    float c = cos(pose.z), s = sin(pose.z);
    gl_Position = place(pose.xy + vec2(c * p.x - s * p.y, s * p.x + c * p.y));
    float area = style < 0.5 ? 0.28 : style < 1.5 ? 0.3 : 0.85;
    float alpha = edge < 0.5 ? area : style < 0.5 ? 0.55 : 1.0;
    shade = vec4(edge > 0.5 && style > 2.5 ? vec3(1.0) : color, 1.0) * alpha;
  }
`, `
  in vec4 shade;
  out vec4 paint;
  void main() { paint = shade; }
`];

const LINE = [`${VIEW}
  in vec2 corner;
  in vec4 ends;
  in float width;
  in vec4 color;
  out vec4 shade;
  void main() {
    vec2 along = ends.zw - ends.xy;
    vec2 side = vec2(-along.y, along.x) / max(length(along), 1e-9);
    gl_Position = place(mix(ends.xy, ends.zw, corner.x) + side * (corner.y * 0.5 * width));
    shade = vec4(color.rgb, 1.0) * color.a;
  }
`, BODY[1]];

const DOT = [`${VIEW}
  in vec2 corner;
  in vec2 center;
  in float radius, ring; // ring: how wide it is, a part of the radius; 0: a dot that fades outwards
  in vec4 color;
  out vec2 at;
  out vec4 shade;
  flat out float hole;
  void main() {
    at = corner;
    hole = ring;
    shade = vec4(color.rgb, 1.0) * color.a;
    gl_Position = place(center + corner * radius);
  }
`, `
  in vec2 at;
  in vec4 shade;
  flat in float hole;
  out vec4 paint;
  void main() {
    float d = length(at), soft = fwidth(d);
    float ring = smoothstep(1.0, 1.0 - soft, d) * smoothstep(1.0 - hole - soft, 1.0 - hole, d);
    paint = shade * (hole > 0.0 ? ring : max(0.0, 1.0 - d));
  }
`];

const SQUARE = [-1, -1, 1, -1, -1, 1, -1, 1, 1, -1, 1, 1];
const STROKE = [0, -1, 1, -1, 0, 1, 0, 1, 1, -1, 1, 1];
export const EDGE = 1.5; // CSS pixels
const POSE = 7; // numbers of a body

export class Scene {
  // gl is a WebGL2 context.
  constructor(gl, assets) {
    this.gl = gl;
    this.floor = new Instances(gl, ...FLOOR, [['corner', 2]], [], SQUARE);
    this.bodies = new Instances(gl, ...BODY, [['corner', 2], ['wide', 2], ['edge', 1]], [['pose', 3], ['style', 1], ['color', 3]]);
    this.sprites = new Sprites(gl, this.bodies, assets);
    this.lines = new Instances(gl, ...LINE, [['corner', 2]], [['ends', 4], ['width', 1], ['color', 4]], STROKE);
    this.dots = new Instances(gl, ...DOT, [['corner', 2]], [['center', 2], ['radius', 1], ['ring', 1], ['color', 4]], SQUARE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA); // colours are multiplied by their alpha
    this.first = new Int32Array(0); // the place of each kind's first body, or of its next one
  }

  // renderer is the name of what draws.
  get renderer() {
    const { gl } = this, names = gl.getExtension('WEBGL_debug_renderer_info');
    return gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  }

  // start begins a displayed frame.
  start(camera) {
    const { gl } = this, { canvas } = gl;
    gl.viewport(0, 0, canvas.width, canvas.height);
    const sx = 2 * camera.scale / camera.width, sy = 2 * camera.scale / camera.height;
    // The centre is not in the middle of the window, whose upper and lower bars differ.
    this.view = [camera.toWorld(camera.width / 2, 0).x, camera.toWorld(0, camera.height / 2).y, sx, sy];
    this.scale = camera.scale;
    this.pixel = 1 / (camera.scale * camera.ratio);
    this.lines.clear();
    this.dots.clear();
    const floor = this.floor.use();
    floor.uniform('view', ...this.view);
    floor.uniform('arena', camera.arena.width / 2, camera.arena.height / 2);
    floor.uniform('pixel', this.pixel);
    floor.uniform('cell', cellOf(34 / camera.scale));
    floor.count = 1;
    floor.draw();
    this.sprites.shown = 0;
  }

  // line adds a line, dot a dot or a ring. Colours are red, green and blue, 0 to 1.
  line(ax, ay, bx, by, width, color, alpha) {
    const at = this.lines.add();
    this.lines.numbers.set([ax, ay, bx, by, width, ...color, alpha], at);
  }

  dot(x, y, radius, ring, color, alpha) {
    const at = this.dots.add();
    this.dots.numbers.set([x, y, radius, ring, ...color, alpha], at);
  }

  // flush draws the lines and dots so far, dots first.
  flush() {
    for (const things of [this.dots, this.lines]) {
      if (things.count === 0) continue;
      things.use().uniform('view', ...this.view);
      things.send();
      things.draw();
      things.clear();
    }
  }

  // draw draws bodies, kind by kind. styleOf returns the style of the body in a slot, below 0 if it is not to be
  // drawn. A kind whose image is not there yet has its shape.
  draw(bodies, kinds, styleOf, now) {
    const { gl, bodies: to } = this;
    const count = this.sort(bodies, kinds, styleOf);
    if (count === 0) return;
    to.use().uniform('view', ...this.view);
    to.uniform('line', 0.5 * EDGE / this.scale);
    to.send();
    let first = 0;
    for (let k = 0; k < kinds.length; k++) {
      const kind = kinds[k], end = this.first[k];
      if (end === first) continue;
      if (!this.sprites.draw(this.view, kind, first, end - first, now)) {
        kind.mesh ??= upload(gl, corners(kind));
        to.use().draw(first, end - first, kind.mesh);
      }
      first = end;
    }
  }

  // sort writes the numbers of the bodies by kind, and returns how many there are. After that this.first
  // has the end of each kind.
  sort(bodies, kinds, styleOf) {
    if (this.first.length < kinds.length) this.first = new Int32Array(2 * kinds.length);
    const { first } = this, { live, kind, top } = bodies;
    first.fill(0);
    let count = 0;
    for (let i = 0; i < top; i++) if (live[i] && styleOf(i) >= 0) { first[kind[i]]++; count++; }
    for (let k = 0, at = 0; k < kinds.length; k++) { const n = first[k]; first[k] = at; at += n; }
    this.bodies.reserve(count);
    const { numbers } = this.bodies;
    for (let i = 0; i < top; i++) {
      const style = live[i] ? styleOf(i) : -1;
      if (style < 0) continue;
      const at = POSE * first[kind[i]]++, [r, g, b] = kinds[kind[i]].paint;
      numbers[at] = bodies.x[i];
      numbers[at + 1] = bodies.y[i];
      numbers[at + 2] = bodies.angle[i];
      numbers[at + 3] = style;
      numbers[at + 4] = r;
      numbers[at + 5] = g;
      numbers[at + 6] = b;
    }
    return count;
  }
}

// cellOf returns the side of the grid's squares: 1, 2 or 5 times a power of ten metres, at least so long.
export function cellOf(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least);
}
