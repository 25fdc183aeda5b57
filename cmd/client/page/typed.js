// A question of the start screen whose answer the player types.

import { words } from './hud.js';

const MOST = 32; // characters

// typed returns the question, with an answer to begin with. answered is called with each change, hold with whether
// the keys of the game have to wait, and done when the player presses Enter.
export function typed(name, answer, answered, hold, done) {
  const label = document.createElement('label'), input = document.createElement('input');
  label.className = 'typed';
  input.maxLength = MOST;
  input.autocomplete = 'nickname';
  input.spellcheck = false;
  input.value = answer;
  input.id = `answer-${name}`;
  answered(answer);
  input.addEventListener('input', () => answered(input.value.trim()));
  input.addEventListener('focus', () => { hold(true); input.select(); });
  input.addEventListener('blur', () => hold(false));
  input.addEventListener('keydown', (e) => {
    e.stopPropagation();
    if (e.key === 'Enter') done();
  });
  label.append(words(name), input);
  return label;
}
