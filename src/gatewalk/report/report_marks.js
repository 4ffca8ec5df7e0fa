// The look of curves: a colour, a dash and a shape of marks each, so that they can be told apart in grey too.

const COLOURS = 7;
const DASHES = [[], [8, 3], [7, 2, 2, 2], [3, 3], [10, 3, 2, 3, 2, 3], [5, 2], [12, 4]];
const SHAPES = ['circle', 'square', 'triangle', 'diamond', 'down', 'plus', 'cross'];

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colourOf = (index) => style(`--c${index % COLOURS}`);
// After seven curves the colours are repeated, with another dash and another shape.
const turn = (index) => index + Math.floor(index / COLOURS);
const dashOf = (index) => DASHES[turn(index) % DASHES.length];
const shapeOf = (index) => SHAPES[turn(index) % SHAPES.length];

// The points of a shape of radius r around the origin; a circle has none.
function corners(shape, r) {
  switch (shape) {
    case 'square': return [[-r, -r], [r, -r], [r, r], [-r, r]];
    case 'triangle': return [[0, -1.2 * r], [1.1 * r, 0.8 * r], [-1.1 * r, 0.8 * r]];
    case 'down': return [[0, 1.2 * r], [1.1 * r, -0.8 * r], [-1.1 * r, -0.8 * r]];
    case 'diamond': return [[0, -1.3 * r], [1.3 * r, 0], [0, 1.3 * r], [-1.3 * r, 0]];
    case 'plus': { const a = 0.4 * r, b = 1.2 * r; return [[-a, -b], [a, -b], [a, -a], [b, -a], [b, a], [a, a], [a, b], [-a, b], [-a, a], [-b, a], [-b, -a], [-a, -a]]; }
    case 'cross': { const h = Math.SQRT1_2; return corners('plus', r).map(([x, y]) => [h * (x - y), h * (x + y)]); }
    default: return null;
  }
}

function markPath(shape, x, y, r) {
  const path = new Path2D();
  const points = corners(shape, r);
  if (!points) path.arc(x, y, r, 0, 2 * Math.PI);
  else { points.forEach(([dx, dy], i) => (i ? path.lineTo(x + dx, y + dy) : path.moveTo(x + dx, y + dy))); path.closePath(); }
  return path;
}

// A sample of a curve for its label.
function sampleOf(index, { marks = true } = {}) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const set = (one, values) => { for (const [name, value] of Object.entries(values)) one.setAttribute(name, value); svg.append(one); };
  svg.setAttribute('width', '34');
  svg.setAttribute('height', '14');
  svg.setAttribute('aria-hidden', 'true');
  const colour = `var(--c${index % COLOURS})`;
  const line = document.createElementNS(space, 'path');
  set(line, { d: 'M1 7H33', fill: 'none', 'stroke-width': 2, 'stroke-dasharray': dashOf(index).join(' ') });
  line.style.stroke = colour;
  if (marks) {
    const points = corners(shapeOf(index), 4);
    const mark = document.createElementNS(space, points ? 'path' : 'circle');
    set(mark, points ? { d: `M${points.map(([x, y]) => `${17 + x} ${7 + y}`).join('L')}Z` } : { cx: 17, cy: 7, r: 4 });
    mark.style.fill = colour;
  }
  return svg;
}
