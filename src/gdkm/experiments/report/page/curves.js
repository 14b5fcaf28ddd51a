// What a chart of runs can show: named groups of runs of a data set, chosen in one of these ways.
const ways = [['nu', 'every ν'], ['study', 'best of every study'], ['ticked', 'runs ticked below']];
function groupsOf(dataset, way) {
  if (way === 'ticked')
    return [...ticked].map(row => ({name: `${datasetOf(row)} ${runName(row)}`, runs: [columns.id[row]]}));
  if (way === 'study')
    return data.results.filter(r => r.dataset === dataset).map(r => ({name: r.study, runs: r.runs}));
  const curve = data.nu_curves.find(c => c.dataset === dataset);
  return curve ? curve.points.map(p => ({name: `ν = ${p.nu}`, runs: p.runs})) : [];
}
const firstWay = dataset => ways.map(w => w[0]).find(way => groupsOf(dataset, way).length) || 'ticked';
const noGroups = way => way === 'ticked' ? 'Tick runs in the table of runs to show them here.' :
  way === 'nu'                           ? 'This data set has no runs at several ν.' :
                                           'No study has a result on this data set yet.';

// Controls for the data set and the way; `more` are further fields.
function groupFields(host, redraw, more) {
  const state = {dataset: datasets[0], way: firstWay(datasets[0])};
  const [one] = choice('Data set', datasets.map(d => [d, d]), value => {
    state.dataset = value;
    if (!groupsOf(value, state.way).length) state.way = wayChoice.value = firstWay(value);
    redraw();
  });
  const [two, wayChoice] = choice('Show', ways, value => {
    state.way = value;
    redraw();
  }, state.way);
  host.append(one, two, ...more);
  whenTicked.push(() => {
    if (ticked.size && state.way !== 'ticked')
      state.way = wayChoice.value = 'ticked';
    else if (!ticked.size && state.way === 'ticked')
      state.way = wayChoice.value = firstWay(state.dataset);
    redraw();
  });
  return state;
}

{  // Learning curves: mean over the runs of a group, at the epochs that all of them have.
  const most = 12;
  let measure = 'val';
  const average = (runs, at) => {
    const curves = runs.map(id => data.curves[id]).filter(c => c && c[at].length);
    if (!curves.length) return [];
    return curves[0][at]
      .map((epoch, k) => {
        const values = curves.map(c => c[at][k] === epoch ? c[at + 1][k] : null).filter(v => v !== null);
        return values.length === curves.length ? [epoch, values.reduce((a, b) => a + b) / values.length] :
                                                 null;
      })
      .filter(Boolean);
  };
  const host = el('div', {class: 'plot'}), key = el('div', {});
  const redraw = () => {
    const at = measure === 'val' ? 2 : 0, groups = groupsOf(state.dataset, state.way);
    const series = groups.slice(0, most)
                     .map(g => ({
                            name: g.name + (g.runs.length > 1 ? ` (mean of ${g.runs.length})` : ''),
                            points: average(g.runs, at)
                          }))
                     .filter(s => s.points.length);
    key.replaceChildren();
    if (!series.length) {
      host.replaceChildren(el(
        'p', {class: 'note'},
        groups.length ? 'These runs recorded no such curve; set validate_every in the sweep file to record it.' :
                        noGroups(state.way)));
      paintAgain = () => {};
      return;
    }
    key.append(legend(series, false));
    if (groups.length > most)
      key.append(el('p', {class: 'note'}, `The first ${most} of ${groups.length}.`));
    current = {
      series,
      x: 'epoch',
      y: measure === 'val' ? `validation ${isRegression(state.dataset) ? 'R²' : 'accuracy, %'}` :
                             'loss, −ELBO per training node',
      height: 320,
      label: `Learning curves, ${state.way === 'ticked' ? 'ticked runs' : state.dataset}: ` +
        series.map(s => `${s.name} ends at ${number(s.points.at(-1)[1], 2)}`).join(', ')
    };
    paintAgain = paint;
    paintAgain();
  };
  let current = null, paintAgain = () => {};
  const paint = drawn(host, width => current ? lineChart(current, width) : '');
  const [field] = choice('Of', [['val', 'validation accuracy'], ['loss', 'loss']], value => {
    measure = value;
    redraw();
  });
  const state = groupFields($('curve-fields'), redraw, [field]);
  $('curve-plot').append(host, key);
  redraw();
}
