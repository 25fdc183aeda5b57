// The inspector: asks the host for its report and its view twice a second and
// shows them. It changes nothing.

const at = (id) => document.getElementById(id);

// figures: what the report holds, with a name and a unit for people.
const figures = [
  ["Room", [
    ["tick", (r) => r.tick, ""], ["tick rate", (r) => r.tick_rate, "Hz"], ["running", (r) => r.seconds, "s"],
    ["confirmed to", (r) => r.confirmed.last_tick, ""], ["hash there", (r) => r.confirmed.last_hash, ""],
    ["history", (r) => r.history_bytes / 1e6, "MB"], ["bundle", (r) => r.bundle, ""],
  ]],
  ["Tick", [
    ["half below", (r) => r.tick_ms.p50, "ms"], ["99 % below", (r) => r.tick_ms.p99, "ms"], ["longest", (r) => r.tick_ms.max, "ms"],
    ["began late", (r) => r.late_ticks, "ticks"], ["given up", (r) => r.skipped_ms, "ms"],
  ]],
  ["Inputs", [
    ["on time", (r) => r.inputs.on_time, ""], ["early, held", (r) => r.inputs.early_held, ""], ["late, rewound", (r) => r.inputs.late_rewound, ""],
    ["substituted", (r) => r.inputs.substituted, ""], ["duplicate", (r) => r.inputs.duplicate, ""],
    ["dropped, too old", (r) => r.inputs.dropped_old, ""], ["refused", (r) => r.inputs.refused, ""],
  ]],
  ["Rewinds", [
    ["rewinds", (r) => r.rewinds.count, ""], ["deepest", (r) => r.rewinds.ticks.max, "ticks"], ["99 % below", (r) => r.rewinds.ms.p99, "ms"],
    ["objects again", (r) => r.rewinds.objects_rerun, "object-ticks"], ["corrections sent", (r) => r.corrections.count, ""],
  ]],
  ["Network and scripts", [
    ["in", (r) => r.bytes_per_s.in / 1000, "kB/s"], ["out", (r) => r.bytes_per_s.out / 1000, "kB/s"],
    ["round trip", (r) => r.rtt_ms.p50, "ms"], ["script errors", (r) => r.script_errors, ""],
  ]],
];

const text = (v) => typeof v === "number" && !Number.isInteger(v) ? v.toPrecision(3) : String(v);

function row(cells) {
  const tr = document.createElement("tr");
  for (const [value, kind] of cells) {
    const td = document.createElement("td");
    td.textContent = text(value);
    if (kind) td.className = kind;
    tr.append(td);
  }
  return tr;
}

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

function showView(v) {
  const bodies = v.Bodies ?? [], players = v.Players ?? [];
  const classes = new Map();
  for (const b of bodies) {
    const c = classes.get(b.Class) ?? { count: 0, owned: 0, fastest: 0 };
    c.count++;
    c.owned += b.Owner ? 1 : 0;
    c.fastest = Math.max(c.fastest, Math.hypot(b.VX, b.VY));
    classes.set(b.Class, c);
  }
  at("objects").tBodies[0].replaceChildren(...[...classes].sort().map(([name, c]) =>
    row([[name], [c.count, "n"], [c.owned, "n"], [c.fastest.toFixed(1), "n"]])));
  at("players").tBodies[0].replaceChildren(...players.map((p) =>
    row([[p.ID], [p.Name], [bodies.filter((b) => b.Owner === p.ID).length, "n"]])));
  draw(v, bodies);
}

function draw(v, bodies) {
  const canvas = at("arena"), ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, scale = width / (v.Width + 4), height = (v.Height + 4) * scale;
  canvas.style.height = height + "px";
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const g = canvas.getContext("2d");
  g.setTransform(scale * ratio, 0, 0, -scale * ratio, canvas.width / 2, canvas.height / 2);
  for (const b of bodies) {
    g.save();
    g.translate(b.X, b.Y);
    g.rotate(b.Angle);
    g.fillStyle = b.Look.color || "#6b7a88";
    g.globalAlpha = b.Owner ? 1 : 0.6;
    g.beginPath();
    if (b.Shape.Count === 0) {
      g.arc(0, 0, b.Shape.Radius, 0, 2 * Math.PI);
    } else {
      for (const p of b.Shape.Points.slice(0, b.Shape.Count)) g.lineTo(p.X, p.Y);
    }
    g.fill();
    g.restore();
  }
}

async function get(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function refresh() {
  try {
    const [report, view] = await Promise.all([get("api/report"), get("api/view")]);
    showReport(report);
    showView(view);
    at("dot").className = "good";
    at("status").textContent = `${report.players} players, ${report.objects} objects`;
  } catch (err) {
    at("dot").className = "bad";
    at("status").textContent = "no answer: " + err.message;
  }
  setTimeout(refresh, 500);
}

refresh();
