// Generalisation: how programs trained on samples do on rows they have not seen, as a chart against n and as a table.

const SHARES = {
  mean: { words: 'right outputs', label: 'mean share of right outputs', interval: 't intervals' },
  perfect: { words: 'runs that are right on all rows', label: 'share of runs with all outputs right', interval: 'Wilson’s intervals' },
};
const unseen = { share: 'mean', xLog: true, intervals: true, curves: new Map() }; // what the reader has switched

function generalisationSection(data) {
  const { rows, reason } = data.generalisation;
  byId('generalisation-note').textContent = reason || 'Programs that were trained on sampled rows, judged on validation rows that were drawn independently: the mean share of right outputs (95 % t interval), and the share of runs that get all of them right (Wilson’s 95 % interval).';
  const shown = rows.map((row) => [row.cell, String(row.n), row.training, number(row.runs), percent(row.mean[0]), span(row.mean[1], row.mean[2], percent), percent(row.perfect[0]), span(row.perfect[1], row.perfect[2], percent)]);
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
    return [name, ...both, number(found.runs)];
  });
  readOut('generalisation-readout', `n = ${whole(n)}, on unseen rows`, [['curve', 'name'], ['right outputs', 'n'], ['95 %', 'n'], ['all right', 'n'], ['95 %', 'n'], ['runs', 'n']], rows);
}
