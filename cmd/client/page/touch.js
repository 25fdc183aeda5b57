// Buttons on the screen for touch devices: one for each input that is bound to a
// key. They appear after the first touch.

import { label, words } from './hud.js';

export class Touch {
  constructor(keys) {
    this.keys = keys;
    this.at = document.getElementById('touch');
    addEventListener('pointerdown', (e) => { if (e.pointerType === 'touch') this.at.hidden = false; });
  }

  // show makes the buttons; those for steering are at the left.
  show(rows) {
    const sides = [document.createElement('div'), document.createElement('div')];
    for (const row of rows) {
      for (const key of buttonKeys(row)) {
        const steers = /^-?arrow(left|right)$/.test(key);
        sides[steers ? 0 : 1].append(this.button(key, steers ? label(key) : words(row.what)));
      }
    }
    this.at.replaceChildren(...sides);
  }

  button(key, text) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    const hold = (on) => (e) => {
      e.preventDefault();
      if (on) button.setPointerCapture(e.pointerId);
      button.classList.toggle('down', on);
      this.keys.touch(e.pointerId, on ? key.replace(/^-/, '') : null);
    };
    button.addEventListener('pointerdown', hold(true));
    button.addEventListener('pointerup', hold(false));
    button.addEventListener('pointercancel', hold(false));
    return button;
  }
}

// buttonKeys returns the keys of a field that get a button: the first one; for an
// axis, the first one of each direction.
function buttonKeys(row) {
  const keys = row.keys.filter((k) => !['mouse', 'wheel', 'mouse:dx', 'mouse:dy'].includes(k));
  if (!row.axis) return keys.slice(0, 1);
  return [keys.find((k) => !k.startsWith('-')), keys.find((k) => k.startsWith('-'))].filter(Boolean);
}
