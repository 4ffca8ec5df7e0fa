// Shares of runs: those solved within a time, by Kaplan and Meier, and those that are right on unseen rows, against n.

function distributionsSection(data) {
  const all = data.distributions.cells;
  byId('distributions-body').hidden = !all.length;
  byId('distributions-note').textContent = data.distributions.reason || [
    'The share of runs solved within so many iterations, by Kaplan and Meier: a run that was given up counts as unsolved up to its budget.',
    data.distributions.note].join(' ').trim();
  if (!all.length) { undraw(byId('distributions-chart')); return; }
  const chosen = view.steps, again = () => distributionsSection(data);
  const sizes = [...new Set(all.map((cell) => cell.n))].sort((a, b) => a - b);
  if (chosen.n !== 'all' && !sizes.includes(chosen.n)) chosen.n = fullest(all, sizes);
  const switches = [];
  if (sizes.length > 1) {
    const select = make('select', { 'data-key': 'size', 'aria-label': 'Size', onchange: (event) => { chosen.n = event.target.value === 'all' ? 'all' : Number(event.target.value); again(); } },
      make('option', { value: 'all', selected: chosen.n === 'all' }, 'all sizes'),
      ...sizes.map((n) => make('option', { value: n, selected: chosen.n === n }, `n = ${n}`)));
    switches.push(group('Cells of', select));
  }
  switches.push(scaleChoice('Time', 'steps-x', chosen.log, (log) => { chosen.log = log; again(); }));
  const shows = [choice('95 % bands', chosen.band, (on) => { chosen.band = on; again(); }, { key: 'band' })];
  if (all.some((cell) => cell.exact)) shows.push(choice('exact distribution', chosen.exact, (on) => { chosen.exact = on; again(); }, { key: 'law' }));
  switches.push(group('Show', ...shows));
  renew(byId('distributions-switches'), ...switches);
  const cells = all.filter((cell) => chosen.n === 'all' || cell.n === chosen.n).map((cell, index) => ({ ...cell, index }));
  curveChoice(byId('distributions-curves'), 'Cells', cells.map((cell) => cell.name), chosen.cells, again, { marks: false });
  drawSteps(cells.filter((cell) => isOn(chosen.cells, cell.name, cell.index)), chosen);
  renew(byId('distributions-fits'), ...fitsToChains(data.distributions));
}

// The runs of every cell compared with the exact distribution of its chain: a row each, and a line on what the numbers mean.
function fitsToChains({ cells, fits, unsolved }) {
  const rows = cells.filter((cell) => cell.fit).map(({ name, runs, fit: [distance, p, differs] }) => {
    const row = [name, count(runs), fixed(distance, 3), probability(p), make('span', { class: 'verdict-words' }, differs ? 'differ' : 'no difference shown')];
    row.kind = differs ? '' : 'same';
    return row;
  });
  if (!rows.length) return [note(unsolved)];
  return [make('h3', {}, 'Runs compared with their Markov chains'),
    table([['cell', 'name'], ['runs', 'n'], ['largest distance', 'n'], ['p', 'n'], ['runs and chain', '']], rows, { key: 'fits', caption: 'Runs and exact distributions' }),
    note(fits), note(unsolved)];
}

// The size with the most cells, the largest of several.
function fullest(cells, sizes) {
  const count = (n) => cells.filter((cell) => cell.n === n).length;
  return sizes.reduce((best, n) => (count(n) >= count(best) ? n : best), sizes[0]);
}

