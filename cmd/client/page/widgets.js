// The HUD that view.lua describes (luabind.HUD): some 20 times a second it says what there is. Widgets
// of the window are elements of the page. Those at objects are drawn in each displayed frame.

import { family } from './assets.js';
import { reach } from './shapes.js';
import { rgb } from './colors.js';

const PLACES = ['topLeft', 'top', 'topRight', 'left', 'center', 'right', 'bottomLeft', 'bottom', 'bottomRight'];
const TEXT = '#d3dce4';
const BAR = '#7fbf8a';
const FONT = 'system-ui, "Segoe UI", "Liberation Sans", sans-serif';

export class Widgets {
  // grown() is called when what is at the top ends further down than before.
  constructor(at, grown) {
    this.at = at;
    this.above = 0; // CSS pixels: how far down it has reached. The arena is below, and does not move with each line.
    this.places = new Map(PLACES.map((place) => {
      const box = document.createElement('div');
      box.className = `place ${place}`;
      at.append(box);
      return [place, box];
    }));
    this.shown = new Map(); // by place: the widgets there, as JSON
    this.inWorld = []; // widgets at objects, and minimaps
    this.tagged = new Set(); // the numbers of objects with a text of their own, in the place of a name
    this.maps = new Map(); // canvases of minimaps
    const below = this.places.get('bottomLeft'); // the chat is above it
    new ResizeObserver(() => document.body.style.setProperty('--hud-below-chat', `${below.offsetHeight ? below.offsetHeight + 8 : 0}px`)).observe(below);
    const above = ['topLeft', 'top', 'topRight'].map((place) => this.places.get(place)); // what is wrong with the scripts is below them
    const top = this.places.get('top');
    const observer = new ResizeObserver(() => { // on a narrow screen, what is beside the top is below it
      document.body.style.setProperty('--hud-top', `${top.offsetHeight ? top.getBoundingClientRect().bottom + 6 : 0}px`);
      const bottom = Math.max(...above.map((box) => (box.offsetHeight ? box.getBoundingClientRect().bottom : 0)));
      document.body.style.setProperty('--hud-above', `${bottom ? bottom + 8 : 0}px`);
    });
    for (const box of above) observer.observe(box);
    new ResizeObserver(() => {
      const bottom = top.offsetHeight ? top.getBoundingClientRect().bottom : 0;
      if (bottom <= this.above) return;
      this.above = bottom;
      grown();
    }).observe(top);
    this.camera = null;
  }

  // show takes a HUD.
  show({ widgets, camera, font }) {
    this.at.style.fontFamily = font ? `"${family(font)}", ${FONT}` : '';
    this.camera = camera ?? null;
    const all = widgets ?? [];
    this.inWorld = all.filter((w) => w.on || w.kind === 'minimap');
    this.tagged = new Set(all.filter((w) => w.kind === 'tag' && w.on && w.text).map((w) => number(w.on)));
    for (const place of PLACES) {
      const here = all.filter((w) => !w.on && w.kind !== 'arrow' && w.kind !== 'tag' && (w.at ?? (w.kind === 'banner' ? 'center' : 'top')) === place);
      const text = JSON.stringify(here);
      if (text === (this.shown.get(place) ?? '[]')) continue;
      this.shown.set(place, text);
      this.fill(this.places.get(place), here);
    }
  }

  // fill makes the children of a box show widgets. A widget keeps its element, and so its animations, as long as one of
  // the same id is there; without an id, one of the same kind in the same place.
  fill(box, widgets) {
    const before = new Map([...box.children].map((at) => [at.dataset.key, at]));
    const now = widgets.map((w, i) => {
      const key = w.id ? `${w.kind} ${w.id}` : `${w.kind} #${i}`, at = before.get(key) ?? Object.assign(document.createElement('div'), { className: `widget ${w.kind}` });
      before.delete(key); // of two with one id, the second one is new
      at.dataset.key = key;
      this.change(at, w);
      return at;
    });
    arrange(box, now);
  }

  // change makes an element show what a widget is now.
  change(at, w) {
    style(at, 'color', w.color ?? '');
    style(at, 'fontSize', w.size && w.kind !== 'minimap' ? `${w.size}px` : '');
    at.classList.toggle('blink', Boolean(w.blink));
    switch (w.kind) {
      case 'row':
      case 'column':
        style(at, 'gap', `${w.gap ?? 8}px`);
        this.fill(at, w.items ?? []);
        break;
      case 'lines':
        changeLines(at, w);
        break;
      case 'banner':
        parts(at, 'strong', 'span');
        text(at.children[0], w.text);
        text(at.children[1], w.lines?.[0]);
        break;
      case 'bar':
        parts(at, 'i', 'span');
        changeBar(at.children[0], w);
        text(at.children[1], w.text);
        break;
      case 'minimap':
        arrange(at, [this.map(w)]);
        break;
      default:
        text(at, w.text);
    }
  }

  map(w) {
    const canvas = this.maps.get(w.at) ?? document.createElement('canvas'), side = Math.min(Math.max(w.size || 140, 40), 400);
    if (canvas.width !== side) canvas.width = canvas.height = side;
    this.maps.set(w.at, canvas);
    return canvas;
  }

