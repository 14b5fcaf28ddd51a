const everySeconds = 2, reportSeconds = 15;
const $ = id => document.getElementById(id);
const count = value => value.toLocaleString('en');

function duration(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3600;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} days`;
}

// All that comes from the store becomes text, never markup.
function element(tag, text, attributes) {
  const out = document.createElement(tag);
  if (text !== undefined) out.textContent = text;
  for (const [name, value] of Object.entries(attributes || {})) out.setAttribute(name, value);
  return out;
}

function fill(id, titles, rows, none) {
  const place = $(id);
  if (rows.length === 0) return place.replaceChildren(element('p', none));
  const head = element('tr'), body = element('tbody');
  titles.forEach((title, k) =>
    head.append(element('th', title, {scope: 'col', class: typeof rows[0][k] === 'number' ? '' : 'left'})));
  for (const row of rows) {
    const line = element('tr');
    for (const cell of row)
      line.append(element('td', typeof cell === 'number' ? count(cell) : cell, typeof cell === 'number' ? {} : {class: 'left'}));
    body.append(line);
  }
  const table = element('table'), top = element('thead');
  top.append(head);
  table.append(top, body);
  return place.replaceChildren(table);
}

function tiles(state) {
  const left = state.rate.seconds_left;
  const shown = [
    ['done', count(state.runs.done)], ['running', count(state.runs.running)],
    ['pending', count(state.runs.pending)], ['failed', count(state.runs.failed)],
    ['runs an hour', count(state.rate.per_hour)], ['last minute', count(state.rate.last_minute)],
    ['left', left === null ? '–' : duration(left)]];
  $('tiles').replaceChildren(...shown.map(([name, value]) => {
    const tile = element('div', undefined, {class: 'tile'});
    tile.append(element('dd', value), element('dt', name));
    return tile;
  }));
}

function show(state) {
  const runs = state.runs, total = runs.pending + runs.running + runs.done + runs.failed;
  const ended = runs.done + runs.failed;
  $('headline').textContent = `${count(ended)} of ${count(total)} runs have ended`;
  document.title = total > 0 ? `${Math.floor(100 * ended / total)} % · gdkm: ${state.store}` : `gdkm: ${state.store}`;
  $('bar').value = total > 0 ? ended / total : 0;
  tiles(state);
  fill('stage-table', ['sweep', 'study', 'data', 'stage', 'done', 'failed', 'running', 'of'],
    state.stages.map(s => [s.sweep, s.study, s.dataset, s.stage, s.done, s.failed, s.running, s.total]),
    'No sweep has planned runs.');
  fill('machine-table', ['machine', 'running', 'ended', 'in the last hour', 'lost', 'seen'],
    state.machines.map(m => [m.name, m.running, m.ended, m.last_hour, m.lost, `${duration(m.seen_ago)} ago`]),
    'No machine has taken a run.');
  fill('running-table', ['run', 'data', 'model', 'machine', 'for'],
    state.running.map(r => [`#${r.run}`, r.dataset, r.model, r.machine, duration(r.seconds)]), 'No run is being executed.');
  fill('failure-table', ['run', 'data', 'model', 'message'],
    state.failures.map(f => [`#${f.run}`, f.dataset, f.model, f.message]), 'No run failed.');
  return ended;
}

let reported = -1, reportedAt = Date.now();
function follow(ended) {
  if (reported < 0) reported = ended;  // the frame has just been read
  const due = Date.now() - reportedAt > 1000 * reportSeconds;
  if (!$('follow').checked || ended === reported || !due) return;
  reported = ended;
  reportedAt = Date.now();
  const frame = $('report-frame').contentWindow, at = frame.scrollY;
  $('report-frame').addEventListener('load', () => frame.scrollTo(0, at), {once: true});
  frame.location.reload();
}

async function look() {
  let trouble = '';
  try {
    const response = await fetch('live.json', {cache: 'no-store'});
    if (response.ok)
      follow(show(await response.json()));
    else
      trouble = await response.text();
  } catch (error) {
    trouble = `gdkm serve does not answer (${error.message}); it may have ended.`;
  }
  $('trouble').textContent = trouble;
  $('trouble').hidden = trouble === '';
  setTimeout(look, 1000 * everySeconds);
}
look();
