// What the player holds down, on keyboard, mouse, pad and screen, told to the
// program whenever it changes. Names are those of page_keyboard.go.

const PAD = ['a', 'b', 'x', 'y', 'lb', 'rb', 'lt', 'rt', 'back', 'start', 'ls', 'rs', 'up', 'down', 'left', 'right'];
const MOUSE = ['mouse:left', 'mouse:middle', 'mouse:right'];
const FLOWS = ['wheel', 'mouse:dx', 'mouse:dy']; // what is summed up: see luabind.Flows
const NOTCH = [100, 3, 1]; // how much a wheel's notch is, in pixels, lines or pages
const STICK = 0.5; // from here on a stick counts as a direction held
const REST = 0.12; // what a stick shows at rest

export class Keys {
  // send(message) sends to the client; toWorld converts points in the window to metres.
  constructor(target, send, toWorld) {
    this.send = send;
    this.toWorld = toWorld;
    this.typing = false; // the chat has the keyboard
    this.bound = new Set();
    this.byCode = new Map(); // the name of a key when it went down
    this.buttons = new Set(); // of the mouse
    this.touched = new Map(); // by pointer: the key of a button on the screen
    this.pad = new Set();
    this.sticks = [0, 0, 0, 0];
    this.told = '';
    this.moved = null; // where the pointer is, if it moved since the last frame
    this.flow = [0, 0, 0]; // since then: the turns of the wheel, the movement of the pointer
    this.listen(target);
  }

  listen(target) {
    addEventListener('keydown', (e) => this.keyDown(e));
    addEventListener('keyup', (e) => { if (this.byCode.delete(e.code)) this.tell(); });
    addEventListener('blur', () => this.release());
    document.addEventListener('visibilitychange', () => { if (document.hidden) this.release(); });
    target.addEventListener('pointermove', (e) => this.move(e));
    target.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    target.addEventListener('pointerdown', (e) => {
      this.moved = this.toWorld(e.clientX, e.clientY);
      if (MOUSE[e.button]) { this.buttons.add(MOUSE[e.button]); this.tell(); }
    });
    addEventListener('pointerup', (e) => { if (this.buttons.delete(MOUSE[e.button])) this.tell(); });
    target.addEventListener('contextmenu', (e) => e.preventDefault());
  }

  move(e) {
    const before = this.toWorld(e.clientX - (e.movementX || 0), e.clientY - (e.movementY || 0));
    this.moved = this.toWorld(e.clientX, e.clientY);
    this.flow[1] += this.moved.x - before.x;
    this.flow[2] += this.moved.y - before.y;
  }

  wheel(e) {
    if (!this.bound.has('wheel')) return;
    e.preventDefault();
    this.flow[0] -= e.deltaY / NOTCH[e.deltaMode];
  }

  keyDown(e) {
    if (this.typing || e.ctrlKey || e.metaKey || e.altKey) return;
    const name = keyName(e);
    if (!name) return;
    if (this.bound.has(name) || name.startsWith('arrow') || name === 'space') e.preventDefault();
    if (e.repeat || this.byCode.get(e.code) === name) return;
    this.byCode.set(e.code, name);
    this.tell();
  }

  // release lets go of everything: the page gets no events of keys that go up elsewhere.
  release() {
    this.byCode.clear();
    this.buttons.clear();
    this.touched.clear();
    this.pad.clear();
    this.tell();
  }

  setTyping(on) {
    this.typing = on;
    if (on) this.release();
  }

  // touch holds a key down for a finger; key null lets go.
  touch(pointer, key) {
    if (key) this.touched.set(pointer, key);
    else this.touched.delete(pointer);
    this.tell();
  }

  tell() {
    const down = new Set([...this.byCode.values(), ...this.buttons, ...this.touched.values(), ...this.pad]);
    const list = [...down].slice(0, 32);
    const told = list.join('\n');
    if (told === this.told) return;
    this.told = told;
    this.send({ t: 'keys', down: list });
  }

  // again sends everything once more, to a client that has just connected.
  again() {
    this.told = '';
    this.tell();
  }

  // frame sends what has no events of its own; call it once a frame.
  frame() {
    if (this.moved) {
      this.send({ t: 'pointer', ...this.moved });
      this.moved = null;
    }
    if (FLOWS.some((name, i) => this.flow[i] && this.bound.has(name))) this.send({ t: 'flow', flow: this.flow });
    this.flow = [0, 0, 0];
    if (document.hasFocus()) this.pollPad();
  }

  pollPad() {
    const pad = navigator.getGamepads?.().find((p) => p?.connected);
    if (!pad) {
      if (this.pad.size) { this.pad.clear(); this.tell(); }
      return;
    }
    this.pad.clear();
    pad.buttons.forEach((b, i) => { if (b.pressed && PAD[i]) this.pad.add(`pad:${PAD[i]}`); });
    const [x = 0, y = 0] = pad.axes;
    if (x < -STICK) this.pad.add('pad:left');
    if (x > STICK) this.pad.add('pad:right');
    if (y < -STICK) this.pad.add('pad:up');
    if (y > STICK) this.pad.add('pad:down');
    this.tell();
    this.tellSticks([0, 1, 2, 3].map((i) => steady(pad.axes[i] ?? 0)));
  }

  tellSticks(sticks) {
    if (sticks.every((v, i) => v === this.sticks[i])) return;
    this.sticks = sticks;
    this.send({ t: 'sticks', axes: sticks });
  }
}

function steady(v) {
  return Math.abs(v) < REST ? 0 : Math.round(v * 100) / 100;
}

// keyName is the name of a key on the user's layout; for letters of other
// alphabets, the name of the key at that place on a US keyboard.
function keyName(e) {
  let name = e.key.toLowerCase();
  if (name === ' ') name = 'space';
  if (/^Digit\d$/.test(e.code)) name = e.code.slice(5); // also with Shift
  if (/^Key[A-Z]$/.test(e.code) && !/^[a-z]$/.test(name)) name = e.code.slice(3).toLowerCase();
  return name === 'dead' || name === 'unidentified' || name === 'process' ? '' : name;
}
