// Sections that are words and tables: overview, growth, comparisons, circuits, provenance.

function overviewSection(data) {
  const { counts, columns, rows } = data.overview;
  const card = (title, value, more) => make('div', {}, make('dt', {}, title), make('dd', {}, value, more ? make('small', {}, more) : null));
  const failed = counts.runs - counts.solved;
  renew(byId('counts'), make('dl', { class: 'counts' },
    card('Cells', number(counts.cells), counts.unfinished + counts.empty ? `${counts.unfinished + counts.empty} not finished` : 'all finished'),
    card('Runs', number(counts.runs), `of ${number(counts.planned)} asked for`),
    card('Solved', counts.runs ? percent(counts.solved / counts.runs) : '–', `${number(counts.solved)} runs`),
    card('Censored', number(failed), 'used their budget up'),
    card('Iterations', number(counts.iterations), 'in all runs'),
    card('Computing time', duration(counts.seconds), 'in all runs')));
  const at = Object.fromEntries(columns.map((name, place) => [name, place]));
  const shown = rows.map((row) => {
    const get = (name) => row[at[name]];
    const has = get('runs') > 0;
    return [get('cell'), String(get('n')), `${number(get('runs'))} of ${number(get('planned'))}`,
      has ? percent(get('rate')) : '–', has ? `${percent(get('rate_low'))} to ${percent(get('rate_high'))}` : '–', has ? number(get('runs') - get('solved')) : '–',
      has ? (get('ert') === null ? '∞' : number(get('ert'))) : '–', has && get('ert') !== null ? span(get('ert_low'), get('ert_high')) : '–',
      has ? (get('median') === null ? '∞' : number(get('median'))) : '–', duration(get('seconds'))];
  });
  renew(byId('cells'),
    make('p', { class: 'note' }, 'ERT: iterations of all runs per success. Median: by Kaplan and Meier. Intervals are 95 %: Wilson’s for shares, bootstrap for ERT. ∞: too few runs were solved to know.'),
    rows.length ? table([['cell', 'name'], ['n', 'n'], ['runs', 'n'], ['solved', 'n'], ['95 %', 'n'], ['censored', 'n'], ['ERT', 'n'], ['95 %', 'n'], ['median', 'n'], ['time spent', 'n']], shown, { key: 'cells', caption: 'Cells; times in iterations' }) : make('p', {}, 'The store has no cell yet.'),
    note(data.overview.note));
}

function growthSection(data) {
  const found = data.growth;
  const rows = found.curves.flatMap((curve) => curve.models.map((model, place) => {
    const [value, low, high] = model.rate;
    const letter = model.model === 'exponential' ? 'b' : 'a';
    const row = [place ? '' : curve.name, model.formula, `${number(model.scale[0])}`, span(model.scale[1], model.scale[2]), `${letter} = ${number(value)}`, span(low, high), model.weight.toFixed(2)];
    row.push(model.held ? `${number(model.held[1])} (${span(model.held[2], model.held[3])})` : '–', model.held ? `${number(model.held[4])} at n = ${model.held[0]}` : '–');
    return row;
  }));
  renew(byId('growth-body'),
    rows.length ? make('p', { class: 'note' }, `Fitted by maximum likelihood to all runs, censored ones too; intervals are 95 % bootstrap of ${found.resamples} resamples. The weight compares the three models of a curve by Akaike’s criterion. Switch the fitted curves on above.`) : null,
    bullets(found.curves.map((curve) => curve.words)),
    rows.length ? table([['curve', 'name'], ['model', ''], ['c', 'n'], ['95 %', 'n'], ['rate', 'n'], ['95 %', 'n'], ['weight', 'n'], ['predicted from smaller n', 'n'], ['measured', 'n']], rows, { key: 'growth', caption: 'Growth models' }) : null,
    bullets(found.notes));
}

function effect([value, low, high]) {
  const at = (share) => `${(100 * share).toFixed(1)}%`;
  const interval = make('i'), dot = make('b');
  interval.style.left = at(low);
  interval.style.width = at(high - low);
  dot.style.left = at(value);
  return make('span', {}, make('span', { class: 'bar', 'aria-hidden': 'true' }, interval, dot), `${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`);
}

function comparisonsSection(data) {
  const parts = data.comparisons.options.flatMap((option) => {
    const rows = option.pairs.map((pair) => {
      const row = [pair.cells, pair.first, pair.second, effect(pair.a12), pair.effect, ...pair.ert.map((value) => (value === null ? '∞' : number(value))), probability(pair.rankSum), probability(pair.logRank),
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
