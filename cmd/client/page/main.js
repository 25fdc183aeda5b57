// The game page: it shows what the client predicts, and sends the player's keys
// back. It knows no rules of any game.

import { Arena } from './draw.js';
import { Effects } from './effects.js';
import { Hud } from './hud.js';
import { Keys } from './keys.js';
import { Line } from './line.js';
import { Motion } from './motion.js';
import { Touch } from './touch.js';

const canvas = document.getElementById('arena');
const form = document.getElementById('say');
const input = document.getElementById('line');

const arena = new Arena(canvas);
const motion = new Motion();
const effects = new Effects();
const hud = new Hud();
let state = 'connecting'; // of the connection to the client: then open, lost or ended

const line = new Line({
  open() {
    state = 'open';
    hud.clearChat(); // the client sends the last lines again
    motion.reset();
    effects.reset();
    hud.state(state, line.info);
    keys.again();
  },
  lost(ended) {
    state = ended || state === 'ended' ? 'ended' : 'lost';
    hud.state(state, line.info);
  },
  info(info) {
    arena.setSize(info.width, info.height);
    hud.info(info);
    hud.state(state, info);
    keys.bound = new Set(info.help?.flatMap((row) => row.keys) ?? []);
    touch.show(info.help ?? []);
  },
  chat(from, text) { hud.chat(from, text); },
  moved(kind, text) { hud.moved(kind, text); },
  cue(cue) { effects.take(cue, performance.now()); },
  view(view) {
    window.hindcast.view = view;
    motion.push(view, performance.now());
  },
});

const keys = new Keys(canvas, (message) => line.send(message), (x, y) => arena.toWorld(x, y));
const touch = new Touch(keys);

// For tests and for the console: the newest view, what is drawn now, and the effects of cues.
window.hindcast = { view: null, drawn: [], effects };

function frame(now) {
  keys.frame();
  const poses = motion.at(now);
  const view = motion.newest();
  arena.draw(poses, view, now);
  effects.draw(arena, now);
  if (view) hud.figures(view, now);
  window.hindcast.drawn = poses;
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
  if (e.key === 'Enter' && form.hidden) {
    e.preventDefault();
    type(true);
  } else if (e.key === 'Escape' && !form.hidden) {
    type(false);
  }
});
form.addEventListener('submit', (e) => {
  e.preventDefault();
  const text = input.value.trim();
  if (text) line.send({ t: 'say', text });
  type(false);
});
input.addEventListener('blur', () => { if (!form.hidden) type(false); });
canvas.focus();
