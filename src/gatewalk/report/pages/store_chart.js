// Charts by uPlot: the look of curves, axes, marks, the keys that move along them, and the switches beside them.

const PAPER_WIDTH = 640; // pixels, less than the narrowest usual sheet has
const isPaper = () => 'print' in document.documentElement.dataset;
const charts = new Map(); // by the element they are in

// Round numbers from low to high, about as many as there is room for.
function linearTicks(low, high, room) {
  const rough = (high - low) / Math.max(1, room);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((digit) => digit * power >= rough) || 10);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12) + 1e-12; i += 1) found.push(Number((i * step).toPrecision(12)));
  return found;
}

// Powers of ten, and digits between them where there is room.
function logTicks(low, high, room) {
  const decades = Math.log10(high / low);
  if (decades < 0.35) return linearTicks(low, high, room).filter((value) => value > 0);
  const choices = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1]];
  const digits = choices.find((some) => some.length * decades <= room) || [1];
  const stride = Math.max(1, Math.ceil((digits.length * decades) / Math.max(1, room)));
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high) + 1e-9; power += 1) {
    if (power % stride) continue;
    for (const digit of digits) {
      const value = Number((digit * 10 ** power).toPrecision(6));
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) found.push(value);
    }
  }
  return found;
}

// The ticks whose labels do not touch; the first and the last are kept before others.
function spaced(places, position, gap) {
  const kept = [];
  const order = [places[0], places[places.length - 1], ...places];
  for (const place of order) {
    if (kept.every((other) => other === place || Math.abs(position(other) - position(place)) >= gap) && !kept.includes(place)) kept.push(place);
  }
  return kept.sort((a, b) => a - b);
}

// isLarge: whether the axis goes so far that its large numbers are powers of ten, all of them.
function tickWords(value, isLarge) {
  if (value === 0) return '0';
  const power = Math.round(Math.log10(Math.abs(value)));
  if (Math.abs(value) < 1e-3 || (isLarge && Math.abs(value) >= 1e4)) {
    if (Math.abs(value / 10 ** power - 1) < 1e-9) return `10${raised(power)}`;
    const [digit, exponent] = value.toExponential(1).split('e');
    return `${Number(digit)} · 10${raised(Number(exponent))}`;
  }
  return number(value, { digits: 6 });
}

function axis(spec, which) {
  const isX = which === 'x';
  const font = '12px system-ui, sans-serif';
  return {
    scale: which,
    label: isX ? spec.xLabel : spec.yLabel,
    labelFont: `600 12px system-ui, sans-serif`,
    labelSize: 20,
    labelGap: isX ? 2 : 0,
    font,
    size: isX ? 30 : 58,
    gap: 4,
    stroke: style('--soft'),
    grid: { stroke: style('--grid'), width: 1 },
    ticks: { stroke: style('--grid'), width: 1, size: 5 },
    filter: (u, splits) => splits,
    splits: (u, _, low, high) => {
      const pixels = (isX ? u.bbox.width : u.bbox.height) / devicePixelRatio;
      if (isX && spec.xPlaces) return spaced(spec.xPlaces, (value) => u.valToPos(value, 'x'), 34);
      const room = Math.max(2, Math.floor(pixels / (isX ? 70 : 38)));
      return (isX ? spec.xLog : spec.yLog) ? logTicks(low, high, room) : linearTicks(low, high, room);
    },
    values: (u, splits) => splits.map((value) => (isX && spec.xPlaces ? String(value) : tickWords(value, splits[splits.length - 1] >= 1e6))),
  };
}

function options(spec, width, height) {
  const scale = (log, range) => ({ time: false, auto: false, distr: log ? 3 : 1, log: 10, range: () => range });
  return {
    width,
    height,
    legend: { show: false },
    padding: [10, 24, 0, 0],
    cursor: { drag: { x: false, y: false, setScale: false }, points: { show: false }, y: false },
    scales: { x: scale(spec.xLog, spec.xRange), y: scale(spec.yLog, spec.yRange) },
    axes: [axis(spec, 'x'), axis(spec, 'y')],
    series: [{}, ...spec.series.map((one) => ({ spanGaps: true, points: { show: false }, scale: 'y', ...one.options }))],
    bands: spec.bands || [],
    hooks: { setCursor: [(u) => { if (u.cursor.idx !== null && u.cursor.idx !== undefined) spec.read(u.cursor.idx); }] },
  };
}

const heightFor = (width) => Math.round(Math.min(470, Math.max(270, 0.52 * width)));

// Draw, or draw again, the chart of an element. spec.read: called with the place that is pointed at.
function draw(host, spec) {
  const known = charts.get(host);
  if (known) known.plot.destroy();
  const width = isPaper() ? PAPER_WIDTH : Math.floor(host.clientWidth) || 320;
  const plot = new uPlot(options(spec, width, heightFor(width)), [spec.x, ...spec.series.map((one) => one.values)], host);
  if (known) { known.plot = plot; known.spec = spec; return; }
  const made = { plot, spec };
  charts.set(host, made);
  new ResizeObserver(() => {
    const now = Math.floor(host.clientWidth);
    if (!isPaper() && now && now !== made.plot.width) made.plot.setSize({ width: now, height: heightFor(now) });
  }).observe(host);
  host.addEventListener('keydown', (event) => move(made, event));
}

function undraw(host) {
  const known = charts.get(host);
  if (known) { known.plot.destroy(); known.plot = { destroy() {}, setSize() {}, width: 0 }; known.spec = null; }
}

