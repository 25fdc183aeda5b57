// The panel that F3 shows: figures of the simulation, a graph of the line, why objects were displaced, and
// which line is simulated.

import { $, set } from './hud.js';

const EVERY = 100; // ms between changes of the figures
const SHOWN = 120; // points of the graph, one for each change
const MOST = 400; // ms at the top of the graph
const MOVES_KEPT = 4;
const SEEN = 0.02; // m: nobody sees that an object was displaced by less
const FPS_OVER = 1000; // ms over which frames are counted
const SELECTS = ['profile', 'menu-profile'], SLIDERS = ['line-delay', 'line-jitter', 'line-loss'];
const LINES = ['off', 'lan', 'average', 'bad', 'awful', 'burst'];

export class Debug {
  // send sends to the client; costs are the milliseconds of script of the last frames, gpu is the name of what
  // draws, and overlays are those over the game.
  constructor(send, costs, gpu, overlays) {
    set('hud-gpu', gpu);
    this.costs = costs;
    this.at = 0;
    this.points = []; // { rtt, rewound, corrected }
    this.last = null;
    this.delay = 0;
    this.frames = []; // when the last ones were displayed
    this.overlays = overlays;
    for (const select of SELECTS) $(select).addEventListener('change', () => send({ t: 'line', line: $(select).value }));
    for (const id of SLIDERS) $(id).addEventListener('input', () => send({ t: 'line', line: this.shaped() }));
    for (const [id, more] of [['delay-less', -1], ['delay-more', 1]]) {
      $(id).addEventListener('click', () => send({ t: 'delay', delay: Math.max(0, this.delay + more) }));
    }
    this.lines({ line: LINES[0] });
  }

  get shown() { return !$('debug').hidden; }
  toggle() { $('debug').hidden = this.shown; }

  info(info) {
    this.delay = info.delay;
    set('hud-delay', info.delay);
  }

  // lines offers the lines, one of which is simulated now: { line, delay, jitter, loss, rest }.
  lines({ line: now, delay = 0, jitter = 0, loss = 0, rest = '' }) {
    const names = LINES.includes(now) || !now ? LINES : [...LINES, now];
    for (const select of SELECTS) $(select).replaceChildren(...names.map((name) => new Option(name, name, false, name === now)));
    this.rest = rest;
    [delay, jitter, loss].forEach((value, i) => {
      if (document.activeElement !== $(SLIDERS[i])) $(SLIDERS[i]).value = value;
      document.querySelector(`output[for=${SLIDERS[i]}]`).textContent = `${value} ${i < 2 ? 'ms' : '%'}`;
    });
  }

  // shaped is the line that the sliders describe, as for -net. What they do not have stays as it is.
  shaped() {
    const [delay, jitter, loss] = SLIDERS.map((id) => Number($(id).value));
    const rest = loss > 0 && loss < 100 ? this.rest : this.rest.split(',').filter((part) => !part.startsWith('burst')).join(',');
    return [`delay=${delay}ms`, `jitter=${Math.min(jitter, delay)}ms`, `loss=${loss}%`, ...(rest ? [rest] : [])].join(',');
  }

  // displayed notes a displayed frame.
  displayed(now) {
    this.frames.push(now);
    while (this.frames[0] < now - FPS_OVER) this.frames.shift();
  }

  figures(figures, now) {
    if (now - this.at < EVERY) return;
    this.at = now;
    const last = this.last ?? figures;
    this.last = figures;
    this.points.push({ rtt: figures.rtt, rewound: figures.rewinds > last.rewinds, corrected: figures.corrections > last.corrections });
    if (this.points.length > SHOWN) this.points.shift();
    if (!this.shown) return;
    set('hud-tick', figures.tick);
    set('hud-rtt', figures.rtt > 0 ? `${figures.rtt.toFixed(1)} ms` : '–');
    set('hud-lead', `${figures.lead.toFixed(1)} ticks`);
    set('hud-rewinds', figures.rewinds);
    set('hud-corrections', figures.corrections);
    set('hud-repredictions', figures.repredictions);
    set('hud-fps', `${this.frames.length} /s`);
    set('overlay-text', this.overlays.text);
    const costs = this.costs.slice(-30);
    set('hud-frame', `${(costs.reduce((a, b) => a + b, 0) / Math.max(1, costs.length)).toFixed(1)} ms`);
    this.draw();
  }

  draw() {
    const canvas = $('graph'), ctx = canvas.getContext('2d'), { width, height } = canvas;
    const left = (i) => width * i / SHOWN, top = (ms) => height - 1 - (height - 12) * Math.min(ms, MOST) / MOST;
    ctx.clearRect(0, 0, width, height);
    ctx.fillStyle = '#556370';
    ctx.font = '10px system-ui, sans-serif';
    for (const ms of [100, 200, 400]) {
      ctx.fillRect(0, Math.round(top(ms)), width, 0.5);
      ctx.fillText(`${ms} ms`, 2, top(ms) + 10);
    }
    this.points.forEach(({ rewound, corrected }, i) => {
      if (!rewound && !corrected) return;
      ctx.fillStyle = corrected ? '#e5686c' : 'rgb(122 162 201 / .45)';
      ctx.fillRect(left(i), corrected ? 0 : height - 8, Math.max(1, width / SHOWN - 1), corrected ? height : 8);
    });
    ctx.strokeStyle = '#57c785';
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    this.points.forEach(({ rtt }, i) => ctx.lineTo(left(i), top(rtt)));
    ctx.stroke();
  }

  // displaced shows why this player's object was displaced, if a person can see that it was.
  displaced(kind, text, distance) {
    if (distance < SEEN && kind !== 'corrected') return;
    const line = document.createElement('p');
    line.className = kind;
    line.textContent = text;
    $('moves').prepend(line);
    while ($('moves').children.length > MOVES_KEPT) $('moves').lastChild.remove();
  }
}
