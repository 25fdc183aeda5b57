// The cards over the game: the start screen, the settings, and who plays.

import { $, label, set, words } from './hud.js';
import { planOf } from './touch.js';
import { typed } from './typed.js';

const UNBOUND = ['mouse', 'wheel', 'mouse:dx', 'mouse:dy']; // movements are no keys

export class Menu {
  // send sends to the client, sounds are the page's, keys are the player's, and closed is called when the
  // game has the keyboard again.
  constructor(send, sounds, keys, closed) {
    Object.assign(this, { send, sounds, keys, closed, rows: [], players: '', started: false, waiting: null, answers: new Map() });
    $('open-menu').addEventListener('click', () => this.settings(true));
    $('open-scores').addEventListener('click', () => { $('scores').hidden = !$('scores').hidden; });
    $('close-menu').addEventListener('click', () => this.settings(false));
    $('play').addEventListener('click', () => this.start());
    for (const id of ['volume', 'muted']) {
      $(id).addEventListener('input', () => this.send({ t: 'sound', volume: Number($('volume').value), muted: $('muted').checked }));
    }
    $('reset-keys').addEventListener('click', () => { for (const row of this.rows) this.send({ t: 'bind', what: row.what, keys: [] }); });
    addEventListener('keydown', (e) => this.key(e), true);
    addEventListener('keyup', (e) => { if (e.key === 'Tab') $('scores').hidden = true; });
    keys.pressed = (button) => this.pad(button);
    $('arena').addEventListener('pointerdown', () => { if (!$('start').hidden && !this.asking) this.start(); });
  }

  // asking says whether there are questions to answer: then only the button closes the start screen, and Enter.
  get asking() { return (this.questions?.length ?? 0) > 0; }

  get open() { return !$('menu').hidden; }

  // info shows what the game asks for, and who plays.
  info(info) {
    set('start-game', info.game || 'Hindcast');
    this.offer(this.games, info.game);
    this.playing = info.players;
    this.player = info.player;
    this.ask(info.entry);
    if (info.stage === 'playing') this.begin(info);
    if (JSON.stringify(info.help) !== JSON.stringify(this.rows)) {
      this.rows = info.help ?? [];
      this.help();
      this.bindings();
    }
    this.list();
  }

  // begin shows the start screen to a player who has not joined, or has not answered. A player who has
  // closed it before, for a client that has ended meanwhile, joins at once.
  begin({ onlooker, entry }) {
    if (!this.started) $('start').hidden = !onlooker && !entry;
    else if (onlooker && !this.onlooker) this.send({ t: 'play' });
    this.onlooker = onlooker;
  }

  // ask shows the questions of the game; null: it asks none, or they have been answered. After the start screen was closed,
  // they come again only if the host has started again: then the answers are those of before.
  ask(start) {
    const text = JSON.stringify(start ?? null);
    if (text === this.asked) return;
    this.asked = text;
    this.questions = start ? [...(start.name ? [{ name: 'name', typed: true }] : []), ...(start.questions ?? [])] : null;
    set('start-note', start?.note ?? '');
    $('start-note').hidden = !start?.note;
    if (start && this.started) return this.enter();
    $('questions').replaceChildren(...(this.questions ?? []).map((q) => this.question(q)));
  }

  question(q) {
    if (q.typed) return typed(q.name, this.name, (text) => this.answers.set(q.name, text), (on) => this.keys.setTyping(on), () => this.start());
    const list = document.createElement('fieldset'), legend = document.createElement('legend');
    legend.textContent = words(q.name);
    list.append(legend, ...q.options.map((o) => {
      const button = document.createElement('button');
      button.textContent = words(o.name);
      button.dataset.answer = `${q.name}=${o.name}`;
      if (o.color) button.style.setProperty('--team', o.color);
      button.addEventListener('click', () => {
        const chosen = this.answers.get(q.name) === o.name;
        if (chosen) this.answers.delete(q.name); else this.answers.set(q.name, o.name);
        for (const b of list.querySelectorAll('button')) b.setAttribute('aria-pressed', String(b === button && !chosen));
      });
      return button;
    }));
    return list;
  }

