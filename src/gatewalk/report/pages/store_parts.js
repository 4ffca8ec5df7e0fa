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

// What the reader has opened, scrolled and focused, by data-key.
function kept(host) {
  const found = new Map();
  for (const one of host.querySelectorAll('[data-key]')) {
    found.set(one.dataset.key, { open: one.open, top: one.scrollTop, left: one.scrollLeft, focused: one === document.activeElement });
  }
  return found;
}

function restore(host, found) {
  for (const one of host.querySelectorAll('[data-key]')) {
    const before = found.get(one.dataset.key);
    if (!before) continue;
    if (before.open !== undefined) one.open = before.open;
    one.scrollTop = before.top;
    one.scrollLeft = before.left;
    if (before.focused) one.focus({ preventScroll: true });
  }
}

// Replace the children of an element. Parts with the same data-key stay open, scrolled and focused as they were.
function renew(host, ...children) {
  const found = kept(host);
  host.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  restore(host, found);
}

const capital = (words) => `${words[0].toUpperCase()}${words.slice(1)}`;

// Numbers as text: a twin of gatewalk/numbers.py, where the rules are. Missing numbers are null here.

const RAISED = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const raised = (power) => [...String(power)].map((sign) => RAISED[sign]).join('');
const isMissing = (value) => value === null || value === undefined || Number.isNaN(value);
const withCommas = (text) => text.replace(/\B(?=(?:\d{3})+(?!\d))(?<!\.\d*)/g, ',');
const withoutZeros = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

function powerOfTen(value, digits) {
  const [factor, power] = value.toExponential(digits - 1).split('e');
  return `${withoutZeros(factor)} · 10${raised(Number(power))}`;
}

// An estimate, to at most four digits.
function number(value, { digits = 4, short = false } = {}) {
  if (isMissing(value)) return '–';
  if (value < 0) return `−${number(-value, { digits, short })}`;
  if (value === Infinity) return '∞';
  if (value === 0) return '0';
  const rounded = Number(value.toPrecision(digits));
  const power = Number(value.toExponential(digits - 1).split('e')[1]);
  if (power < -4 || power >= (short ? 6 : 9)) return powerOfTen(value, short ? Math.min(digits, 2) : digits);
  return withoutZeros(withCommas(rounded.toFixed(Math.max(0, digits - 1 - power))));
}

// A whole number, in full.
function count(value) {
  if (isMissing(value)) return '–';
  if (value < 0) return `−${count(-value)}`;
  return value >= 1e12 ? powerOfTen(value, 4) : withCommas(String(value));
}

// A measured running time, which is infinite, null in the data of a page, if no run was solved.
const runningTime = (value) => (value === null || value === Infinity ? 'not solved' : number(value));

// The median of measured running times, which is null if too few runs were solved to know it.
const medianTime = (value) => (value === null ? 'not reached' : number(value));

function fixed(value, decimals) {
  if (isMissing(value)) return '–';
  if (Math.abs(value) === Infinity) return value > 0 ? '∞' : '−∞';
  const size = withCommas(Math.abs(value).toFixed(decimals));
  return value < 0 && /[1-9]/.test(size) ? `−${size}` : size;
}

// A share as a percentage: `share` in Python.
function percent(value) {
  if (isMissing(value)) return '–';
  const text = fixed(100 * value, 1);
  if (text === '100.0' && value < 1) return '> 99.9 %';
  if (text === '0.0' && value > 0) return '< 0.1 %';
  return `${text.replace(/\.0$/, '')} %`;
}

function probability(p) {
  if (isMissing(p)) return '–';
  if (p < 1e-300) return '< 10⁻³⁰⁰';
  return p >= 0.001 ? fixed(p, 3) : powerOfTen(p, 2);
}

function duration(seconds) {
  if (isMissing(seconds) || seconds === Infinity) return '–';
  if (seconds < 0.1) return seconds < 0.0005 ? '< 1 ms' : `${fixed(1000 * seconds, 0)} ms`;
  if (seconds < 9.95) return `${fixed(seconds, 1)} s`;
  const whole = Math.floor(seconds + 0.5);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const hours = Math.floor(whole / 3600);
  return hours < 48 ? `${hours} h ${Math.floor((whole % 3600) / 60)} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const span = (low, high, show = number) => `${low === null ? '0' : show(low)} to ${high === null ? '∞' : show(high)}`;

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

const unbroken = (words) => words.replace(/(\d) %/g, '$1\u00a0%').replace(/ · 10/g, '\u00a0·\u00a010');
const note = (words) => (words ? make('p', { class: 'note' }, unbroken(words)) : null);
const bullets = (lines) => (lines.length ? make('ul', { class: 'words' }, ...lines.map((line) => make('li', {}, unbroken(line)))) : null);
