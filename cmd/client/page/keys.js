// What the player holds down, on keyboard, mouse, pad and screen, sent to the
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
    this.touched = new Map(); // by control on the screen: the key that it holds down
    this.thumbs = [0, 0, 0, 0]; // the stick on the screen
    this.pad = new Set();
    this.pressed = () => false; // gets a button of the pad that goes down; true: it is not the game's
    this.menus = new Set(); // buttons that are down and not the game's
    this.sticks = [0, 0, 0, 0];
    this.sent = '';
    this.pointer = null; // where the pointer is in the window
    this.pointed = { x: NaN, y: NaN }; // the point of the world that was sent last
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
      this.pointer = [e.clientX, e.clientY];
      this.point();
      if (MOUSE[e.button]) { this.buttons.add(MOUSE[e.button]); this.tell(); }
    });
    addEventListener('pointerup', (e) => { if (this.buttons.delete(MOUSE[e.button])) this.tell(); });
    target.addEventListener('contextmenu', (e) => e.preventDefault());
  }

  move(e) {
    const before = this.toWorld(e.clientX - (e.movementX || 0), e.clientY - (e.movementY || 0));
    const at = this.toWorld(e.clientX, e.clientY);
    this.pointer = [e.clientX, e.clientY];
    this.flow[1] += at.x - before.x;
    this.flow[2] += at.y - before.y;
  }

  wheel(e) {
    if (!this.bound.has('wheel')) return;
    e.preventDefault();
    this.flow[0] -= e.deltaY / NOTCH[e.deltaMode];
  }

  // name is the name of the key of an event, '' if it has none.
  name(e) { return keyName(e); }

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
    this.thumbs = [0, 0, 0, 0];
    this.tellSticks(this.thumbs);
    this.tell();
  }

  setTyping(on) {
    this.typing = on;
    if (on) this.release();
  }

  // touch holds a key down for a control on the screen; key null lets go.
  touch(control, key) {
    if (key) this.touched.set(control, key);
    else this.touched.delete(control);
    this.tell();
  }

  // thumb moves the left stick, -1 to 1, y down, for the stick on the screen.
  thumb(x, y) {
    this.thumbs = [steady(x), steady(y), 0, 0];
    this.tellSticks(this.thumbs);
  }

  // aim makes a point of the world the pointer's.
  aim(x, y) {
    this.pointer = null;
    this.tellPoint({ x, y });
  }

  tell() {
    const down = new Set([...this.byCode.values(), ...this.buttons, ...this.touched.values(), ...this.pad]);
    const list = [...down].slice(0, 32);
    const lines = list.join('\n');
    if (lines === this.sent) return;
    this.sent = lines;
    this.send({ t: 'keys', down: list });
  }

  // again sends everything once more, to a client that has just connected.
  again() {
    this.sent = '';
    this.pointed = { x: NaN, y: NaN };
    this.tell();
    const sticks = this.sticks;
    this.sticks = [0, 0, 0, 0];
    this.tellSticks(sticks);
  }

  // frame sends what has no events of its own; call it once a frame.
  frame() {
    this.point();
    if (FLOWS.some((name, i) => this.flow[i] && this.bound.has(name))) this.send({ t: 'flow', flow: this.flow });
    this.flow = [0, 0, 0];
    if (document.hasFocus()) this.pollPad();
  }

  // point tells which point of the world the pointer is at, which also changes with the camera.
  point() {
    if (!this.pointer) return;
    this.tellPoint(this.toWorld(...this.pointer));
  }

  tellPoint(at) {
    if (at.x === this.pointed.x && at.y === this.pointed.y) return;
    this.pointed = at;
    this.send({ t: 'pointer', ...at });
  }

  pollPad() {
    const pad = navigator.getGamepads?.().find((p) => p?.connected);
    if (!pad) {
      if (this.pad.size) { this.pad.clear(); this.tell(); }
      this.tellSticks(this.thumbs); // a stick that was pushed when the pad went
      return;
    }
    const down = downOn(pad);
    for (const button of this.menus) if (!down.has(button)) this.menus.delete(button);
    for (const button of down) if (!this.pad.has(button) && !this.menus.has(button) && this.pressed(button)) this.menus.add(button);
    this.pad = new Set([...down].filter((button) => !this.menus.has(button) && !this.typing));
    this.tell();
    this.tellSticks([0, 1, 2, 3].map((i) => (!this.typing && steady(pad.axes[i] ?? 0)) || this.thumbs[i]));
  }

  tellSticks(sticks) {
    if (sticks.every((v, i) => v === this.sticks[i])) return;
    this.sticks = sticks;
    this.send({ t: 'sticks', axes: sticks });
  }
}

// downOn returns the names of the buttons of a pad that are down. The left stick counts as directions, too.
function downOn(pad) {
  const down = new Set(), [x = 0, y = 0] = pad.axes;
  pad.buttons.forEach((b, i) => { if (b.pressed && PAD[i]) down.add(`pad:${PAD[i]}`); });
  if (x < -STICK) down.add('pad:left');
  if (x > STICK) down.add('pad:right');
  if (y < -STICK) down.add('pad:up');
  if (y > STICK) down.add('pad:down');
  return down;
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
