// The inspector: it asks the host for its report and its view twice a second, and
// shows them. It changes nothing.

import { at, draw, get, row, showTables } from "./room.js";
import { headers, token } from "/token.js";

// figures of the report, with a name and a unit for people.
const figures = [
  ["Room", [
    ["tick", (r) => r.tick, ""], ["tick rate", (r) => r.tick_rate, "Hz"], ["running", (r) => r.seconds, "s"],
    ["committed up to", (r) => r.confirmed.last_tick, ""], ["hash of that tick", (r) => r.confirmed.last_hash, ""],
    ["history", (r) => r.history_bytes / 1e6, "MB"], ["bundle", (r) => r.bundle, ""],
    ["players", (r) => r.players, ""], ["onlookers", (r) => r.onlookers, ""],
  ]],
  ["Tick", [
    ["median", (r) => r.tick_ms.p50, "ms"], ["99th percentile", (r) => r.tick_ms.p99, "ms"], ["longest", (r) => r.tick_ms.max, "ms"],
    ["started late", (r) => r.late_ticks, "ticks"], ["skipped", (r) => r.skipped_ms, "ms"],
  ]],
  ["Inputs", [
    ["on time", (r) => r.inputs.on_time, ""], ["early, held", (r) => r.inputs.early_held, ""], ["late, rewound", (r) => r.inputs.late_rewound, ""],
    ["substituted", (r) => r.inputs.substituted, ""], ["duplicate", (r) => r.inputs.duplicate, ""],
    ["dropped, too old", (r) => r.inputs.dropped_old, ""], ["refused", (r) => r.inputs.refused, ""],
    ["view time refused", (r) => r.inputs.seen_refused, ""],
  ]],
  ["Rewinds", [
    ["rewinds", (r) => r.rewinds.count, ""], ["deepest", (r) => r.rewinds.ticks.max, "ticks"], ["99th percentile", (r) => r.rewinds.ms.p99, "ms"],
    ["simulated again", (r) => r.rewinds.objects_rerun, "object-ticks"], ["corrections sent", (r) => r.corrections.count, ""],
  ]],
  ["Network and scripts", [
    ["in", (r) => r.bytes_per_s.in / 1000, "kB/s"], ["out", (r) => r.bytes_per_s.out / 1000, "kB/s"],
    ["round trip", (r) => r.rtt_ms.p50, "ms"], ["script errors", (r) => r.script_errors, ""],
  ]],
];

function showReport(r) {
  at("game").textContent = r.game;
  at("figures").replaceChildren(...figures.flatMap(([title, list]) => {
    const h = document.createElement("h2");
    h.textContent = title;
    const table = document.createElement("table");
    table.append(...list.map(([name, of, unit]) => row([[name], [of(r), "n"], [unit, "unit"]])));
    return [h, table];
  }));
}

// showHooks lists the cost of hooks, the most expensive first.
function showHooks(classes) {
  const hooks = Object.entries(classes ?? {}).flatMap(([name, of]) => Object.entries(of).map(([hook, p]) => ({ name, hook, ...p })));
  hooks.sort((a, b) => b.instructions - a.instructions);
  at("hooks").tBodies[0].replaceChildren(...hooks.map((p) => row([[p.name], [p.hook], [p.calls, "n"], [p.reruns, "n"],
    [(p.instructions / (p.calls + p.reruns)).toFixed(1), "n"], [p.ms.toFixed(1), "n"]])));
}

// showProblems lists what is wrong with the scripts. rate is in ticks a second.
function showProblems(list, rate) {
  at("problems").hidden = list.length === 0;
  at("problems").tBodies[0].replaceChildren(...list.map((p) => row([[p.kind, p.kind], [p.text],
    [p.class && p.hook ? `${p.class}:${p.hook}, object ${p.object}${othersOf(p)}, tick ${p.tick}${p.until ? `, paused until tick ${p.until} (for ${Math.round((p.until - p.tick) / rate)} s)` : ""}` : p.hook ?? ""]])));
}

// othersOf says of how many other objects the hook of a problem is paused.
function othersOf(p) {
  if (!p.others) return "";
  return p.others === 1 ? " and 1 other" : ` and ${p.others} others`;
}

function counted(n, what) {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

async function refresh() {
  try {
    const [report, view, problems] = await Promise.all([get("api/report"), get("api/view"), get("api/problems")]);
    showReport(report);
    showProblems(problems, report.tick_rate);
    showHooks(report.classes);
    showTables(view);
    draw(view);
    at("dot").className = "good";
    at("status").textContent = `${counted(report.players, "player")}, ${counted(report.objects, "object")}`;
  } catch (err) {
    at("dot").className = "bad";
    at("status").textContent = "no answer from the host: " + err.message;
  }
  setTimeout(refresh, 500);
}

// A link sends no token: what it leads to is fetched, and shown.
if (token) {
  for (const link of document.querySelectorAll("footer a")) {
    link.addEventListener("click", async (event) => {
      event.preventDefault();
      const answer = await fetch(link.href, { headers });
      location.assign(URL.createObjectURL(await answer.blob()));
    });
  }
}

refresh();
