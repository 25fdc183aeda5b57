// What the pages share: a view of the room as tables, and as a drawing.

import { headers } from '/token.js';

export const at = (id) => document.getElementById(id);

const text = (v) => typeof v === "number" && !Number.isInteger(v) ? v.toPrecision(3) : String(v);

export function row(cells) {
  const tr = document.createElement("tr");
  for (const [value, kind] of cells) {
    const td = document.createElement("td");
    td.textContent = text(value);
    if (kind) td.className = kind;
    tr.append(td);
  }
  return tr;
}

// showTables lists the objects and the players.
export function showTables(v) {
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
}

// draw draws the bodies.
export function draw(v) {
  const bodies = v.Bodies ?? [];
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

export async function get(path) {
  const answer = await fetch(path, { headers });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
