// A replay, drawn by the modules of the game page. The tick is part of the page's address, so that a
// link to it can be shared. Arrow keys step by a tick, with shift by a second.

import { Arena } from "./page/draw.js";
import { AT_ONCE, Effects } from "./page/effects.js";
import { Room } from "./page/room.js";
import { Playhead } from "./playhead.js";
import { at, get, row, showTables } from "./room.js";

const info = await get("api/replay");
const wanted = new URLSearchParams(location.search).get("tick");
const head = new Playhead(info);
const arena = new Arena(at("arena"), at("texts"));
const room = new Room();
const effects = new Effects();
room.motion = head;
head.go(wanted === null ? info.first : Number(wanted));
let asking = false;
let shown = -1; // the tick that is shown; -1: none
let kinds = ""; // which kinds the room knows
let names = ""; // of the players in the list
const look = new URLSearchParams(location.search).get("look") === "first" ? "&look=first" : ""; // which view.lua

// For tests and for the console.
window.hindcast = { room, arena, effects, get drawn() { return room.list(room.bodies.x, room.bodies.y, room.bodies.angle).bodies; } };

// ask asks for the tick that is needed, and again if another one is needed when the answer comes.
async function ask() {
  if (asking) return;
  asking = true;
  try {
    while (shown !== head.needed) {
      const tick = head.needed, next = shown >= info.first && tick > shown && tick - shown <= info.tick_rate;
      take(await get(`api/view?tick=${tick}&from=${next ? shown : tick}&kinds=${kinds}${look}`), tick, next);
    }
    at("dot").className = "good";
  } catch (err) {
    at("dot").className = "bad";
    at("status").textContent = err.message;
    setPlaying(false);
  }
  asking = false;
}

// take shows the answer for a tick. next: it follows the one before, as in the match.
function take(v, tick, next) {
  if (!next) {
    effects.reset();
    arena.trails.reset();
    head.reset();
  }
  shown = tick;
  kinds = v.Room.Kinds;
  const players = (v.Players ?? []).map((p) => ({ id: p.ID, name: p.Name }));
  room.take({ t: "info", stage: v.Stage, status: v.Status, game: v.Game, player: Number(at("follow").value), rate: info.tick_rate, players });
  arena.camera.setArena(v.Width, v.Height);
  for (const text of v.Room.Texts ?? []) room.take(text);
  room.view(Uint8Array.from(atob(v.Room.Frame), (c) => c.charCodeAt(0)).buffer, 0);
  for (const c of v.Cues ?? []) effects.take({ what: "fired", key: c.Key, age: ms(tick - c.Tick), effects: c.Effects?.filter((e) => !AT_ONCE.includes(e.kind)) }, ms(tick));
  showTables(v);
  showBodies(v.Bodies ?? []);
  offer(players);
  at("status").textContent = `tick ${tick} of ${info.last}, ${(tick / info.tick_rate).toFixed(2)} s` +
    (tick > info.final ? ", not committed when the host stopped" : "");
}

const ms = (ticks) => ticks * 1000 / info.tick_rate;

function showBodies(bodies) {
  const all = bodies.filter((b) => b.Class !== "Wall").sort((a, b) => (b.Owner > 0) - (a.Owner > 0));
  at("bodies").tBodies[0].replaceChildren(...all.map((b) =>
    row([[b.ID], [b.Owner ? `${b.Class} of ${b.Owner}` : b.Class], [b.X.toFixed(2), "n"], [b.Y.toFixed(2), "n"], [Math.hypot(b.VX, b.VY).toFixed(1), "n"]])));
}

// offer lists the players whom the camera can follow.
function offer(players) {
  const list = JSON.stringify(players), select = at("follow"), chosen = select.value;
  if (list === names) return;
  names = list;
  select.replaceChildren(new Option("nobody", 0), ...players.map((p) => new Option(p.name || `player ${p.id}`, p.id)));
  select.value = players.some((p) => String(p.id) === chosen) ? chosen : "0";
}

function go(t) {
  head.go(t);
  mark();
  ask();
}

// mark shows the tick of the playhead in the controls and in the address.
function mark() {
  at("scrub").value = at("tick").value = head.tick;
  const address = new URLSearchParams(location.search);
  address.set("tick", head.tick);
  history.replaceState(null, "", `?${address}`);
}

function setPlaying(on) {
  if (on) head.play(performance.now());
  else head.stop();
  at("play").textContent = on ? "pause" : "play";
  mark();
  ask();
}

function frame(now) {
  if (head.playing) {
    if (head.move(now, shown)) setPlaying(false); // at the end
    else mark();
    ask();
  }
  if (room.figures) {
    const time = ms(head.at);
    room.move(time);
    arena.camera.shaken = effects.shake(time);
    arena.draw(room, null, time);
    effects.draw(arena, time);
  }
  requestAnimationFrame(frame);
}

at("game").textContent = info.game;
for (const id of ["scrub", "tick"]) {
  at(id).min = info.first;
  at(id).max = info.last;
  at(id).addEventListener("input", () => go(Number(at(id).value)));
}
at("play").addEventListener("click", () => setPlaying(!head.playing));
at("follow").addEventListener("change", () => { room.info.player = Number(at("follow").value); });
at("controls").addEventListener("submit", (e) => e.preventDefault());
addEventListener("keydown", (e) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (!step) return;
  e.preventDefault();
  go(head.tick + step * (e.shiftKey ? info.tick_rate : 1));
});
go(head.tick);
requestAnimationFrame(frame);