function move(made, event) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  if (!made.spec || !(event.key in steps)) return;
  event.preventDefault();
  const now = made.plot.cursor.idx ?? made.spec.x.length - 1;
  const next = Math.min(made.spec.x.length - 1, Math.max(0, now + steps[event.key]));
  const left = made.plot.valToPos(made.spec.x[next], 'x');
  made.plot.setCursor({ left, top: 10 });
}

// Ranges with some room at both ends.
function reach(values, log, { floor } = {}) {
  const usable = values.filter((value) => value !== null && value !== undefined && (!log || value > 0));
  if (!usable.length) return log ? [1, 10] : [0, 1];
  let low = Math.min(...usable), high = Math.max(...usable);
  if (log) {
    if (low === high) return [low / 2, high * 2];
    const room = (high / low) ** 0.06;
    return [low / room, high * room];
  }
  if (low === high) { low -= 1; high += 1; }
  const room = 0.06 * (high - low);
  return [floor !== undefined ? floor : low - room, high + room];
}

// A series of marks that `paint(context, x, y, place)` draws itself, in pixels of the canvas.
function painted(values, paint) {
  return {
    values,
    options: {
      paths: (u, index, first, last) => {
        const context = u.ctx, { left, top, width, height } = u.bbox;
        context.save();
        context.beginPath();
        context.rect(left - 8, top - 8, width + 16, height + 16);
        context.clip();
        for (let i = first; i <= last; i += 1) {
          const value = u.data[index][i];
          if (value === null || value === undefined) continue;
          paint(context, u.valToPos(u.data[0][i], 'x', true), u.valToPos(value, 'y', true), i, u);
        }
        context.restore();
        return null;
      },
    },
  };
}

const lined = (values, colour, { dash = [], width = 2, alpha = 1, steps = false } = {}) => ({
  values, options: { stroke: colour, width, dash, alpha, paths: steps ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear() },
});

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

// How far a curve's marks stand beside their place, in pixels, to leave those of the others uncovered.
const asideOf = (order, count) => (order - (count - 1) / 2) * Math.min(3, 24 / Math.max(1, count));

function whisker(context, x, top, bottom, k, endless) {
  context.beginPath();
  context.moveTo(x, bottom);
  context.lineTo(x, top);
  context.moveTo(x - 3 * k, bottom);
  context.lineTo(x + 3 * k, bottom);
  if (endless) { context.moveTo(x - 4 * k, top + 5 * k); context.lineTo(x, top); context.lineTo(x + 4 * k, top + 5 * k); }
  else { context.moveTo(x - 3 * k, top); context.lineTo(x + 3 * k, top); }
  context.stroke();
}

function arrow(context, x, y, k) {
  context.lineWidth = 2 * k;
  context.beginPath();
  context.moveTo(x, y + 7 * k);
  context.lineTo(x, y - 7 * k);
  context.moveTo(x - 4 * k, y - 2 * k);
  context.lineTo(x, y - 7 * k);
  context.lineTo(x + 4 * k, y - 2 * k);
  context.stroke();
}

const SHOWN = 8; // curves that are on at first
// What the reader has switched; it survives a reload of the page.
const view = {
  axis: 'n', xLog: true, yLog: true, intervals: true, bound: false, exact: true, models: new Set(), curves: new Map(),
  steps: { log: true, band: true, exact: true, n: null, cells: new Map() },
  unseen: { share: 'mean', xLog: true, intervals: true, curves: new Map() },
};

const isOn = (chosen, name, place) => (chosen.has(name) ? chosen.get(name) : place < SHOWN);

function choice(words, checked, change, { type = 'checkbox', group, key } = {}) {
  const input = make('input', { type, name: group, checked, 'data-key': key, onchange: (event) => change(event.target.checked) });
  return make('label', {}, input, words);
}

const group = (title, ...children) => make('fieldset', {}, make('legend', {}, title), ...children);

function scaleChoice(title, name, isLog, change) {
  return group(title,
    choice('logarithmic', isLog, () => change(true), { type: 'radio', group: name, key: `${name}-log` }),
    choice('linear', !isLog, () => change(false), { type: 'radio', group: name, key: `${name}-linear` }));
}

// Labels of all curves, to switch them on and off.
function curveChoice(host, title, names, chosen, again, { marks = true } = {}) {
  const set = (value) => { names.forEach((name) => chosen.set(name, value)); again(); };
  const labels = names.map((name, place) => {
    const on = isOn(chosen, name, place);
    const input = make('input', { type: 'checkbox', checked: on, 'data-key': `curve-${name}`, onchange: (event) => { chosen.set(name, event.target.checked); again(); } });
    return make('label', { class: on ? 'name on' : 'name' }, input, sampleOf(place, { marks }), make('span', {}, name));
  });
  const buttons = names.length > 3
    ? make('div', { class: 'all' }, make('button', { type: 'button', 'data-key': 'all', onclick: () => set(true) }, 'All'),
      make('button', { type: 'button', 'data-key': 'none', onclick: () => set(false) }, 'None'))
    : null;
  const field = make('fieldset', { 'data-key': 'curves' }, make('legend', {}, `${title} (${names.length})`));
  if (buttons) field.append(buttons);
  field.append(...labels);
  renew(host, field);
}

// The numbers under the pointer, as a table below the chart.
function readOut(id, caption, columns, rows) {
  const shown = table(columns, rows, { caption }).firstChild;
  byId(id).replaceChildren(shown);
}
