// Smooth motion at any frame rate, from views that arrive unevenly. Each view carries the time that it
// shows, in ticks and fractions of a tick. A clock runs over these times: it shows a view when it
// arrives on average, and until the next one bodies go on as they moved. So nothing is drawn later than
// it is known, and the clock never runs backwards.

const SLOW = 0.05; // how fast the clock adapts
const JUMP = 250; // ms: a larger gap sets the clock anew
const AHEAD = 40; // ms by which bodies go on without a view

export class Motion {
  constructor() { this.reset(); }

  reset() {
    this.from = this.to = -Infinity; // ticks: the last two views
    this.offset = null; // ms: when tick 0 would have arrived
    this.shown = -Infinity; // tick
  }

  // push takes the time of a view that arrives now, and returns the seconds since the view before.
  push(at, rate, now) {
    if (at < this.to) this.reset(); // the clock of the client was set back
    this.rate = rate;
    this.from = Number.isFinite(this.to) ? this.to : at;
    this.to = at;
    const offset = now - at * 1000 / rate;
    if (this.offset === null || Math.abs(offset - this.offset) > JUMP) this.offset = offset;
    else this.offset += (offset - this.offset) * SLOW;
    this.seconds = (this.to - this.from) / rate; // from the view before the newest
    return this.seconds;
  }

  // part returns what to draw now: 0 is the view before the newest, 1 the newest.
  part(now) {
    if (this.to === this.from || this.offset === null) return 1; // the first view, or a paused room
    const due = (now - this.offset) * this.rate / 1000;
    this.shown = Math.min(Math.max(due, this.shown, this.from), this.to + AHEAD * this.rate / 1000);
    return (this.shown - this.from) / (this.to - this.from);
  }
}
