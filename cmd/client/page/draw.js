// Draws the arena: bodies with WebGL (scene.js) or, without it, on a canvas (paper.js), and the texts over them on a canvas of its own.

import { Camera } from './camera.js';
import { rgb } from './colors.js';
import { Paper } from './paper.js';
import { Scene } from './scene.js';
import { reach } from './shapes.js';
import { Trails } from './trails.js';
import { number } from './widgets.js';

const FONT = 'system-ui, "Segoe UI", "Liberation Sans", sans-serif';
const ROPE = '#c8b98f';
const GLOW = '#ffd696';
const NO_ASSETS = { texture: () => null, image: () => null }; // what a replay has: shapes stand for images
const NOTHING = new Set();
const HIGHLIGHTED = 3, PLAYERS = 2, NOBODYS = 1, WALL = 0;

export class Arena {
  // ground and texts are canvases of the size of the window. assets are those of the game.
  constructor(ground, texts, assets = NO_ASSETS) {
    this.ground = ground;
    this.assets = assets;
    this.tiles = []; // tile maps
    this.texts = texts;
    this.camera = new Camera();
    this.trails = new Trails();
    this.ships = new Map(); // by player: the slot of the largest body that they own
    this.ctx = texts.getContext('2d');
    this.begin();
    ground.addEventListener('webglcontextlost', (e) => { e.preventDefault(); this.scene = null; });
    ground.addEventListener('webglcontextrestored', () => this.begin());
    new ResizeObserver(() => this.resize()).observe(ground);
    this.resize();
  }

  // begin makes what is drawn with. Without WebGL2 that is a plain canvas.
  begin() {
    const gl = this.ground.getContext('webgl2', { alpha: false, antialias: true });
    this.scene = gl ? new Scene(gl, this.assets) : new Paper(this.ground.getContext('2d', { alpha: false }), this.assets);
    this.generation = (this.generation ?? 0) + 1; // shapes have to be sent anew
  }

  // ownAt is where the player's object is drawn, { x, y } in metres; null: there is none.
  ownAt({ bodies, player }) {
    const own = this.ships.get(player);
    return own === undefined ? null : { x: bodies.x[own], y: bodies.y[own] };
  }

  // keepFree keeps CSS pixels free at the bottom, left and right, for controls on the screen, above the arena for the
  // HUD of an upright window, and what the screen does not show. above is where that HUD ends.
  keepFree(free, above) {
    const { style } = document.body, safe = safeArea();
    for (const [side, pixels] of Object.entries(free)) style.setProperty(`--touch-${side}`, `${pixels}px`);
    const hud = innerHeight > innerWidth ? Math.max(0, above - safe.top - this.camera.bars[0]) : 0;
    this.camera.keepFree({ top: safe.top + hud, bottom: free.bottom + safe.bottom, left: free.left + safe.left, right: free.right + safe.right });
  }

  resize() {
    const ratio = window.devicePixelRatio || 1, width = this.ground.clientWidth, height = this.ground.clientHeight;
    for (const canvas of [this.ground, this.texts]) {
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
    }
    this.camera.resize(width, height, ratio);
  }