function drawSteps(visible, chosen) {
  const place = (t) => (chosen.log ? t + 1 : t);
  const tables = [], made = [];
  const end = Math.max(1, ...visible.map((cell) => cell.times[cell.times.length - 1]));
  for (const cell of visible) {
    const zero = cell.times[0] === 0 ? [] : [0];
    const times = [...zero, ...cell.times].map(place), start = zero.map(() => 0);
    tables.push([times, [...start, ...cell.share], [...start, ...cell.low], [...start, ...cell.high]]);
    made.push({ cell, kind: 'share' }, { cell, kind: 'low' }, { cell, kind: 'high' });
    if (chosen.exact && cell.exact) { tables.push([cell.exact[0].map(place), cell.exact[1]]); made.push({ cell, kind: 'exact' }); }
  }
  const joined = tables.length ? uPlot.join(tables) : [[place(0), place(1)]];
  const series = [], bands = [];
  made.forEach(({ cell, kind }, i) => {
    const values = joined[i + 1], colour = colourOf(cell.index);
    if (kind === 'share') series.push(lined(values, colour, { dash: dashOf(cell.index), steps: true }));
    else if (kind === 'exact') series.push(lined(values, style('--text'), { dash: [2, 2], width: 1.4, steps: true }));
    else series.push(lined(values, 'rgba(0,0,0,0)', { steps: true, width: 0 }));
    if (kind === 'high' && chosen.band) bands.push({ series: [i + 1, i], fill: faded(colour) });
  });
  const x = joined[0];
  const xRange = chosen.log ? reach([1, place(end)], true) : [0, 1.03 * end];
  const read = (at) => readSteps(visible, chosen.log ? x[at] - 1 : x[at]);
  draw(byId('distributions-chart'), { x, series, bands, xLog: chosen.log, yLog: false, xRange, yRange: [0, 1.03], xLabel: chosen.log ? 'iterations + 1' : 'iterations', yLabel: 'share of runs solved', read });
  read(Math.floor(x.length / 2));
  const words = [];
  if (!visible.length) words.push('No cell is switched on.');
  if (chosen.band && visible.length) words.push('Bands: 95 % intervals, each for its time alone.');
  if (chosen.exact && visible.some((cell) => cell.exact)) words.push('Dotted in black or white: the exact distribution.');
  if (visible.some((cell) => cell.thinned)) words.push('Steps are thinned; those that are shown are where they were measured.');
  if (visible.some((cell) => cell.solved < cell.runs)) words.push('A curve that ends below 1 has runs that failed.');
  byId('distributions-caption').textContent = words.join(' ');
}

const faded = (colour) => `${colour}26`;

function readSteps(visible, time) {
  const rows = visible.map((cell) => {
    let at = -1;
    while (at + 1 < cell.times.length && cell.times[at + 1] <= time) at += 1;
    const row = [make('span', {}, sampleOf(cell.index, { marks: false }), cell.name)];
    row.push(percent(at < 0 ? 0 : cell.share[at]));
    row.push(at < 0 ? '–' : `${percent(cell.low[at])} to ${percent(cell.high[at])}`);
    row.push(`${count(cell.solved)} of ${count(cell.runs)}`);
    return row;
  });
  readOut('distributions-readout', `within ${count(time)} iterations`, [['cell', 'name'], ['solved by then', 'n'], ['95 %', 'n'], ['solved at all', 'n']], rows);
}

