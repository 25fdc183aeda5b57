// Controls on the screen for touch devices. They appear after the first touch. A stick at the left steers:
// it is the left stick of a pad for inputs that have one, and the keys of four directions for the others. A
// stick at the right, or the right one of a pad, aims for inputs that are the angle to the pointer. Every other input gets a button.

import { words } from './hud.js';

const HELD = 0.4; // of the way to the edge: from here on a direction counts as held
const MARGIN = 12; // CSS pixels between the controls and the arena
const AIM = 8; // metres from the player's object to the place that the right stick aims at
const DIRECTIONS = { left: ['arrowleft', 'a'], right: ['arrowright', 'd'], up: ['arrowup', 'w', 'z'], down: ['arrowdown', 's'] };

export class Touch {
  // own() is where the player's object is drawn, { x, y } in metres, or null. changed() is called when the
  // controls appear or change.
  constructor(keys, own, changed) {
    this.keys = keys;
    this.own = own;
    this.changed = changed;
    this.rows = '';
    this.aimed = null; // the direction of the right stick
    this.padAims = false; // the right stick of a pad aims, too
    this.at = document.getElementById('touch');
    addEventListener('pointerdown', (e) => {
      if (e.pointerType !== 'touch' || !this.at.hidden) return;
      this.at.hidden = false;
      this.changed();
    });
    addEventListener('resize', () => this.changed());
  }

  // show makes the controls for the inputs of the game: { what, keys, sticks, axis }.
  show(rows) {
    if (JSON.stringify(rows) === this.rows) return;
    this.rows = JSON.stringify(rows);
    const plan = planOf(rows), left = side(), right = side();
    if (plan.steers) left.append(this.stick('steer', (x, y) => this.steer(plan, x, y)));
    const buttons = document.createElement('div');
    buttons.className = 'buttons';
    buttons.append(...plan.buttons.map(({ key, what }) => this.button(key, what)));
    right.append(buttons);
    if (plan.aims) right.append(this.stick('aim', (x, y) => { this.aimed = x || y ? Math.atan2(-y, x) : this.aimed; }));
    this.at.replaceChildren(left, right);
    this.padAims = plan.aims && !rows.some((row) => row.sticks?.some((s) => /pad:r[xy]$/.test(s)));
    this.changed();
  }

  // free is how many pixels of the window the controls take: at the bottom of an upright one, and at the sides of others.
  get free() {
    if (this.at.hidden || !this.at.children.length) return { bottom: 0, left: 0, right: 0 };
    if (innerHeight > innerWidth) return { bottom: this.at.getBoundingClientRect().height + MARGIN, left: 0, right: 0 };
    const [left, right] = [...this.at.children].map((at) => (at.offsetWidth ? at.offsetWidth + MARGIN : 0));
    return { bottom: 0, left, right };
  }

  // frame tells where the right stick aims; call it once a frame.
  frame() {
    const [, , x, y] = this.keys.sticks;
    if (this.padAims && (x || y)) this.aimed = Math.atan2(-y, x);
    else if (this.keys.pointer) this.aimed = null; // the mouse has moved since
    const from = this.aimed !== null && this.own();
    if (from) this.keys.aim(from.x + AIM * Math.cos(this.aimed), from.y + AIM * Math.sin(this.aimed));
  }

  steer({ keys, analog }, x, y) {
    if (analog) this.keys.thumb(x, y);
    const held = { left: x < -HELD, right: x > HELD, up: y < -HELD, down: y > HELD };
    for (const [direction, key] of Object.entries(keys)) this.keys.touch(`steer ${direction}`, held[direction] ? key : null);
  }

  // stick makes a stick. moved gets where the thumb is, -1 to 1, y down.
  stick(name, moved) {
    const stick = document.createElement('div'), knob = document.createElement('i');
    stick.className = `stick ${name}`;
    stick.setAttribute('aria-label', name);
    stick.append(knob);
    let finger = null;
    const to = (x, y) => {
      knob.style.transform = `translate(${x * 36}px, ${y * 36}px)`;
      moved(x, y);
    };
    const drag = (e) => {
      const { left, top, width, height } = stick.getBoundingClientRect();
      let x = (e.clientX - left - width / 2) / (width / 2), y = (e.clientY - top - height / 2) / (height / 2);
      const far = Math.hypot(x, y);
      if (far > 1) { x /= far; y /= far; }
      to(x, y);
    };
    stick.addEventListener('pointerdown', (e) => {
      e.preventDefault();
      finger = e.pointerId;
      stick.setPointerCapture(finger);
      drag(e);
    });
    stick.addEventListener('pointermove', (e) => { if (e.pointerId === finger) drag(e); });
    const release = (e) => {
      if (e.pointerId !== finger) return;
      finger = null;
      to(0, 0);
    };
    stick.addEventListener('pointerup', release);
    stick.addEventListener('pointercancel', release);
    return stick;
  }

  button(key, what) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = words(what);
    const hold = (on) => (e) => {
      e.preventDefault();
      if (on) button.setPointerCapture(e.pointerId);
      button.classList.toggle('down', on);
      this.keys.touch(`button ${what} ${key}`, on ? key : null);
    };
    button.addEventListener('pointerdown', hold(true));
    button.addEventListener('pointerup', hold(false));
    button.addEventListener('pointercancel', hold(false));
    return button;
  }
}

function side() {
  const at = document.createElement('div');
  at.className = 'side';
  return at;
}

// planOf says which controls the inputs get: the keys of the directions of the left stick, whether it is
// analog, whether there is a stick that aims, and the buttons.
export function planOf(rows) {
  const plan = { keys: {}, analog: false, aims: false, steers: false, buttons: [] };
  for (const row of rows) {
    if (row.sticks?.some((s) => /^-?pad:l[xy]$/.test(s))) {
      plan.analog = true;
      continue;
    }
    if (row.keys.includes('mouse')) {
      plan.aims = true;
      continue;
    }
    const used = Object.entries(DIRECTIONS).filter(([direction, names]) => {
      const key = names.find((n) => row.keys.includes(n) || row.keys.includes(`-${n}`));
      if (key) plan.keys[direction] ??= key;
      return key;
    });
    if (used.length === 0) plan.buttons.push(...buttonKeys(row).map((key) => ({ key: key.replace(/^-/, ''), what: row.axis ? `${row.what} ${key}` : row.what })));
  }
  plan.steers = plan.analog || Object.keys(plan.keys).length > 0;
  return plan;
}

// buttonKeys returns the keys of an input that get a button: the first one; for an axis, the first one of
// each direction.
function buttonKeys(row) {
  const keys = row.keys.filter((k) => !['wheel', 'mouse:dx', 'mouse:dy'].includes(k));
  if (!row.axis) return keys.slice(0, 1);
  return [keys.find((k) => !k.startsWith('-')), keys.find((k) => k.startsWith('-'))].filter(Boolean);
}
