// The game page: it shows what the client predicts, and sends the player's keys
// back. It knows no rules of any game.

import { Assets } from './assets.js';
import { Debug } from './debug.js';
import { Arena } from './draw.js';
import { Effects } from './effects.js';
import { Hud } from './hud.js';
import { InstantReplay } from './instant.js';
import { Keys } from './keys.js';
import { Line } from './line.js';
import { Menu } from './menu.js';
import { Overlays } from './overlays.js';
import { Room } from './room.js';
import { Touch } from './touch.js';
import { Widgets } from './widgets.js';

const canvas = document.getElementById('arena');
const form = document.getElementById('say');
const input = document.getElementById('line');

const assets = new Assets((list) => hud.lacks('asset', list));
const arena = new Arena(canvas, document.getElementById('texts'), assets);
const room = new Room();
const effects = new Effects((x, y) => heardAt(x, y), assets);
const instant = new InstantReplay(document.getElementById('instant'));
effects.replayed = instant;
const hud = new Hud();
const widgets = new Widgets(document.getElementById('hud'), () => free());
let judgeAt = 0; // when the page looks next whether it can show the colours of all objects
let state = 'connecting'; // of the connection to the client: then open, lost, ended or refused

const line = new Line({
  open() {
    state = 'open';
    hud.clearChat(); // the client sends the last lines again
    room.reset();
    widgets.above = 0;
    effects.reset();
    instant.reset();
    hud.state(state, room.info);
    keys.again();
    overlays.again();
    menu.again();
  },
  refused() {
    state = 'refused';
    hud.state(state, room.info);
  },
  lost(ended) {
    state = ended || state === 'ended' ? 'ended' : 'lost';
    if (ended) hud.ended = ended.why;
    hud.state(state, room.info);
  },
  message(message) {
    if (room.take(message)) {
      if (message.t === 'info') informed(message);
    } else if (message.t === 'chat') {
      hud.chat(message.from, message.text);
    } else if (message.t === 'move') {
      debug.displaced(message.kind, message.text, message.distance);
    } else if (message.t === 'errors') {
      hud.errors(message.list ?? []);
      hud.state(state, room.info);
    } else if (message.t === 'settings') {
      menu.chosen(message);
      hud.paused = Boolean(message.paused);
      hud.state(state, room.info);
      debug.lines(message);
    } else if (message.t === 'overlay') {
      overlays.take(message);
    } else if (message.t === 'assets') {
      assets.take(message.list);
    } else if (message.t === 'tiles') {
      arena.tiles = message.maps ?? [];
    } else if (message.t === 'hud') {
      widgets.show(message);
      menu.scores(message.scores ?? null);
    } else if (message.t === 'cue') {
      effects.take(message, performance.now());
    }
  },
  frame(buffer) {
    const now = performance.now();
    if (!room.info) return;
    room.view(buffer, now);
    if (now < judgeAt) return;
    judgeAt = now + 300;
    hud.lacks('color', room.uncolored());
  },
});

// heardAt says where a sound from a place is heard: full in the middle of the window, quieter away from it.
function heardAt(x, y) {
  const { width, height } = arena.camera, dx = (arena.camera.left(x) - width / 2) / width, dy = (arena.camera.top(y) - height / 2) / height;
  const pan = Math.max(-1, Math.min(1, 1.6 * dx)), near = 1 / (1 + 4 * (dx * dx + dy * dy));
  return { pan, near };
}

function informed(info) {
  arena.camera.setArena(info.width, info.height);
  hud.info(info);
  hud.state(state, info);
  debug.info(info);
  menu.info(info);
  keys.bound = new Set(info.help?.flatMap((row) => row.keys) ?? []);
  touch.show(info.help ?? []);
}

const keys = new Keys(canvas, (message) => line.send(message), (left, top) => arena.camera.toWorld(left, top));
const touch = new Touch(keys, () => arena.ownAt(room), () => free());
const free = () => arena.keepFree(touch.free, widgets.above);
const costs = []; // ms of script of the last displayed frames
const overlays = new Overlays((message) => line.send(message), [...document.querySelectorAll('[data-overlay]')]);
const debug = new Debug((message) => line.send(message), costs, arena.scene?.renderer ?? 'none', overlays);
const menu = new Menu((message) => line.send(message), effects.sounds, keys, () => canvas.focus());

// For tests and for the console: the newest view, what is drawn now, the effects of cues, and how many
// milliseconds of script displayed frames took.
window.hindcast = {
  effects, arena, assets, costs, widgets, instant, overlays, room,
  get view() { return room.figures && room.list(room.bodies.x1, room.bodies.y1, room.bodies.a1); },
  get drawn() { return room.figures ? room.list(room.bodies.x, room.bodies.y, room.bodies.angle).bodies : []; },
};

const COSTS = 600; // frames

function frame(now) {
  const began = performance.now();
  if (room.figures) {
    room.move(now);
    arena.camera.shaken = effects.shake(now);
    instant.keep(room, now);
    const past = instant.show(room, now);
    arena.draw(past ?? room, past ? instant.plan(widgets.camera) : widgets.camera, now, widgets.tagged);
    widgets.draw(arena, past ?? room);
    if (!past) effects.draw(arena, now);
    if (!past) overlays.draw(arena, room);
    hud.figures(room.figures, now);
    debug.figures(room.figures, now);
  }
  debug.displayed(now);
  touch.frame();
  keys.frame();
  if (room.info?.frames) line.send({ t: 'frame' }); // an object of the player runs once for each
  costs.push(performance.now() - began);
  if (costs.length > COSTS) costs.shift();
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);

// Enter opens the chat's input and sends it; Escape closes it.
function type(on) {
  form.hidden = !on;
  document.body.classList.toggle('typing', on);
  keys.setTyping(on);
  input.value = '';
  if (on) input.focus();
  else canvas.focus();
}

addEventListener('keydown', (e) => {
  if (e.key === 'F3') {
    e.preventDefault();
    debug.toggle();
  } else if (e.key === 'Enter' && form.hidden && !menu.open) {
    e.preventDefault();
    type(true);
  } else if (e.key === 'Escape' && !form.hidden) {
    type(false);
  }
});
document.getElementById('leave').addEventListener('click', () => line.send({ t: 'leave' }));
form.addEventListener('submit', (e) => {
  e.preventDefault();
  const text = input.value.trim();
  if (text) line.send({ t: 'say', text });
  type(false);
});
document.getElementById('open-chat').addEventListener('mousedown', (e) => e.preventDefault()); // the line keeps the focus, or it would close before the click
document.getElementById('open-chat').addEventListener('click', () => type(form.hidden));
input.addEventListener('blur', () => { if (!form.hidden) type(false); });
canvas.focus();
