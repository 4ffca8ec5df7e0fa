// Words, numbers and elements. Every text of the data goes into the page as text, never as markup.

const byId = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name === 'checked' || name === 'disabled' || name === 'open' || name === 'selected') made[name] = true;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// Replace the children of an element. Parts with the same data-key stay open, scrolled and focused as they were.
function renew(host, ...children) {
  const kept = new Map();
  for (const one of host.querySelectorAll('[data-key]')) {
    kept.set(one.dataset.key, { open: one.open, top: one.scrollTop, left: one.scrollLeft, focused: one === document.activeElement });
  }
  host.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  for (const one of host.querySelectorAll('[data-key]')) {
    const before = kept.get(one.dataset.key);
    if (!before) continue;
    if (before.open !== undefined) one.open = before.open;
    one.scrollTop = before.top;
    one.scrollLeft = before.left;
    if (before.focused) one.focus({ preventScroll: true });
  }
}

const SUPERSCRIPTS = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const raised = (whole) => [...String(whole)].map((sign) => SUPERSCRIPTS[sign]).join('');

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const BROKEN = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
const whole = (value) => WHOLE.format(value);

const capital = (words) => `${words[0].toUpperCase()}${words.slice(1)}`;

// A number as text: four digits, whole numbers in full below ten million, a dash for a missing one.
function number(value, digits = 4) {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0';
  if (value < 0) return `−${number(-value, digits)}`;
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) {
    const [digit, power] = value.toExponential(2).split('e');
    return `${digit} × 10${raised(Number(power))}`;
  }
  if (Number.isInteger(value) || size >= 10 ** digits) return whole(value);
  return BROKEN.format(Number(value.toPrecision(digits)));
}

const percent = (share, digits = 1) => (share === null ? '–' : `${(100 * share).toFixed(share === 1 || share === 0 ? 0 : digits)} %`);
const span = (low, high, show = number) => `${low === null ? '0' : show(low)} to ${high === null ? '∞' : show(high)}`;

function probability(p) {
  if (p === null) return '–';
  if (p === 0) return '< 10⁻³⁰⁰';
  if (p >= 0.001) return p.toFixed(3);
  const [digit, power] = p.toExponential(0).split('e');
  return `${digit} × 10${raised(Number(power))}`;
}

function duration(seconds) {
  if (seconds === null) return '–';
  if (seconds < 0.1) return seconds < 0.0005 ? '< 1 ms' : `${(1000 * seconds).toFixed(0)} ms`;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}

// A table in a frame that scrolls. columns: [title, class]; rows of texts or elements; a row may have a class.
function table(columns, rows, { key, caption, low } = {}) {
  const head = make('tr', {}, ...columns.map(([title, kind]) => make('th', { scope: 'col', class: kind }, title)));
  const body = rows.map((row) => make('tr', { class: row.kind }, ...row.map((cell, place) => make('td', { class: columns[place][1] }, cell))));
  return make('div', { class: low ? 'scroll low' : 'scroll', 'data-key': key, tabindex: 0, role: 'group', 'aria-label': caption || 'Table' },
    make('table', {}, caption ? make('caption', {}, caption) : null, make('thead', {}, head), make('tbody', {}, ...body)));
}

// A collapsible part whose body is made when it is first opened.
function later(summary, key, open, body) {
  const made = make('details', { 'data-key': key, open }, make('summary', {}, summary));
  const fill = () => { if (made.open && made.children.length === 1) made.append(body()); };
  made.addEventListener('toggle', fill);
  fill();
  return made;
}

const note = (words) => (words ? make('p', { class: 'note' }, words) : null);
const bullets = (lines) => (lines.length ? make('ul', { class: 'words' }, ...lines.map((line) => make('li', {}, line))) : null);
