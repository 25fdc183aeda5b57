// Effects of a replay's cues. They are drawn by the tick that is shown: when the
// replay is paused, they stand still.

const shown = new Map(); // by key: { tick, effects }

export function takeCues(cues) {
  for (const c of cues ?? []) shown.set(c.Key, { tick: c.Tick, effects: (c.Effects ?? []).filter((e) => e.kind !== "sound") });
}

// drawCues draws the effects of a tick on g, whose units are metres with y up, and
// returns their number.
export function drawCues(g, tick, rate) {
  let count = 0;
  for (const [key, c] of shown) {
    const ms = (tick - c.tick) / rate * 1000;
    if (ms > 5000) shown.delete(key);
    for (const e of c.effects) {
      if (ms < 0 || ms >= e.ms) continue;
      count++;
      drawOne(g, e, ms / e.ms);
    }
  }
  return count;
}

function drawOne(g, e, part) {
  const out = 1 - (1 - part) ** 2;
  g.save();
  g.translate(e.x, e.y);
  g.globalAlpha = 1 - part;
  g.fillStyle = g.strokeStyle = "#888";
  if (e.color) g.fillStyle = g.strokeStyle = e.color;
  if (e.kind === "text") {
    g.scale(1, -1);
    g.font = `600 ${e.size}px sans-serif`;
    g.textAlign = "center";
    g.fillText(e.text ?? "", 0, -out * e.size);
  } else {
    g.lineWidth = Math.max(0.05, 0.12 * e.size * (1 - part));
    g.beginPath();
    g.arc(0, 0, (e.size / 2) * (0.2 + 0.8 * out), 0, 2 * Math.PI);
    g.stroke();
  }
  g.restore();
}