const SHARES = {
  mean: { words: 'right outputs', label: 'mean share of right outputs', interval: 't intervals' },
  perfect: { words: 'runs that are right on all rows', label: 'share of runs with all outputs right', interval: 'Wilson’s intervals' },
};
function generalisationSection(data) {
  const { unseen } = view;
  const { rows, reason } = data.generalisation;
  byId('generalisation-note').textContent = reason || 'Programs that were trained on sampled rows, evaluated on validation rows that were drawn independently: the mean share of right outputs (95 % t interval), and the share of runs that get all of them right (Wilson’s 95 % interval).';
  const shown = rows.map((row) => [row.cell, String(row.n), row.training, count(row.runs), percent(row.mean[0]), span(row.mean[1], row.mean[2], percent), percent(row.perfect[0]), span(row.perfect[1], row.perfect[2], percent)]);
  renew(byId('generalisation-table'),
    rows.length ? table([['cell', 'name'], ['n', 'n'], ['training', ''], ['runs', 'n'], ['right outputs', 'n'], ['95 %', 'n'], ['all right', 'n'], ['95 %', 'n']], shown, { key: 'generalisation', caption: 'Generalisation' }) : null);
  const places = [...new Set(rows.map((row) => row.n))].sort((a, b) => a - b);
  byId('generalisation-body').hidden = places.length < 2; // one size is a row of the table, and no curve
  if (places.length < 2) { undraw(byId('generalisation-chart')); return; }
  const again = () => generalisationSection(data);
  const names = [...new Set(rows.map((row) => row.curve))];
  const curves = names.map((name, index) => ({ name, index, at: new Map(rows.filter((row) => row.curve === name).map((row) => [row.n, row])) }));
  renew(byId('generalisation-switches'),
    group('Share of', ...Object.entries(SHARES).map(([share, { words }]) => choice(words, unseen.share === share, () => { unseen.share = share; again(); }, { type: 'radio', group: 'unseen-share', key: `unseen-${share}` }))),
    scaleChoice('Inputs n', 'unseen-x', unseen.xLog, (log) => { unseen.xLog = log; again(); }),
    group('Show', choice('95 % intervals', unseen.intervals, (on) => { unseen.intervals = on; again(); }, { key: 'unseen-intervals' })));
  curveChoice(byId('generalisation-curves'), 'Curves', names, unseen.curves, again);
  drawShares(curves.filter((curve) => isOn(unseen.curves, curve.name, curve.index)), places);
}

function drawShares(visible, places) {
  const { unseen } = view;
  const { label, interval } = SHARES[unseen.share];
  const series = [], values = [1];
  visible.forEach((curve, order) => {
    const colour = colourOf(curve.index), aside = asideOf(order, visible.length);
    const at = places.map((n) => (curve.at.has(n) ? curve.at.get(n)[unseen.share] : null));
    const shares = at.map((found) => found && found[0]);
    values.push(...at.flatMap((found) => (found ? (unseen.intervals ? found : [found[0]]) : [])));
    series.push(lined(shares, colour, { dash: dashOf(curve.index) }));
    series.push(painted(shares, (context, px, py, i, u) => {
      const k = devicePixelRatio, x = px + aside * k;
      Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: 1.3 * k });
      if (unseen.intervals) whisker(context, x, u.valToPos(at[i][2], 'y', true), u.valToPos(at[i][1], 'y', true), k, false);
      context.fill(markPath(shapeOf(curve.index), x, py, 4 * k));
    }));
  });
  const lowest = Math.min(...values), room = lowest < 1 ? 1 - lowest : 1;
  const yRange = [Math.max(0, 1 - 1.06 * room), 1 + 0.04 * room];
  const read = (place) => readShares(visible, places[place]);
  draw(byId('generalisation-chart'), { x: places, series, xLog: unseen.xLog, yLog: false, xRange: reach(places, unseen.xLog), yRange, xPlaces: places, xLabel: 'number of inputs n', yLabel: label, read });
  read(places.length - 1);
  byId('generalisation-caption').textContent = !visible.length ? 'No curve is switched on.'
    : unseen.intervals ? `Bars: 95 % ${interval}; curves that share a place are drawn side by side.` : '';
}

function readShares(visible, n) {
  const rows = visible.map((curve) => {
    const found = curve.at.get(n), name = make('span', {}, sampleOf(curve.index), curve.name);
    if (!found) return [name, '–', '–', '–', '–', '–'];
    const both = [found.mean, found.perfect].flatMap(([share, low, high]) => [percent(share), span(low, high, percent)]);
    return [name, ...both, count(found.runs)];
  });
  readOut('generalisation-readout', `n = ${count(n)}, on unseen rows`, [['curve', 'name'], ['right outputs', 'n'], ['95 %', 'n'], ['all right', 'n'], ['95 %', 'n'], ['runs', 'n']], rows);
}
