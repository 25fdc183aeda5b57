// The connection to the client: a WebSocket that reconnects by itself.

import { token } from '/token.js';

const RETRY_FIRST = 300; // ms
const RETRY_MOST = 2000;

export class Line {
  // on: { open(), lost(ended), refused(), message(message), frame(buffer) }; ended is null, or says why the client has ended.
  constructor(on) {
    this.on = on;
    this.socket = null;
    this.retry = RETRY_FIRST;
    this.dial();
  }

  dial() {
    const socket = new WebSocket(new URL('ws', location.href.replace(/^http/, 'ws')));
    socket.binaryType = 'arraybuffer';
    let ended = null; // the last message of a client that has ended
    socket.onopen = () => {
      if (token) socket.send(JSON.stringify({ t: 'token', token }));
      this.socket = socket;
      this.retry = RETRY_FIRST;
      this.on.open();
    };
    socket.onmessage = (event) => {
      if (typeof event.data !== 'string') {
        this.on.frame(event.data);
        return;
      }
      const message = JSON.parse(event.data);
      if (message.t === 'bye') ended = message;
      this.on.message(message);
    };
    socket.onclose = ({ reason }) => {
      this.socket = null;
      if (reason === 'token') { // and it would be refused again
        this.on.refused();
        return;
      }
      this.on.lost(ended);
      setTimeout(() => this.dial(), this.retry);
      this.retry = Math.min(this.retry * 1.5, RETRY_MOST);
    };
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
