// A replay, one tick at a time. The tick is part of the page's address, so that a
// link to it can be shared. Arrow keys step by a tick, with shift by a second.

import { drawCues, takeCues } from "./cues.js";
import { at, get, row, showView } from "./room.js";

const info = await get("api/replay");
const wanted = new URLSearchParams(location.search).get("tick");
let tick = clamp(wanted === null ? info.first : Number(wanted));
let playing = false, asking = false;
let showed = 0; // the tick that was shown last
window.seen = 0; // for tests: effects drawn so far

function clamp(t) {
  return Math.min(Math.max(Math.round(t) || info.first, info.first), info.last);
}

function showBodies(bodies) {
  const all = bodies.filter((b) => b.Class !== "Wall").sort((a, b) => (b.Owner > 0) - (a.Owner > 0));
  at("bodies").tBodies[0].replaceChildren(...all.map((b) =>
    row([[b.ID], [b.Owner ? `${b.Class} of ${b.Owner}` : b.Class], [b.X.toFixed(2), "n"], [b.Y.toFixed(2), "n"], [Math.hypot(b.VX, b.VY).toFixed(1), "n"]])));
}

// show asks for the tick, and again if another one is wanted when the answer comes.
async function show() {
  if (asking) return;
  asking = true;
  try {
    let shown;
    do {
      shown = tick;
      const v = await get(`api/view?tick=${shown}&from=${showed}`);
      takeCues(v.Cues);
      window.seen += drawCues(showView(v), shown, info.tick_rate);
      showed = shown;
      showBodies(v.Bodies ?? []);
    } while (shown !== tick);
    at("dot").className = "good";
    at("status").textContent = `tick ${shown} of ${info.last}, ${(shown / info.tick_rate).toFixed(2)} s` +
      (shown > info.final ? ", not committed when the host stopped" : "");
  } catch (err) {
    at("dot").className = "bad";
    at("status").textContent = err.message;
    playing = false;
  }
  asking = false;
}

function go(t) {
  tick = clamp(t);
  at("scrub").value = at("tick").value = tick;
  history.replaceState(null, "", `?tick=${tick}`);
  show();
}

// frame plays in real time, or as fast as the host answers.
let last = 0;
function frame(now) {
  if (!playing) return;
  const ticks = Math.floor((now - last) * info.tick_rate / 1000);
  if (ticks > 0 && !asking) {
    last = now;
    go(tick + Math.min(ticks, info.tick_rate));
    if (tick === info.last) setPlaying(false);
  }
  requestAnimationFrame(frame);
}

function setPlaying(on) {
  playing = on;
  at("play").textContent = on ? "pause" : "play";
  if (on) {
    last = performance.now();
    requestAnimationFrame(frame);
  }
}

at("game").textContent = info.game;
for (const id of ["scrub", "tick"]) {
  at(id).min = info.first;
  at(id).max = info.last;
  at(id).addEventListener("input", () => go(Number(at(id).value)));
}
at("play").addEventListener("click", () => setPlaying(!playing));
at("controls").addEventListener("submit", (e) => e.preventDefault());
addEventListener("keydown", (e) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (!step) return;
  e.preventDefault();
  go(tick + step * (e.shiftKey ? info.tick_rate : 1));
});
go(tick);
