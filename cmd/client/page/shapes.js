// The outlines of bodies, in metres: their physical shape, or the shape that their
// look names, in the same size.

// Corners of named shapes for a body of reach 1, heading along +x.
const NAMED = {
  triangle: [1, 0, -0.75, 0.7, -0.75, -0.7],
  ship: [1, 0, -0.8, 0.72, -0.45, 0, -0.8, -0.72],
  arrow: [1, 0, -0.8, 0.72, -0.45, 0, -0.8, -0.72],
  diamond: [1, 0, 0, 0.7, -1, 0, 0, -0.7],
  square: [0.75, 0.75, -0.75, 0.75, -0.75, -0.75, 0.75, -0.75],
  hexagon: ring(6, 1, 1),
  star: ring(10, 1, 0.5),
};
const ROUND = 40; // corners of a circle
const MITER = 3; // how far the corner of an edge may reach, in widths of it

function ring(n, outer, inner) {
  const points = [];
  for (let i = 0; i < n; i++) {
    const r = i % 2 ? inner : outer, a = 2 * Math.PI * i / n;
    points.push(r * Math.cos(a), r * Math.sin(a));
  }
  return points;
}

// reach is the greatest distance of a body's outline from its origin.
export function reach(kind) {
  if (kind.reach === undefined) {
    kind.reach = kind.radius ?? 0;
    for (let i = 0; i < (kind.points?.length ?? 0); i += 2) {
      kind.reach = Math.max(kind.reach, Math.hypot(kind.points[i], kind.points[i + 1]));
    }
  }
  return kind.reach;
}

// isRound reports whether a body is drawn as a circle.
export function isRound(kind) { return !Object.hasOwn(NAMED, kind.shape) && (!kind.points || kind.shape === 'circle'); }

// outline returns the corners of a body's outline, [x, y] each.
export function outline(kind) {
  const r = reach(kind), named = Object.hasOwn(NAMED, kind.shape);
  const flat = named ? NAMED[kind.shape].map((v) => v * r) : isRound(kind) ? ring(ROUND / 2, r, r) : kind.points;
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
}

// corners returns the triangles of a body: x, y, the direction in which a wide edge reaches further,
// and 0 for the area, 1 for its edge. A circle has a line in the direction of its angle.
export function corners(kind) {
  const r = reach(kind), out = [];
  if (Object.hasOwn(NAMED, kind.shape)) return polygon(out, NAMED[kind.shape].map((v) => v * r), 0, 0);
  if (kind.points && kind.shape !== 'circle') return polygon(out, kind.points, ...middle(kind.points));
  polygon(out, ring(ROUND, r, r), 0, 0);
  quad(out, r * 0.35, 0, 0, 1, r, 0, 0, 1);
  return out;
}

// polygon adds the triangles from a point inside to the sides, and the edge. All sides can be seen from
// the point.
function polygon(out, points, mx, my) {
  const n = points.length / 2, at = (i) => [points[2 * (i % n)], points[2 * (i % n) + 1]];
  for (let i = 0; i < n; i++) {
    out.push(mx, my, 0, 0, 0, ...at(i), 0, 0, 0, ...at(i + 1), 0, 0, 0);
  }
  const miters = Array.from({ length: n }, (_, i) => miter(at(i + n - 1), at(i), at(i + 1)));
  for (let i = 0; i < n; i++) quad(out, ...at(i), ...miters[i], ...at(i + 1), ...miters[(i + 1) % n]);
  return out;
}

// quad adds a part of an edge between two points, with the directions in which it is wide.
function quad(out, ax, ay, anx, any, bx, by, bnx, bny) {
  const corner = (x, y, nx, ny) => out.push(x, y, nx, ny, 1);
  corner(ax, ay, anx, any);
  corner(ax, ay, -anx, -any);
  corner(bx, by, bnx, bny);
  corner(bx, by, bnx, bny);
  corner(ax, ay, -anx, -any);
  corner(bx, by, -bnx, -bny);
}

// miter returns in which direction, and how far, the corner of an edge of half width 1 reaches.
function miter(before, at, after) {
  const [ax, ay] = normal(before, at), [bx, by] = normal(at, after);
  const long = Math.min(MITER, 2 / Math.max(1e-6, (ax + bx) ** 2 + (ay + by) ** 2));
  return [(ax + bx) * long, (ay + by) * long];
}

function normal([ax, ay], [bx, by]) {
  const long = Math.hypot(bx - ax, by - ay) || 1;
  return [(by - ay) / long, (ax - bx) / long];
}

function middle(points) {
  let x = 0, y = 0;
  for (let i = 0; i < points.length; i += 2) {
    x += points[i];
    y += points[i + 1];
  }
  return [2 * x / points.length, 2 * y / points.length];
}
