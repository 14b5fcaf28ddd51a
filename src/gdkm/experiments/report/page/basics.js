const data = JSON.parse(document.getElementById('report-data').textContent);
const $ = id => document.getElementById(id);

// An element with attributes (listeners under "on…") and children; strings become text.
function build(create, tag, attributes, children) {
  const out = create(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on'))
      out.addEventListener(name.slice(2), value);
    else
      out.setAttribute(name, value === true ? '' : value);
  }
  out.append(...children.flat().filter(child => child !== null && child !== undefined));
  return out;
}
const el = (tag, attributes, ...children) =>
  build(name => document.createElement(name), tag, attributes, children);
const shape = (tag, attributes, ...children) =>
  build(name => document.createElementNS('http://www.w3.org/2000/svg', name), tag, attributes, children);

const number = (value, digits = 1) =>
  value === null || value === undefined ? '–' : value.toFixed(digits).replace('-', '−');
const signed = (value, digits = 1) => (value >= 0 ? '+' : '') + number(value, digits);
const count = value => value.toLocaleString('en');
const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
// [mean, standard deviation, count] as "81.2 ± 0.4".
const spread = (triple, digits = 1) => !triple ? '–' :
  triple[2] > 1 ? `${number(triple[0], digits)} ± ${number(triple[1], digits)}` :
                  number(triple[0], digits);
function duration(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = seconds / 3600;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} days`;
}
const moment = seconds => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ') + ' UTC';

// Runs are rows: entry k of every column is about run number k.
const columns = data.runs.columns.id ? data.runs.columns : {id: []};
const rowOf = new Map(columns.id.map((id, row) => [id, row]));
const datasetOf = row => data.runs.datasets[columns.dataset[row]];
const modelOf = row => data.runs.models[columns.model[row]];
const statusOf = row => data.runs.statuses[columns.status[row]];
function option(row, name) {
  const coded = data.runs.options[name];
  return coded && coded.of[row] >= 0 ? coded.names[coded.of[row]] : '';
}
const nuText = nu => nu === 'inf' ? '∞' : nu;
function runName(row) {
  const parts = [`#${columns.id[row]}`, modelOf(row)];
  if (option(row, 'nu')) parts.push(`ν=${nuText(option(row, 'nu'))}`);
  parts.push(`seed ${columns.seed[row]}`, `split ${columns.split[row]}`);
  return parts.join(' ');
}

const factsOf = new Map(data.datasets.map(each => [each.name, each]));
function homophilyText(name) {
  const facts = factsOf.get(name);
  if (!facts) return '';
  if (facts.task === 'graph') return `${count(facts.graphs)} graphs`;
  return facts.homophily === null ? '' : `homophily ${facts.homophily.toFixed(2)}`;
}

// Regression is scored by R², not in percent.
const isRegression = name => data.results.some(r => r.regression && r.dataset === name);

// Runs that the reader has ticked in the table, and functions to call when they change.
const ticked = new Set();
const whenTicked = [];

// A labelled <select>; `entries` are [value, text].
function choice(label, entries, use, chosen) {
  const select = el(
    'select', {onchange: () => use(select.value)},
    entries.map(([value, text]) => el('option', {value, selected: value === chosen}, text)));
  return [el('label', {class: 'field'}, el('span', {}, label), select), select];
}

// A table: `heads` are texts or th elements, `rows` are tr elements.
const table = (heads, rows) => el(
  'table', {}, el('thead', {}, el('tr', {}, heads.map(h => typeof h === 'string' ? el('th', {scope: 'col'}, h) : h))),
  el('tbody', {}, rows));

// Data sets that have runs, in the order of the report.
const datasets = data.datasets.map(each => each.name)
                   .filter(name => data.runs.datasets.includes(name))
                   .concat(data.runs.datasets.filter(name => !factsOf.has(name)));
