// Running time along an axis: measured curves with intervals, bounds, exact values and fitted models.

const MODELS = { power: 'c nᵃ', 'power-log': 'c nᵃ log n', exponential: 'c bⁿ' };

function timesSection(data) {
  const axes = data.times.axes;
  byId('times-body').hidden = !axes.length;
  const at = axes.find((one) => one.x === view.axis) || axes[0];
  byId('times-note').textContent = data.times.reason || [
    'Expected running time (ERT): the iterations of all runs, failed ones too, per success.', at.note].join(' ').trim();
  if (!at) { undraw(byId('times-chart')); return; }
  const again = () => timesSection(data);
  const curves = at.curves.map((curve, index) => ({ ...curve, index }));
  const fits = at.x === 'n' ? data.growth.curves : [];
  const has = (field) => curves.some((curve) => curve[field].some((value) => value !== null));
  const visible = curves.filter((curve) => isOn(view.curves, curve.name, curve.index));
  const drawn = visible.length ? visible : curves;
  const places = [...new Set(drawn.flatMap((curve) => curve.at))].sort((a, b) => a - b);
  const canLog = places.length > 1 && places[0] > 0;
  const switches = [];
  if (axes.length > 1) {
    const select = make('select', { 'data-key': 'axis', 'aria-label': 'Horizontal axis', onchange: (event) => { view.axis = event.target.value; again(); } },
      ...axes.map((one) => make('option', { value: one.x, selected: one === at }, one.words)));
    switches.push(group('Along', select));
  }
  switches.push(scaleChoice('Time', 'times-y', view.yLog, (log) => { view.yLog = log; again(); }));
  if (canLog) switches.push(scaleChoice(capital(at.words.replace(/^number of /, '')), 'times-x', view.xLog, (log) => { view.xLog = log; again(); }));
  const shows = [choice('95 % intervals', view.intervals, (on) => { view.intervals = on; again(); }, { key: 'intervals' })];
  const names = [...new Set(curves.map((curve) => curve.boundName).filter(Boolean))];
  if (has('bound')) shows.push(choice(`proven bound (${names.join(', ')})`, view.bound, (on) => { view.bound = on; again(); }, { key: 'bound' }));
  if (has('exact')) shows.push(choice('exact expectation', view.exact, (on) => { view.exact = on; again(); }, { key: 'exact' }));
  switches.push(group('Show', ...shows));
  if (fits.length) {
    switches.push(group('Fitted models', ...Object.entries(MODELS).map(([model, formula]) => choice(formula, view.models.has(model),
      (on) => { if (on) view.models.add(model); else view.models.delete(model); again(); }, { key: `model-${model}` }))));
  }
  renew(byId('times-switches'), ...switches);
  curveChoice(byId('times-curves'), 'Curves', curves.map((curve) => curve.name), view.curves, again);
  drawTimes(at, visible, fits, canLog && view.xLog, places);
}