  // enter sends the answers.
  enter() {
    if (this.onlooker) this.send({ t: 'play' });
    if (!this.asking) return;
    this.questions = null;
    const said = [...this.answers].filter(([, answer]) => answer).sort(([a], [b]) => (a === 'name') - (b === 'name')); // a name may have spaces
    this.send({ t: 'say', text: `/enter ${said.map(([name, answer]) => `${name}=${answer}`).join(' ') || '-'}` });
  }

  // scores takes the table that view.lua declares; null: there is none.
  scores(table) {
    this.table = table;
    this.list();
  }

  // list shows the players.
  list() {
    const players = JSON.stringify([this.playing, this.player, this.table]);
    if (players === this.players) return;
    this.players = players;
    if (!this.table) {
      $('players').replaceChildren(...(this.playing ?? []).map((p) => row(p.name || `player ${p.id}`, p.id === this.player ? 'you' : '')));
      return;
    }
    const { columns, rows } = this.table;
    $('players').replaceChildren(line('th', columns.map(words)), ...rows.map((r, i) => {
      const at = line('td', r.cells);
      at.classList.toggle('you', r.player === this.player);
      at.classList.toggle('next', i > 0 && r.group !== rows[i - 1].group);
      return at;
    }));
  }

  // offer shows the other games that can be played here.
  offer(games, game) {
    Object.assign(this, { games, game });
    const others = games?.filter((name) => name !== game) ?? [];
    $('games').hidden = others.length === 0;
    $('games').replaceChildren('Other games', ...others.map((name) => {
      const button = document.createElement('button');
      button.textContent = name;
      button.addEventListener('click', () => {
        this.answers.clear();
        this.send({ t: 'game', game: name });
      });
      return button;
    }));
  }

  chosen({ volume, muted, paused, name, games }) {
    this.offer(games, this.game);
    this.name = name; // as -name or the machine gives it
    set('menu-pause', paused ? 'The match is paused.' : 'The match goes on meanwhile.');
    this.sounds.setVolume(muted ? 0 : volume);
    $('volume').value = volume;
    $('muted').checked = muted;
  }

  // start closes the start screen. The key or the click that closes it counts in the game as well.
  start() {
    this.started = true;
    $('start').hidden = true;
    this.enter();
    this.closed();
  }

  // again says whether the match is to pause, to a client that has just connected too.
  again() { this.send({ t: 'pause', on: this.open }); }

  settings(on) {
    $('menu').hidden = !on;
    this.waiting = null;
    this.again();
    this.keys.setTyping(on);
    if (!on) this.closed();
  }

  key(e) {
    if (this.waiting) {
      e.preventDefault();
      e.stopPropagation();
      this.bind(e.key === 'Escape' ? '' : this.keys.name(e));
      return;
    }
    if (document.body.classList.contains('typing')) return;
    if (e.key === 'Escape') this.settings(!this.open);
    else if (e.key === 'Tab' && !this.open) {
      e.preventDefault();
      $('scores').hidden = false;
    } else if (!this.started && !$('start').hidden && !e.ctrlKey && !e.metaKey && !e.altKey && e.key !== 'F3') {
      if (this.asking && e.key !== 'Enter') return;
      if (e.key === 'Enter') e.stopPropagation(); // it would open the chat
      this.start();
    }
  }

  // pad takes a button of the pad that goes down; true: it was for the cards, not for the game.
  pad(button) {
    if (this.waiting) {
      this.bind(button);
      return true;
    }
    const card = [$('menu'), $('start')].find((at) => !at.hidden);
    if (!card) {
      if (button !== 'pad:start' || this.keys.bound.has(button)) return false;
      this.settings(true);
      return true;
    }
    const all = [...card.querySelectorAll('button:not(:disabled), input, select')], at = all.indexOf(document.activeElement);
    const step = { 'pad:right': 1, 'pad:down': 1, 'pad:left': -1, 'pad:up': -1 }[button];
    if (step) all[(at < 0 ? all.length - 1 : at + step + all.length) % all.length].focus();
    else if (button === 'pad:start' || button === 'pad:b' || (button === 'pad:a' && at < 0)) this.leave(card);
    else if (button === 'pad:a') all[at].click();
    return true;
  }