  // draw draws the widgets at objects, and the minimaps, with the bodies where they are drawn now.
  draw(arena, room) {
    for (const w of this.inWorld) {
      if (w.kind === 'minimap') {
        const canvas = this.maps.get(w.at);
        if (canvas?.isConnected) drawMap(canvas, w, arena.camera, room);
        continue;
      }
      const slot = room.bodies.find(number(w.on));
      if (slot < 0) continue;
      const at = { x: room.bodies.x[slot], y: room.bodies.y[slot], r: reach(room.kinds[room.bodies.kind[slot]]) };
      if (w.kind === 'tag') drawTag(arena, w, at);
      else if (w.kind === 'bar') drawBar(arena, w, at);
      else if (w.kind === 'arrow') drawArrow(arena, w, at);
      else arena.text(w.text ?? '', arena.camera.left(at.x + (w.away?.[0] ?? 0)), arena.camera.top(at.y + (w.away?.[1] ?? 0)), w.color || TEXT);
    }
    arena.scene?.flush();
  }
}

// number is the id of an object as the page knows it: 53 of its 64 bits.
export function number(id) { return Number(BigInt(`0x${id}`) & 0x1fffffffffffffn); }

function share(w) { return Math.min(Math.max((w.value ?? 0) / (w.most || 1), 0), 1); }

// arrange makes these elements the children of a box, and moves none that is in its place.
function arrange(box, elements) {
  elements.forEach((at, i) => { if (box.children[i] !== at) box.insertBefore(at, box.children[i] ?? null); });
  while (box.children.length > elements.length) box.lastChild.remove();
}

function style(at, name, value) { if (at.style[name] !== value) at.style[name] = value; }

function text(at, value) { if (at.textContent !== String(value ?? '')) at.textContent = value ?? ''; }

// parts makes an element have children with these tags.
function parts(at, ...tags) {
  if (at.children.length !== tags.length) at.replaceChildren(...tags.map((tag) => document.createElement(tag)));
}

function changeBar(box, w) {
  parts(box, 'i');
  style(box.children[0], 'width', `${100 * share(w)}%`);
  style(box.children[0], 'background', w.color ?? '');
}

// changeLines shows the last lines of a list. The first ones may be about to go. A line keeps its element while it
// moves up.
function changeLines(at, w) {
  const before = [...at.children];
  const all = (w.lines ?? []).map((value, i) => {
    const found = before.findIndex((p) => p.textContent === value);
    const p = found < 0 ? Object.assign(document.createElement('p'), { textContent: value }) : before.splice(0, found + 1).at(-1);
    p.classList.toggle('fading', i < (w.value ?? 0));
    return p;
  });
  arrange(at, all.slice(-(w.most || 8)));
}

function drawTag(arena, w, { x, y, r }) {
  const { camera, ctx } = arena;
  if (w.ring) arena.scene?.dot(x, y, r + 5 / camera.scale, Math.min(1, 2.5 / (camera.scale * r + 5)), (w.color && rgb(w.color)) ?? [1, 1, 1], 0.9);
  if (!w.text) return;
  ctx.font = `600 13px ${FONT}`;
  ctx.textBaseline = 'alphabetic';
  arena.text(w.text, camera.left(x), camera.top(y) - r * camera.scale - 9, w.color || TEXT);
}

function drawBar(arena, w, { x, y, r }) {
  const { ctx, camera } = arena;
  const width = Math.max(26, 2 * r * camera.scale), left = camera.left(x + (w.away?.[0] ?? 0)) - width / 2, top = camera.top(y + (w.away?.[1] ?? 0));
  ctx.fillStyle = 'rgb(10 14 19 / .85)';
  ctx.fillRect(left - 1, top - 1, width + 2, 6);
  ctx.fillStyle = w.color || BAR;
  ctx.fillRect(left, top, width * share(w), 4);
}

// drawArrow points from the border of the window to what is outside it.
function drawArrow(arena, w, { x, y }) {
  const { ctx, camera } = arena, edge = w.gap || 24;
  const left = camera.left(x), top = camera.top(y), cx = camera.width / 2, cy = camera.height / 2;
  const far = Math.max(Math.abs(left - cx) / Math.max(1, cx - edge), Math.abs(top - cy) / Math.max(1, cy - edge));
  if (far <= 1) return;
  ctx.save();
  ctx.translate(cx + (left - cx) / far, cy + (top - cy) / far);
  ctx.rotate(Math.atan2(top - cy, left - cx));
  ctx.fillStyle = w.color || '#ffd596';
  ctx.beginPath();
  ctx.moveTo(12, 0);
  ctx.lineTo(-8, 9);
  ctx.lineTo(-8, -9);
  ctx.fill();
  ctx.restore();
}

function drawMap(canvas, w, { arena }, { bodies, kinds, player }) {
  const ctx = canvas.getContext('2d'), scale = canvas.width / Math.max(arena.width, arena.height);
  canvas.height = Math.max(8, Math.round(arena.height * scale)); // also clears it
  for (let i = 0; i < bodies.top; i++) {
    const kind = bodies.live[i] && kinds[bodies.kind[i]];
    if (!kind || !(w.lines ?? []).includes(kind.class)) continue;
    const [r, g, b] = kind.paint.map((v) => Math.round(255 * v)), own = player !== 0 && bodies.owner[i] === player;
    ctx.fillStyle = own ? '#fff' : `rgb(${r} ${g} ${b})`;
    ctx.beginPath();
    ctx.arc(canvas.width / 2 + bodies.x[i] * scale, canvas.height / 2 - bodies.y[i] * scale, own ? 3.5 : 2.5, 0, 2 * Math.PI);
    ctx.fill();
  }
}