function drawTimes(at, visible, fits, xLog, places) {
  const models = [...view.models];
  const fitOf = (curve, model) => {
    const found = fits.find((fit) => fit.name === curve.name);
    const one = found && found.models.find((each) => each.model === model);
    return one ? new Map(found.at.map((n, i) => [n, one.values[i]])) : null;
  };
  const grid = models.length ? fits.filter((fit) => visible.some((curve) => curve.name === fit.name)).flatMap((fit) => fit.at) : [];
  const x = [...new Set([...places, ...grid])].sort((a, b) => a - b);
  const usable = (value) => (value === null || value === undefined || (view.yLog && value <= 0) ? null : value);
  const series = [], measured = [], others = [], seen = new Set();
  const maps = visible.map((curve) => new Map(curve.at.map((n, i) => [n, i])));
  visible.forEach((curve, order) => {
    const colour = colourOf(curve.index);
    const column = (field) => x.map((n) => (maps[order].has(n) ? usable(curve[field][maps[order].get(n)]) : null));
    curve.at.forEach((_, i) => {
      if (curve.ert[i] === null) seen.add('unsolved');
      else if (curve.solved[i] < curve.runs[i]) seen.add('failed');
      if (curve.ert[i] !== null && curve.high[i] === null && view.intervals) seen.add('endless');
    });
    const ert = column('ert'), low = column('low'), high = column('high'), spent = column('spent');
    measured.push(...ert, ...spent.filter((_, i) => ert[i] === null));
    if (view.intervals) measured.push(...low, ...high.map((value, i) => (value === null && ert[i] !== null ? spent[i] : value)));
    if (view.bound) {
      const bound = column('bound');
      if (bound.some((value) => value !== null)) { others.push(...bound); series.push(lined(bound, colour, { dash: [2, 4], width: 1.5 })); seen.add('bound'); }
    }
    for (const model of models) {
      const fit = fitOf(curve, model);
      if (!fit) continue;
      const values = x.map((n) => usable(fit.get(n)));
      others.push(...values);
      series.push(lined(values, colour, { dash: [6, 5], width: 1.2 }));
      seen.add('fit');
    }
    series.push(lined(ert, colour, { dash: dashOf(curve.index) }));
    const aside = asideOf(order, visible.length);
    series.push(painted(x.map((_, i) => ert[i] ?? spent[i]), (context, px, py, i, u) => {
      const k = devicePixelRatio, at = px + aside * k, place = maps[order].get(x[i]);
      Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: 1.3 * k });
      if (ert[i] === null) { arrow(context, at, py, k); return; }
      if (view.intervals) {
        const top = high[i] === null ? Math.min(py - 16 * k, u.valToPos(spent[i], 'y', true)) : u.valToPos(high[i], 'y', true);
        const bottom = u.valToPos(low[i] ?? u.scales.y.min, 'y', true);
        whisker(context, at, top, bottom, k, high[i] === null);
      }
      const full = curve.solved[place] === curve.runs[place];
      if (!full) context.fillStyle = style('--ground');
      const mark = markPath(shapeOf(curve.index), at, py, 4 * k);
      context.fill(mark);
      context.lineWidth = 1.8 * k;
      context.stroke(mark);
    }));
    if (view.exact) {
      const exact = column('exact');
      if (exact.some((value) => value !== null)) {
        others.push(...exact);
        seen.add('exact');
        series.push(painted(exact, (context, px, py) => {
          const k = devicePixelRatio;
          Object.assign(context, { strokeStyle: style('--text'), lineWidth: 2 * k });
          context.beginPath();
          context.moveTo(px + (aside - 9) * k, py);
          context.lineTo(px + (aside + 9) * k, py);
          context.stroke();
        }));
      }
    }
  });
  const yRange = view.yLog ? reach([...measured, ...others], true) : reach(measured, false, { floor: 0 });
  const xRange = xLog ? reach(places, true) : reach(places, false);
  const read = (place) => readTimes(at, visible, maps, x[place], models, fitOf);
  draw(byId('times-chart'), { x, series, xLog, yLog: view.yLog, xRange, yRange, xPlaces: places, xLabel: at.words, yLabel: 'iterations per success (ERT)', read });
  const shared = (n) => maps.filter((map) => map.has(n)).length;
  read(x.indexOf(places.reduce((best, n) => (shared(n) >= shared(best) ? n : best), places[0])));
  const words = [visible.length ? 'Filled marks: every run was solved.' : 'No curve is switched on.'];
  if (seen.has('failed')) words.push('Open marks: some runs failed.');
  if (seen.has('unsolved')) words.push('Arrows: no run was solved; they stand at the iterations spent.');
  if (view.intervals && visible.length) words.push('Bars: 95 % bootstrap intervals; curves that share a place are drawn side by side.');
  if (seen.has('endless')) words.push('A bar with an arrow has no upper end.');
  if (seen.has('exact')) words.push('Short black or white lines: the exact expectation.');
  if (seen.has('bound')) words.push('Dotted: proven upper bounds.');
  if (seen.has('fit')) words.push('Thin dashes: fitted models.');
  if (!view.yLog && others.some((value) => value > yRange[1])) words.push('What lies above the measured times is cut off.');
  byId('times-caption').textContent = words.join(' ');
}

// The numbers at the point under the pointer, shown below the chart.
function readTimes(at, visible, maps, n, models, fitOf) {
  const columns = [['curve', 'name'], ['ERT', 'n'], ['95 %', 'n'], ['median', 'n'], ['solved', 'n']];
  const withBound = view.bound && visible.some((curve) => curve.boundName);
  const withExact = view.exact && visible.some((curve) => curve.exact.some((value) => value !== null));
  if (withExact) columns.push(['exact', 'n']);
  if (withBound) columns.push(['bound', 'n']);
  models.forEach((model) => columns.push([MODELS[model], 'n']));
  const rows = visible.map((curve, order) => {
    const i = maps[order].get(n), has = i !== undefined;
    const row = [make('span', {}, sampleOf(curve.index), curve.name)];
    row.push(has ? runningTime(curve.ert[i]) : '–');
    row.push(has && curve.ert[i] !== null ? span(curve.low[i], curve.high[i]) : '–');
    row.push(has ? medianTime(curve.median[i]) : '–');
    row.push(has ? `${count(curve.solved[i])} of ${count(curve.runs[i])}` : '–');
    if (withExact) row.push(has ? number(curve.exact[i]) : '–');
    if (withBound) row.push(has ? number(curve.bound[i]) : '–');
    models.forEach((model) => { const fit = fitOf(curve, model); row.push(fit && fit.has(n) ? number(fit.get(n)) : '–'); });
    return row;
  });
  const short = { n: 'n', nodes: 'D', lambda: 'λ', budget: 'budget' }[at.x] || at.x;
  readOut('times-readout', `${short} = ${count(n)}, in iterations`, columns, rows);
}
