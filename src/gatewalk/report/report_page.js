// The page: all sections from the data; newer data while a campaign runs; light, dark and paper.

const SECTIONS = [overviewSection, timesSection, distributionsSection, growthSection, comparisonsSection, generalisationSection, circuitsSection, originSection, downloadsSection];
const POLL_SECONDS = 2, RETRY_SECONDS = 5;
const isLive = JSON.parse(byId('live').textContent);
let pending = 0;
let data = JSON.parse(byId('data').textContent);

function show(next) {
  data = next;
  document.title = `${data.name} · Gatewalk`;
  byId('name').textContent = data.name;
  byId('made').textContent = `Data of ${data.made}.`;
  say(`${capital(data.state.words)}.`, data.state.running ? 'running' : '');
  renderFrom(0);
}

// One section after the other, so that the first can be read and used while the others are made.
function renderFrom(place) {
  clearTimeout(pending);
  SECTIONS[place](data);
  if (place + 1 < SECTIONS.length) pending = setTimeout(renderFrom, 0, place + 1);
  else document.body.dataset.ready = data.made;
}

function say(words, kind = '') {
  const state = byId('state');
  if (state.textContent !== words) state.textContent = words;
  state.className = kind;
}

const redraw = () => { if (data) { timesSection(data); distributionsSection(data); generalisationSection(data); } };

async function poll(mark = '') {
  let wait = POLL_SECONDS;
  try {
    const answer = await fetch('data.json', { headers: mark ? { 'If-None-Match': mark } : {}, cache: 'no-store' });
    if (answer.status === 200) {
      const found = await answer.json();
      if (found.error) say(found.error);
      else show(found);
      mark = found.error ? '' : answer.headers.get('ETag') || '';
      if (found.finished) { say(`The campaign has finished: ${found.state.words}. This page shows all of it.`); return; }
    } else if (answer.status === 500) {
      say('This page cannot be made, because of a bug in Gatewalk; the campaign itself goes on.', 'gone');
    } else if (answer.status !== 304) throw new Error(String(answer.status));
  } catch {
    const since = data ? ` The numbers below are those of ${data.made}.` : '';
    say(`The campaign’s process cannot be reached: it has ended or was stopped.${since}`, 'gone');
    wait = RETRY_SECONDS;
  }
  setTimeout(() => poll(mark), 1000 * wait);
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
addEventListener('beforeprint', () => { document.documentElement.dataset.print = ''; redraw(); });
addEventListener('afterprint', () => { delete document.documentElement.dataset.print; redraw(); });
if (data) show(data);
else say('The first runs are being read ...');
if (isLive) poll();
