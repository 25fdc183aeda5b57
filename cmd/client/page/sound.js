// Sounds of cues: synthesized tones and noise that fade out. A browser lets a page
// play sounds only after a key press or a click; earlier sounds are dropped.

const MOST = 24; // sounds at once

export class Sounds {
  constructor() {
    this.playing = new Map(); // by key of the cue: the gains of its sounds
    this.count = 0;
    this.heard = 0; // so far, for tests
    for (const kind of ['keydown', 'pointerdown', 'touchend']) addEventListener(kind, () => this.wake());
  }

  // wake starts the audio, which only an event of the user may do.
  wake() {
    this.context ??= new AudioContext();
    if (this.context.state === 'suspended') this.context.resume();
  }

  play(key, effect) {
    const to = this.context;
    if (to?.state !== 'running' || this.count >= MOST || effect.volume <= 0) return;
    const gain = to.createGain(), end = to.currentTime + effect.ms / 1000;
    gain.gain.setValueAtTime(effect.volume, to.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.0001, end);
    gain.connect(to.destination);
    const source = effect.wave === 'noise' ? this.noise(to, effect, gain) : this.tone(to, effect, gain);
    this.count++;
    this.heard++;
    this.playing.set(key, [...(this.playing.get(key) ?? []), gain]);
    source.onended = () => {
      this.count--;
      this.playing.delete(key);
      gain.disconnect();
    };
    source.start();
    source.stop(end);
  }

  tone(to, effect, gain) {
    const source = to.createOscillator();
    source.type = effect.wave;
    source.frequency.value = effect.freq;
    source.connect(gain);
    return source;
  }

  noise(to, effect, gain) {
    const buffer = to.createBuffer(1, Math.ceil(to.sampleRate * effect.ms / 1000), to.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
    const source = to.createBufferSource(), filter = to.createBiquadFilter();
    source.buffer = buffer;
    filter.type = 'lowpass';
    filter.frequency.value = effect.freq;
    source.connect(filter).connect(gain);
    return source;
  }

  // move gives the sounds of a cue another key.
  move(was, key) {
    const gains = this.playing.get(was);
    if (!gains) return;
    this.playing.delete(was);
    this.playing.set(key, gains);
  }

  // stop ends the sounds of a cue that did not happen.
  stop(key) {
    for (const gain of this.playing.get(key) ?? []) gain.disconnect();
    this.playing.delete(key);
  }
}
