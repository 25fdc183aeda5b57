// Sounds of cues: synthesized tones and noise that fade out, and files. A browser lets a page
// play sounds only after a key press or a click; earlier sounds are dropped.

const MOST = 24; // sounds at once
const QUIET = 0.0001; // the gain at which a sound ends

export class Sounds {
  // heardAt(x, y) says where a sound from there is heard: pan, -1 (left) to 1, and near, 0 to 1.
  // files.url(name) returns the address of a file; undefined: it is not there, and is not heard.
  constructor(heardAt, files) {
    this.heardAt = heardAt;
    this.files = files;
    this.playing = new Map(); // by key of the cue: its sounds, { gain, stop, key, audio }
    this.volume = 1;
    this.count = 0;
    this.heard = 0; // so far, for tests
    for (const kind of ['keydown', 'pointerdown', 'touchend']) addEventListener(kind, () => this.wake());
  }

  // setVolume is for all sounds, also those that play, 0 to 1.
  setVolume(volume) {
    this.volume = volume;
    this.master?.gain.setTargetAtTime(volume, this.context.currentTime, 0.01);
  }

  // wake starts the audio, which only an event of the user may do.
  wake() {
    if (!this.context) {
      this.context = new AudioContext();
      this.master = new GainNode(this.context, { gain: this.volume });
      this.master.connect(this.context.destination);
    }
    if (this.context.state === 'suspended') this.context.resume();
  }

  // play plays a sound from age on, in milliseconds. Muted sounds play, too: they are heard when the volume is turned up.
  play(key, effect, age = 0) {
    const to = this.context;
    const { pan, near } = effect.placed ? this.heardAt(effect.x, effect.y) : { pan: 0, near: 1 };
    const volume = effect.volume * near;
    if (to?.state !== 'running' || this.count >= MOST || volume <= 0) return;
    if (effect.file) {
      this.playFile(key, effect, to, volume, pan, age);
      return;
    }
    const gain = to.createGain(), now = to.currentTime, end = now + (effect.ms - age) / 1000;
    gain.gain.setValueAtTime(volume * (QUIET / volume) ** (age / effect.ms), now); // where it would be by now
    gain.gain.exponentialRampToValueAtTime(QUIET, end);
    gain.connect(new StereoPannerNode(to, { pan })).connect(this.master);
    const source = effect.wave === 'noise' ? this.noise(to, effect, gain) : this.tone(to, effect, gain);
    source.onended = this.begin(key, gain);
    source.start();
    source.stop(end);
  }

  // begin notes a sound, and returns what is to be called when it ends. stop ends what gain does not.
  begin(key, gain, stop = () => {}, audio = null) {
    this.count++;
    this.heard++;
    const sound = { gain, stop, key, audio };
    this.note(key, [...(this.playing.get(key) ?? []), sound]);
    return () => {
      this.count--;
      this.note(sound.key, (this.playing.get(sound.key) ?? []).filter((s) => s !== sound));
      gain.disconnect();
    };
  }

  note(key, sounds) {
    if (sounds.length) this.playing.set(key, sounds);
    else this.playing.delete(key);
  }

  // playFile plays a file, which the browser decodes while it plays: a long one takes no memory.
  playFile(key, { file }, to, volume, pan, age) {
    const url = this.files.url(file);
    if (!url) return;
    const audio = new Audio(url), gain = new GainNode(to, { gain: volume });
    audio.currentTime = age / 1000;
    to.createMediaElementSource(audio).connect(gain).connect(new StereoPannerNode(to, { pan })).connect(this.master);
    let over = false;
    const once = () => { if (!over) { over = true; end(); } };
    const end = this.begin(key, gain, () => { audio.pause(); once(); }, audio);
    audio.onloadedmetadata = () => { if (age / 1000 >= audio.duration) { audio.pause(); once(); } };
    audio.onended = once;
    audio.onerror = () => { this.files.fails(file, url); once(); };
    audio.play().catch(once);
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
    const sounds = this.playing.get(was);
    if (!sounds) return;
    this.playing.delete(was);
    for (const sound of sounds) sound.key = key;
    this.note(key, [...(this.playing.get(key) ?? []), ...sounds]);
  }

  // stop ends the sounds of a cue that did not happen.
  stop(key) {
    for (const { gain, stop } of this.playing.get(key) ?? []) {
      gain.disconnect();
      stop();
    }
    this.playing.delete(key);
  }
}