  // draw shows bodies where they are drawn now. room is a Room; plan is the camera of view.lua, or null; tagged are the
  // objects that have another text than the name of their player.
  draw(room, plan, now, tagged = NOTHING) {
    const { bodies, kinds, player } = room;
    this.findShips(bodies, kinds);
    const own = this.ships.get(player);
    if (plan) this.camera.follow(plan, followed(bodies, plan, room.motion.seconds), now);
    else this.camera.followOwn(own === undefined ? null : { x: bodies.x[own], y: bodies.y[own], reach: reach(kinds[bodies.kind[own]]) });
    const { ctx, camera } = this;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.texts.width, this.texts.height);
    ctx.setTransform(camera.ratio, 0, 0, camera.ratio, 0, 0);
    ctx.lineJoin = 'round';
    ctx.textAlign = 'center';
    if (this.scene) this.drawBodies(this.scene, room, own, now);
    this.drawNames(room, tagged);
    this.drawLabels(room);
  }

  drawBodies(scene, { bodies, kinds, ropes, player }, own, now) {
    const { camera } = this;
    if (this.generation !== this.sent) {
      for (const kind of kinds) kind.mesh = undefined;
      this.sent = this.generation;
    }
    scene.start(camera);
    scene.sprites.drawTiles(scene.view, this.tiles);
    this.trails.draw(scene, this.ships, bodies, kinds, camera.scale, now);
    this.drawRopes(scene, bodies, ropes);
    if (own !== undefined) {
      const glow = Math.max(reach(kinds[bodies.kind[own]]) * 3.2, 26 / camera.scale);
      scene.dot(bodies.x[own], bodies.y[own], glow, 0, rgb(GLOW), 0.3);
    }
    scene.flush();
    const { owner, kind } = bodies;
    const mine = (i) => player !== 0 && owner[i] === player;
    for (const layer of layersOf(kinds)) {
      const here = (i) => (kinds[kind[i]].layer ?? 0) === layer;
      scene.draw(bodies, kinds, (i) => (!here(i) || mine(i) ? -1 : kinds[kind[i]].wall ? WALL : owner[i] ? PLAYERS : NOBODYS), now);
      scene.draw(bodies, kinds, (i) => (!here(i) || !mine(i) ? -1 : i === own ? HIGHLIGHTED : PLAYERS), now);
    }
  }

  // findShips finds each player's ship: the largest body that the player owns.
  findShips(bodies, kinds) {
    const { ships } = this, { live, owner, kind, top } = bodies;
    ships.clear();
    for (let i = 0; i < top; i++) {
      if (!live[i] || owner[i] === 0) continue;
      const other = ships.get(owner[i]);
      if (other === undefined || reach(kinds[kind[i]]) > reach(kinds[kind[other]])) ships.set(owner[i], i);
    }
  }

  // drawRopes draws the joints that tie bodies, between the drawn bodies.
  drawRopes(scene, bodies, ropes) {
    this.roped = 0; // for tests
    const width = Math.max(1.5 / this.camera.scale, 0.07);
    for (const { a, b, ax, ay, bx, by } of ropes) {
      const from = end(bodies, a, ax, ay), to = b === 0 ? { x: bx, y: by } : end(bodies, b, bx, by);
      if (!from || !to) continue; // one of the bodies was just added or removed
      scene.line(from.x, from.y, to.x, to.y, width, rgb(ROPE), 1);
      this.roped++;
    }
  }

  drawNames({ bodies, kinds, names, player }, tagged) {
    const { ctx, camera } = this;
    ctx.textBaseline = 'alphabetic';
    this.named = 0; // for tests
    for (const [owner, slot] of this.ships) {
      if (tagged.has(bodies.id[slot])) continue;
      this.named++;
      const own = owner === player, r = reach(kinds[bodies.kind[slot]]) * camera.scale;
      const left = camera.left(bodies.x[slot]), top = camera.top(bodies.y[slot]) - r - (bodies.bar[slot] >= 0 ? 10 : 7);
      ctx.font = `${own ? 600 : 400} 12px ${FONT}`;
      this.text(names.get(owner) || `player ${owner}`, left, top, own ? '#ffd596' : '#aebac5');
    }
  }

  // drawLabels draws the labels of looks under bodies, and bars above them: below
  // the name, if there is one.
  drawLabels({ bodies, kinds, labels }) {
    const { ctx, camera } = this, { live, kind, bar, top } = bodies;
    ctx.textBaseline = 'top';
    ctx.font = `400 12px ${FONT}`;
    for (let i = 0; i < top; i++) {
      if (!live[i]) continue;
      const text = (labels.size && labels.get(bodies.id[i])) || kinds[kind[i]].label;
      if (!text && !(bar[i] >= 0)) continue;
      const left = camera.left(bodies.x[i]), middle = camera.top(bodies.y[i]), r = reach(kinds[kind[i]]) * camera.scale;
      if (text) this.text(text, left, middle + r + 4, '#aebac5');
      if (!(bar[i] >= 0)) continue;
      const width = Math.max(24, r * 1.6);
      ctx.fillStyle = 'rgb(10 14 19 / .85)';
      ctx.fillRect(left - width / 2 - 1, middle - r - 6, width + 2, 5);
      ctx.fillStyle = bar[i] > 0.5 ? '#7fbf8a' : bar[i] > 0.25 ? '#e0b25c' : '#d9705f';
      ctx.fillRect(left - width / 2, middle - r - 5, width * bar[i], 3);
    }
  }

  // text draws a text that can be read over anything.
  text(text, left, top, color) {
    const { ctx } = this;
    ctx.strokeStyle = 'rgb(10 14 19 / .85)';
    ctx.lineWidth = 3;
    ctx.strokeText(text, left, top);
    ctx.fillStyle = color;
    ctx.fillText(text, left, top);
  }
}

// safeArea returns how many CSS pixels at each side of the window the screen does not show, such as those behind a camera.
function safeArea() {
  const style = getComputedStyle(document.body), of = (side) => parseFloat(style.getPropertyValue(`padding-${side}`)) || 0;
  return { top: of('top'), bottom: of('bottom'), left: of('left'), right: of('right') };
}

// layersOf returns the layers of all kinds, the lowest first.
function layersOf(kinds) {
  if (kinds.layersOf !== kinds.at(-1)) {
    kinds.layers = [...new Set(kinds.map((k) => k.layer ?? 0))].sort((a, b) => a - b);
    kinds.layersOf = kinds.at(-1);
  }
  return kinds.layers ?? [];
}

// followed returns the bodies that the camera follows. seconds is how long it took from the view before.
function followed(bodies, { follow, shares }, seconds) {
  const list = [];
  follow.forEach((id, i) => {
    const slot = bodies.find(typeof id === 'number' ? id : number(id));
    if (slot < 0) return;
    const speed = seconds > 0 ? 1 / seconds : 0;
    list.push({ x: bodies.x[slot], y: bodies.y[slot], vx: (bodies.x1[slot] - bodies.x0[slot]) * speed, vy: (bodies.y1[slot] - bodies.y0[slot]) * speed, share: shares[i] });
  });
  const sum = list.reduce((n, b) => n + b.share, 0) || 1;
  for (const b of list) b.share /= sum;
  return list;
}

// end converts a point in the frame of a body to the world; null: there is no such body.
function end(bodies, id, x, y) {
  const slot = bodies.find(id);
  if (slot < 0) return null;
  const c = Math.cos(bodies.angle[slot]), s = Math.sin(bodies.angle[slot]);
  return { x: bodies.x[slot] + c * x - s * y, y: bodies.y[slot] + s * x + c * y };
}
