// Colours for WebGL, from those of CSS.

const known = new Map();
const paper = document.createElement('canvas').getContext('2d');

// rgb returns red, green and blue, 0 to 1, of a colour as CSS names it; null if there is none of that name.
export function rgb(name) {
  if (!known.has(name)) known.set(name, CSS.supports('color', name) ? read(name) : null);
  return known.get(name);
}

function read(name) {
  paper.clearRect(0, 0, 1, 1);
  paper.fillStyle = name;
  paper.fillRect(0, 0, 1, 1);
  return [...paper.getImageData(0, 0, 1, 1).data.subarray(0, 3)].map((v) => v / 255);
}

const CALM = ['#7aa2c9', '#8fb996', '#c9a27a', '#a48fc4', '#6fb3b0', '#c48f9d', '#a9b070', '#8d9ad0'];

// paintOf is the colour that the script declares; without one, a colour by class.
export function paintOf(kind) {
  let n = 0;
  for (const c of kind.class) n = (n * 31 + c.charCodeAt(0)) % 9973;
  return (kind.color && rgb(kind.color)) ?? rgb(CALM[n % CALM.length]);
}
