// The page: words and tables, downloads, all sections from the data; light, dark and paper; reloads while a campaign runs.

function overviewSection(data) {
  const { counts, columns, rows } = data.overview;
  const card = (title, value, more) => make('div', {}, make('dt', {}, title), make('dd', {}, value, more ? make('small', {}, more) : null));
  const failed = counts.runs - counts.solved;
  renew(byId('counts'), make('dl', { class: 'counts' },
    card('Cells', count(counts.cells), counts.unfinished + counts.empty ? `${counts.unfinished + counts.empty} not finished` : 'all finished'),
    card('Runs', count(counts.runs), `of ${count(counts.planned)} requested`),
    card('Solved', counts.runs ? percent(counts.solved / counts.runs) : '–', `${count(counts.solved)} runs`),
    card('Censored', count(failed), 'ran out of budget'),
    card('Iterations', count(counts.iterations), 'in all runs'),
    card('Computing time', duration(counts.seconds), 'in all runs')));
  const at = Object.fromEntries(columns.map((name, place) => [name, place]));
  const shown = rows.map((row) => {
    const get = (name) => row[at[name]];
    const has = get('runs') > 0;
    return [get('cell'), String(get('n')), `${count(get('runs'))} of ${count(get('planned'))}`,
      has ? percent(get('rate')) : '–', has ? `${percent(get('rate_low'))} to ${percent(get('rate_high'))}` : '–', has ? count(get('runs') - get('solved')) : '–',
      has ? runningTime(get('ert')) : '–', has && get('ert') !== null ? span(get('ert_low'), get('ert_high')) : '–',
      has ? medianTime(get('median')) : '–', duration(get('seconds'))];
  });
  renew(byId('cells'),
    make('p', { class: 'note' }, 'ERT: iterations of all runs per success. Median: by Kaplan and Meier. Intervals are 95 %: Wilson’s for shares, bootstrap for ERT. Not reached: half of the runs or fewer were solved.'),
    rows.length ? table([['cell', 'name'], ['n', 'n'], ['runs', 'n'], ['solved', 'n'], ['95 %', 'n'], ['censored', 'n'], ['ERT', 'n'], ['95 %', 'n'], ['median', 'n'], ['time spent', 'n']], shown, { key: 'cells', caption: `Cells (${count(rows.length)}); times in iterations` }) : make('p', {}, 'The store has no cell yet.'),
    note(data.overview.note));
}

function growthSection(data) {
  const found = data.growth;
  const rows = found.curves.flatMap((curve) => curve.models.map((model, place) => {
    const [value, low, high] = model.rate;
    const letter = model.model === 'exponential' ? 'b' : 'a';
    const row = [place ? '' : curve.name, model.formula, number(model.scale[0]), span(model.scale[1], model.scale[2]), `${letter} = ${number(value)}`, span(low, high), fixed(model.weight, 2)];
    row.push(model.held ? `${number(model.held[1])} (${span(model.held[2], model.held[3])})` : '–', model.held ? `${number(model.held[4])} at n = ${model.held[0]}` : '–');
    return row;
  }));
  renew(byId('growth-body'),
    rows.length ? make('p', { class: 'note' }, `Fitted by maximum likelihood to all runs, censored ones too; intervals are 95 % bootstrap of ${found.resamples} resamples. The weight compares the three models of a curve by Akaike’s criterion. The last columns compare what the smaller n predict for the largest with the mean fitted to its own runs, which is above the ERT where runs are censored. Switch the fitted curves on above.`) : null,
    bullets(found.curves.map((curve) => curve.words)),
    rows.length ? table([['curve', 'name'], ['model', ''], ['c', 'n'], ['95 %', 'n'], ['rate', 'n'], ['95 %', 'n'], ['weight', 'n'], ['predicted from smaller n', 'n'], ['fitted there', 'n']], rows, { key: 'growth', caption: 'Growth models' }) : null,
    bullets(found.notes));
}

function effect([value, low, high]) {
  const at = (share) => `${(100 * share).toFixed(1)}%`;
  const interval = make('i'), dot = make('b');
  interval.style.left = at(low);
  interval.style.width = at(high - low);
  dot.style.left = at(value);
  return make('span', {}, make('span', { class: 'bar', 'aria-hidden': 'true' }, interval, dot), `${fixed(value, 2)} (${fixed(low, 2)} to ${fixed(high, 2)})`);
}

function comparisonsSection(data) {
  const parts = data.comparisons.options.flatMap((option) => {
    const rows = option.pairs.map((pair) => {
      const row = [pair.cells, pair.first, pair.second, effect(pair.a12), pair.effect, ...pair.ert.map(runningTime), probability(pair.rankSum), probability(pair.logRank),
        make('span', { class: 'verdict-words' }, pair.differs ? `${pair.a12[0] >= 0.5 ? pair.first : pair.second} is faster` : 'no difference shown')];
      row.kind = pair.differs ? '' : 'same';
      return row;
    });
    const read = later('Read out, pair by pair', `words-${option.by}`, option.pairs.length <= 6, () => bullets(option.pairs.map((pair) => `${pair.words}.`)));
    return [make('h3', {}, `By ${option.by}`), make('p', {}, option.words),
      table([['cells', 'name'], ['first', ''], ['second', ''], ['first is faster (A12)', ''], ['effect', ''], ['ERT first', 'n'], ['ERT second', 'n'], ['p rank sum', 'n'], ['p log-rank', 'n'], ['verdict', '']], rows, { key: `pairs-${option.by}`, caption: `Pairs by ${option.by}` }), read, note(option.note)];
  });
  renew(byId('comparisons-body'),
    parts.length ? make('p', { class: 'note' }, 'Every pair of cells that differ in one option alone. A12: the probability that a run of the first is faster than one of the second, ties counting half, with Newcombe’s 95 % interval; 0.5 is no difference. p-values are corrected by Holm for all tests of an option; below 0.05 a difference is shown. If budgets differ, both cells are cut at the smaller.') : null,
    ...parts, bullets(data.comparisons.notes));
}

