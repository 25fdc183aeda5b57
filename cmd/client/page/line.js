// The connection to the client: a WebSocket that reconnects by itself, and the
// client's messages (page_feed.go and page_kinds.go write them).

const HEAD = 36; // bytes before the bodies of a frame
const BODY = 28; // bytes of a body
const RETRY_FIRST = 300; // ms
const RETRY_MOST = 2000;

export class Line {
  // on: { open(), lost(ended), info(info), chat(from, text), cue(cue), moved(kind, text), view(view) }
  constructor(on) {
    this.on = on;
    this.socket = null;
    this.kinds = [];
    this.labels = new Map(); // by body: those that differ between bodies of a kind
    this.ropes = []; // lines between bodies
    this.info = null;
    this.retry = RETRY_FIRST;
    this.dial();
  }

  dial() {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    socket.binaryType = 'arraybuffer';
    let ended = false;
    socket.onopen = () => {
      this.socket = socket;
      this.retry = RETRY_FIRST;
      this.on.open();
    };
    socket.onmessage = (event) => {
      if (typeof event.data !== 'string') {
        if (this.info) this.on.view(this.read(event.data));
        return;
      }
      const message = JSON.parse(event.data);
      ended ||= message.t === 'bye';
      this.take(message);
    };
    socket.onclose = () => {
      this.socket = null;
      this.on.lost(ended);
      setTimeout(() => this.dial(), this.retry);
      this.retry = Math.min(this.retry * 1.5, RETRY_MOST);
    };
  }

  take(message) {
    switch (message.t) {
      case 'info':
        this.info = message;
        this.on.info(message);
        break;
      case 'kinds': // numbered from `from` on; 0 begins anew
        this.kinds.length = message.from;
        this.kinds.push(...message.kinds);
        break;
      case 'labels':
        this.labels = new Map(message.labels?.map((l) => [l.id, l.text]));
        break;
      case 'ropes':
        this.ropes = message.ropes;
        break;
      case 'cue':
        this.on.cue(message);
        break;
      case 'move':
        this.on.moved(message.kind, message.text);
        break;
      case 'chat':
        this.on.chat(message.from, message.text);
        break;
    }
  }

  // read makes a view of a frame.
  read(buffer) {
    const data = new DataView(buffer);
    const u32 = (at) => data.getUint32(at, true);
    const view = {
      tick: u32(0), confirmed: u32(4), rewinds: u32(8), corrections: u32(12), repredictions: u32(16),
      rtt: data.getFloat32(20, true), lead: data.getFloat32(24, true),
      stage: this.info.stage, status: this.info.status, game: this.info.game, player: this.info.player, rate: this.info.rate || 60,
      players: this.info.players, ropes: this.ropes, bodies: new Array(u32(32)),
    };
    view.at = view.tick - 1 + data.getFloat32(28, true); // the tick that is shown, and its part
    for (let i = 0, at = HEAD; i < view.bodies.length; i++, at += BODY) {
      const kind = this.kinds[data.getUint16(at + 8, true)];
      const id = (u32(at + 4) % 0x200000) * 2 ** 32 + u32(at); // 53 of its 64 bits: as many as a number holds
      view.bodies[i] = {
        id, kind, label: this.labels.get(id) ?? kind.label, bar: data.getFloat32(at + 24, true), class: kind.class, owner: data.getUint16(at + 10, true),
        x: data.getFloat32(at + 12, true), y: data.getFloat32(at + 16, true), angle: data.getFloat32(at + 20, true),
      };
    }
    return view;
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
