// The data of the page as files, made in the browser.

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