function circuitsSection(data) {
  const { drawn, reason, note: words } = data.circuits;
  const figures = drawn.map((one) => make('figure', {}, make('h3', {}, one.target),
    one.svg ? make('img', { alt: `Circuit of ${one.target}: ${one.words}`, src: `data:image/svg+xml,${encodeURIComponent(one.svg)}` }) : null,
    make('figcaption', {}, one.words)));
  renew(byId('circuits-body'), reason ? make('p', {}, reason) : make('p', { class: 'note' }, 'For each target the smallest circuit among the runs that fit their training set; where all training sets are sampled, among those that do best on validation rows. Gates that are easily seen to be superfluous are left out.'), make('div', { class: 'circuits' }, ...figures), note(words));
}

function originSection(data) {
  const rows = data.origin.pairs.map(([name, value]) => [name, value]);
  renew(byId('origin-body'), table([['what', ''], ['value', 'name']], rows, { low: true, caption: 'As recorded in the store' }),
    data.origin.text ? make('details', { 'data-key': 'spec', open: data.origin.text.length < 3000 }, make('summary', {}, 'The campaign'), make('pre', { tabindex: 0 }, data.origin.text)) : null);
}

// Downloads: the data of the page as files, made in the browser.

function quoted(value) {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function save(blob, name) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function saveRuns(base, packed) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const zipped = new Blob([bytes], { type: 'application/gzip' });
  if (typeof DecompressionStream === 'undefined') { save(zipped, `${base}-runs.csv.gz`); return; }
  const plain = await new Response(zipped.stream().pipeThrough(new DecompressionStream('gzip'))).blob();
  save(new Blob([plain], { type: 'text/csv' }), `${base}-runs.csv`);
}

function downloadsSection(data) {
  const base = data.origin.pairs[0][1].replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9._-]+/g, '-') || 'report';
  const packed = byId('runs').textContent;
  const cells = () => save(new Blob([[data.overview.columns, ...data.overview.rows].map((row) => row.map(quoted).join(',')).join('\n'), '\n'], { type: 'text/csv' }), `${base}-cells.csv`);
  const all = () => save(new Blob([JSON.stringify(data, null, 1)], { type: 'application/json' }), `${base}-report.json`);
  renew(byId('downloads-body'),
    make('div', { class: 'buttons' },
      make('button', { type: 'button', id: 'save-cells', 'data-key': 'save-cells', onclick: cells }, 'Cells as CSV'),
      packed ? make('button', { type: 'button', id: 'save-runs', 'data-key': 'save-runs', onclick: () => saveRuns(base, packed) }, 'Runs as CSV') : null,
      make('button', { type: 'button', id: 'save-data', 'data-key': 'save-data', onclick: all }, 'All of this page as JSON')),
    packed ? null : make('p', { class: 'note' }, 'The runs themselves are not in this page; gatewalk campaign export STORE --to csv --out runs.csv writes them.'));
}

const SECTIONS = [overviewSection, timesSection, distributionsSection, growthSection, comparisonsSection, generalisationSection, circuitsSection, originSection, downloadsSection];
const READING_SECONDS = 4; // after the pointer moved in a chart
const reloadSeconds = Number(document.documentElement.dataset.reload);
const data = JSON.parse(byId('data').textContent);
let before = history.state; // what the reader had switched, opened and scrolled to when the page was loaded again

function show() {
  const age = (Date.now() - Date.parse(data.made.replace(' UTC', 'Z').replace(' ', 'T'))) / 1000;
  byId('made').textContent = `Data of ${data.made}.`;
  if (reloadSeconds && age > 60 + 10 * reloadSeconds) say(`This page has not been renewed since ${data.made}: nothing follows the campaign any more.`, 'gone');
  else if (data.state.running) say(`${capital(data.state.words)}.${reloadSeconds ? ' This page follows it.' : ''}`, 'running');
  else say(`${capital(data.state.words)}.`);
  if (before) Object.assign(view, before.view);
  renderFrom(0);
}

// One section after the other, so that the first can be read and used while the others are made.
function renderFrom(place) {
  SECTIONS[place](data);
  if (place + 1 < SECTIONS.length) { setTimeout(renderFrom, 0, place + 1); return; }
  if (before) { restore(document, before.kept); scrollTo({ top: before.top, behavior: 'instant' }); before = null; }
  document.body.dataset.ready = data.made;
}

// While a campaign runs, this file is rewritten again and again. Load it, unless the reader is reading a chart.
let pointed = -Infinity;
addEventListener('pointermove', (event) => { if (event.target.closest('.plot')) pointed = performance.now(); });
function reload() {
  if (document.hidden || performance.now() - pointed < 1000 * READING_SECONDS) { setTimeout(reload, 500); return; }
  history.replaceState({ view, kept: kept(document), top: scrollY }, '');
  location.reload();
}

function say(words, kind = '') {
  const state = byId('state');
  if (state.textContent !== words) state.textContent = words;
  state.className = kind;
}

const redraw = () => { if (data) { timesSection(data); distributionsSection(data); generalisationSection(data); } };

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
addEventListener('beforeprint', () => { document.documentElement.dataset.print = ''; redraw(); });
addEventListener('afterprint', () => { delete document.documentElement.dataset.print; redraw(); });
if (data) show();
else say('The campaign is about to begin.');
if (reloadSeconds) setTimeout(reload, 1000 * reloadSeconds);
