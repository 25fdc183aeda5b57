// The panels around the arena: figures, status, key help, chat, notices.

const EVERY = 100; // ms between changes of the figures: nobody can read faster ones
const CHAT_SHOWN = 9000; // ms
const CHAT_KEPT = 8; // lines
const MOVE_SHOWN = 8000; // ms
const MOVES_KEPT = 3;

const $ = (id) => document.getElementById(id);

export class Hud {
  constructor() {
    this.figuresAt = 0;
    this.helpFor = '';
  }

  figures(view, now) {
    if (now - this.figuresAt < EVERY) return;
    this.figuresAt = now;
    set('hud-tick', view.tick);
    set('hud-rtt', view.rtt > 0 ? `${view.rtt < 9.95 ? view.rtt.toFixed(1) : Math.round(view.rtt)} ms` : '–');
    set('hud-lead', `${view.lead.toFixed(1)} ticks`);
    set('hud-rewinds', view.rewinds);
    set('hud-corrections', view.corrections);
    set('hud-repredictions', view.repredictions);
  }

  info(info) {
    set('game', info.game || 'Hindcast');
    document.title = info.game ? `${info.game} · Hindcast` : 'Hindcast';
    set('status', info.status);
    set('hud-players', info.players.length);
    $('players-cell').title = info.players.map((p) => p.name || `player ${p.id}`).join(', ');
    this.help(info.help ?? []);
  }

  // state shows the state of the connection and of the game.
  state(line, info) {
    const playing = line === 'open' && info?.stage === 'playing';
    const light = $('light');
    light.classList.toggle('good', playing);
    light.classList.toggle('bad', line !== 'open' || Boolean(info?.over));
    if (line !== 'open') set('status', line === 'ended' ? 'ended' : 'not connected');
    const [title, text] = notice(line, info);
    $('notice').hidden = !title;
    set('notice-title', title);
    set('notice-text', text);
  }

  help(rows) {
    const pads = Boolean(navigator.getGamepads?.().some((p) => p));
    const key = JSON.stringify(rows) + pads;
    if (key === this.helpFor) return;
    this.helpFor = key;
    const items = rows.map((row) => item(row.keys.filter((k) => pads || !k.includes('pad:')), words(row.what)));
    $('help').replaceChildren(...items, item(['enter'], 'chat'));
  }

  chat(from, text) {
    const line = document.createElement('p');
    if (from) {
      const who = document.createElement('b');
      who.textContent = from;
      line.append(who);
    }
    line.append(text);
    const chat = $('chat');
    chat.append(line);
    while (chat.children.length > CHAT_KEPT) chat.firstChild.remove();
    setTimeout(() => line.classList.add('old'), CHAT_SHOWN);
  }

  // moved shows why this player's object was moved.
  moved(kind, text) {
    const line = document.createElement('p');
    line.className = kind;
    line.textContent = text;
    const moves = $('moves');
    moves.append(line);
    while (moves.children.length > MOVES_KEPT) moves.firstChild.remove();
    setTimeout(() => line.remove(), MOVE_SHOWN);
  }

  clearChat() { $('chat').replaceChildren(); }
}

function notice(line, info) {
  if (line === 'ended') return ['The client has ended', 'Start it again: this page reconnects by itself.'];
  if (line === 'lost') return ['The connection to the client is lost', 'Reconnecting …'];
  if (info?.over) return ['The game is over', info.status];
  if (info && info.stage !== 'playing' && info.stage !== 'running') return [`${capital(info.status)} …`, ''];
  return ['', ''];
}

function set(id, value) {
  const at = $(id), text = String(value);
  if (at.textContent !== text) at.textContent = text;
}

const LABELS = {
  arrowleft: '←', arrowright: '→', arrowup: '↑', arrowdown: '↓', 'mouse:left': 'click', 'mouse:right': 'right click',
  'mouse:dx': 'mouse ↔', 'mouse:dy': 'mouse ↕',
  enter: 'enter', escape: 'esc', control: 'ctrl',
};

export function label(key) {
  const name = key.replace(/^-/, '');
  return LABELS[name] ?? (name.startsWith('pad:') ? `pad ${name.slice(4).toUpperCase()}` : name.length === 1 ? name.toUpperCase() : name);
}

function item(keys, what) {
  const li = document.createElement('li');
  for (const key of keys.slice(0, 4)) {
    const cap = document.createElement('kbd');
    cap.textContent = label(key);
    li.append(cap);
  }
  const name = document.createElement('span');
  name.textContent = what;
  li.append(name);
  return li;
}

// words makes "turn left" of turnLeft and TurnLeft.
export function words(name) {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ').toLowerCase();
}

function capital(s) { return s.charAt(0).toUpperCase() + s.slice(1); }
