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

// outline returns { area, mark }: the edge of a body, and for a circle a line in
// the direction of its angle.
export function outline(kind) {
  kind.path ??= make(kind);
  return kind.path;
}

function make(kind) {
  const r = reach(kind);
  if (Object.hasOwn(NAMED, kind.shape)) return { area: polygon(NAMED[kind.shape].map((v) => v * r)) };
  if (kind.points && kind.shape !== 'circle') return { area: polygon(kind.points) };
  const area = new Path2D();
  area.arc(0, 0, r, 0, 2 * Math.PI);
  const mark = new Path2D();
  mark.moveTo(r * 0.35, 0);
  mark.lineTo(r, 0);
  return { area, mark };
}

function polygon(points) {
  const path = new Path2D();
  path.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) path.lineTo(points[i], points[i + 1]);
  path.closePath();
  return path;
}
