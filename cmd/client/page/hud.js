// The bars around the arena: the game's name, the quality of the line, chat, and notices.

const EVERY = 100; // ms between changes of figures: nobody can read faster ones
const CHAT_SHOWN = 9000; // ms
const CHAT_KEPT = 8; // lines
const FAIR = 120, POOR = 250; // ms of round trip from which on a line is so
const SHAKEN = 2000; // ms for which a correction counts against the line

export const $ = (id) => document.getElementById(id);

export class Hud {
  constructor() {
    this.figuresAt = 0;
    this.corrections = 0;
    this.correctedAt = -Infinity;
    this.ended = ''; // why the client has ended
    this.paused = false; // the match is: the host is not waited for
    this.wrong = []; // what is wrong with the scripts
    this.unshown = new Map(); // and with what the page is to show, by kind
    this.closed = new Set(); // what of that was closed
    this.rate = 60; // ticks a second
    $('close-errors').addEventListener('click', () => {
      for (const e of [...this.wrong, ...[...this.unshown.values()].flat()]) this.closed.add(kindOf(e));
      this.errors(this.wrong);
    });
  }

  // figures shows how good the line is.
  figures(figures, now) {
    if (figures.corrections > this.corrections) this.correctedAt = now;
    this.corrections = figures.corrections;
    if (now - this.figuresAt < EVERY) return;
    this.figuresAt = now;
    const { rtt } = figures;
    set('ping', rtt > 0 ? `${rtt < 9.95 ? rtt.toFixed(1) : Math.round(rtt)} ms` : '–');
    const poor = rtt > POOR, fair = rtt > FAIR || now - this.correctedAt < SHAKEN;
    $('quality').classList.toggle('poor', poor);
    $('quality').classList.toggle('fair', fair && !poor);
  }

  info(info) {
    this.rate = info.rate || this.rate;
    set('game', info.game || 'Hindcast');
    document.title = info.game ? `${info.game} · Hindcast` : 'Hindcast';
  }

  // slow says that the host cannot keep up, which the errors explain: it is not waited for.
  get slow() { return this.wrong.some((e) => e.kind === 'slow'); }

  // state shows the state of the connection and of the game.
  state(line, info) {
    const playing = line === 'open' && (info?.stage === 'playing' || info?.stage === 'stalled' && (this.paused || this.slow));
    const light = $('light');
    light.classList.toggle('good', playing && !this.slow);
    light.classList.toggle('bad', line !== 'open' || info?.stage === 'over');
    set('status', line === 'ended' ? 'ended' : line !== 'open' ? 'not connected' : info?.status ?? '');
    $('status').hidden = playing;
    const [title, text] = notice(line, info, this.ended, this.paused || this.slow);
    $('notice').hidden = !title;
    set('notice-title', title);
    set('notice-text', text);
    $('notice-leave').hidden = line !== 'open' || !info?.waits;
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

  // lacks shows, with what is wrong with the scripts, what the page cannot show of a kind.
  lacks(kind, list) {
    list = list.map((e) => ({ kind, ...e }));
    if (JSON.stringify(list) === JSON.stringify(this.unshown.get(kind) ?? [])) return;
    this.unshown.set(kind, list);
    this.errors(this.wrong);
  }

  // errors shows what is wrong with the scripts, without what was closed before. What is over and comes again is shown
  // again.
  errors(list) {
    this.wrong = list;
    list = [...list, ...[...this.unshown.values()].flat()];
    const kinds = new Set(list.map(kindOf));
    for (const kind of this.closed) if (!kinds.has(kind)) this.closed.delete(kind);
    const open = list.filter((e) => !this.closed.has(kindOf(e)));
    $('errors').hidden = open.length === 0;
    $('error-list').replaceChildren(...open.map((e) => {
      const line = document.createElement('p'), place = document.createElement('b'), where = document.createElement('small');
      place.textContent = e.place;
      where.textContent = whereOf(e, this.rate);
      line.append(place, ' ', e.message, ' ', where);
      return line;
    }));
  }

  clearChat() { $('chat').replaceChildren(); }
}

// kindOf is the same for the same error in other ticks and objects, with other numbers in its message, and whether or not
// the hook had written something before it failed.
function kindOf(e) {
  const stem = e.message.replace(/; what the hook wrote before stays$/, '');
  const message = e.place ? stem.replace(/[\w.+-]*\d[\w.+-]*/g, '#') : e.message; // as SameText does
  return JSON.stringify([e.kind, e.place, message, e.class, e.hook]);
}

function whereOf(e, rate) {
  if (e.kind === 'refused') return 'not in force: what was before stays';
  if (e.kind === 'asset') return 'the game goes on without it';
  if (e.kind === 'color') return 'shown in another colour';
  if (e.kind === 'warned') return 'likely a mistake';
  if (e.kind === 'held' || e.kind === 'noted') return ''; // it says by itself what follows
  if (!e.hook && e.until) return `tick ${e.tick}, suspended until tick ${e.until} (for ${Math.round((e.until - e.tick) / rate)} s)`;
  if (!e.class || !e.hook) return e.hook ?? '';
  return `${e.class}:${e.hook}, object ${e.object}${othersOf(e)}, tick ${e.tick}${e.until ? `, paused until tick ${e.until} (for ${Math.round((e.until - e.tick) / rate)} s)` : ''}`;
}

// othersOf says of how many other objects the hook of an error is paused.
function othersOf(e) {
  if (!e.others) return '';
  return e.others === 1 ? ' and 1 other' : ` and ${e.others} others`;
}

function notice(line, info, why, goesOn) {
  if (line === 'refused') return ['This page needs its token', 'Open the whole address that the client has printed, with what follows #.'];
  if (line === 'ended') return ['The client has ended', `${why ? `${capital(why)}. ` : ''}Start it again: this page reconnects by itself.`];
  if (line === 'lost') return ['The connection to the client is lost', 'Reconnecting …'];
  if (info?.waits) return ['Waiting for the host …', `${capital(info.waits)}. You return as soon as it is back.`];
  if (info?.stage === 'over') return ['The game is over', info.status];
  if (info && !goesOn && info.stage !== 'playing' && info.stage !== 'running') return [`${capital(info.status)} …`, ''];
  return ['', ''];
}

// set changes the text of an element, if it has another one.
export function set(id, value) {
  const at = $(id), text = String(value);
  if (at.textContent !== text) at.textContent = text;
}

const LABELS = {
  arrowleft: '←', arrowright: '→', arrowup: '↑', arrowdown: '↓', 'mouse:left': 'click', 'mouse:right': 'right click',
  'mouse:dx': 'mouse ↔', 'mouse:dy': 'mouse ↕',
  enter: 'enter', escape: 'esc', control: 'ctrl',
};

// label is the name of a key for people.
export function label(key) {
  const name = key.replace(/^-/, '');
  return LABELS[name] ?? (name.startsWith('pad:') ? `pad ${name.slice(4).toUpperCase()}` : name.length === 1 ? name.toUpperCase() : name);
}

// words makes "turn left" of turnLeft and TurnLeft.
export function words(name) {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ').toLowerCase();
}

function capital(s) { return s.charAt(0).toUpperCase() + s.slice(1); }
