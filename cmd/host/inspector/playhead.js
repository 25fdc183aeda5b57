// Where a replay is: at a tick, or while it plays, between two. It takes the place of the game page's
// Motion, whose clock follows views that arrive by themselves.

const AHEAD = 0.25; // seconds by which the playhead may be ahead of what is shown before it waits for it

export class Playhead {
  constructor({ first, last, tick_rate: rate }) {
    Object.assign(this, { first, last, rate, playing: false, at: first, moved: 0 }); // moved: ms, when it last did
    this.reset();
  }

  // tick is the newest whole tick; needed is the one that has to be known to draw.
  get tick() { return Math.floor(this.at); }
  get needed() { return Math.ceil(this.at); }

  go(tick) { this.at = Math.min(Math.max(Math.round(tick) || this.first, this.first), this.last); }

  play(now) {
    if (this.at >= this.last) this.go(this.first);
    this.playing = true;
    this.moved = now;
  }

  stop() {
    this.playing = false;
    this.at = this.needed;
  }

  // move goes on until now. shown is the newest tick that is known. It reports whether the end is reached.
  move(now, shown) {
    const passed = (now - this.moved) * this.rate / 1000;
    this.moved = now;
    this.at = Math.min(this.at + passed, Math.max(this.at, shown + AHEAD * this.rate), this.last);
    return this.at >= this.last;
  }

  // What a Room needs of a Motion: reset forgets the views, push takes one.
  reset() { this.from = this.to = null; }

  push(at) {
    this.from = this.to ?? at;
    this.to = at;
    this.seconds = (this.to - this.from) / this.rate;
    return this.seconds;
  }

  // part returns what to draw: 0 is the view before the newest, 1 the newest.
  part() {
    if (this.to === this.from) return 1;
    return Math.min(Math.max((this.at - 1 - this.from) / (this.to - this.from), 0), 1);
  }
}