  // leave closes a card.
  leave(card) {
    if (card === $('menu')) this.settings(false);
    else this.start();
  }

  help() {
    const pads = Boolean(navigator.getGamepads?.().some((p) => p)), fingers = matchMedia('(pointer: coarse)').matches;
    $('help').replaceChildren(...(fingers ? touchesOf(this.rows) : controlsOf(this.rows)).map(([text, keys]) => {
      const item = document.createElement('li'), name = document.createElement('span');
      name.textContent = text;
      item.append(...keys.filter((k) => pads || !k.includes('pad:')).map((k) => cap('kbd', k)), name);
      return item;
    }));
  }

  bindings() {
    $('bindings').replaceChildren(...this.rows.map((r) => row(titleOf(r), '', r.keys.map((key, i) => {
      const button = cap('button', key);
      if (r.axis) button.textContent += key.startsWith('-') ? ' −' : UNBOUND.includes(key) ? '' : ' +';
      button.disabled = UNBOUND.includes(key);
      button.addEventListener('click', () => {
        this.waiting = { row: r, at: i, button };
        button.textContent = '…';
      });
      return button;
    }))));
  }

  // bind takes the key that was pressed for a binding; '' leaves it as it was.
  bind(key) {
    const { row: r, at } = this.waiting;
    this.waiting = null;
    if (key) {
      const keys = r.keys.filter((k) => !UNBOUND.includes(k));
      const i = r.keys.slice(0, at).filter((k) => !UNBOUND.includes(k)).length;
      keys[i] = (keys[i].startsWith('-') ? '-' : '') + key;
      this.send({ t: 'bind', what: r.what, keys });
    }
    this.bindings();
  }
}

// titleOf says what an input does. An axis that is called x or y moves along it.
function titleOf({ what, axis }) {
  return (axis && { x: 'left, right', y: 'up, down' }[what.toLowerCase()]) || words(what);
}

// controlsOf returns what the inputs do, with their keys: [text, keys] each. The two axes of the left stick are one control.
function controlsOf(rows) {
  const [x, y] = ['lx', 'ly'].map((axis) => rows.find((r) => r.sticks?.some((s) => s.endsWith(`pad:${axis}`))));
  const both = x && y, list = rows.filter((r) => !both || (r !== x && r !== y)).map((r) => [titleOf(r), r.keys.slice(0, 4)]);
  if (!both) return list;
  const side = (r, back) => r.keys.filter((k) => k !== '-' && k.startsWith('-') === back);
  const sides = [side(y, false), side(x, true), side(y, true), side(x, false)]; // as W A S D
  return [['move', [0, 1].flatMap((i) => sides.flatMap((keys) => keys.slice(i, i + 1)))], ...list];
}

// touchesOf is controlsOf for a touch screen.
function touchesOf(rows) {
  const plan = planOf(rows), list = [];
  if (plan.steers) list.push(['move', ['left stick']]);
  if (plan.aims) list.push(['aim', ['right stick']]);
  if (plan.buttons.length) list.push([plan.buttons.length === 1 ? 'button' : 'buttons', plan.buttons.map(({ what }) => words(what))]);
  return list;
}

function cap(tag, key) {
  const at = document.createElement(tag);
  at.textContent = label(key);
  return at;
}

function row(name, text, more = []) {
  const tr = document.createElement('tr'), th = document.createElement('th'), td = document.createElement('td');
  th.scope = 'row';
  th.textContent = name;
  td.append(text, ...more);
  tr.append(th, td);
  return tr;
}

// line makes a row of a table.
function line(tag, cells) {
  const at = document.createElement('tr');
  at.append(...cells.map((text) => {
    const cell = document.createElement(tag);
    cell.textContent = text;
    return cell;
  }));
  return at;
}
