{  // The study at a glance.
  const o = data.overview, env = o.environment;
  const tile = (value, name, extra) => el(
    'div', {class: 'tile'}, el('dd', {}, value), el('dt', {}, name),
    extra ? el('dd', {class: 'note'}, extra) : null);
  const open = o.running + o.pending;
  const span = o.last > o.first ? `in ${duration(o.last - o.first)} from ${moment(o.first)}` : '';
  const tiles = [
    tile(
      count(o.done), o.done === 1 ? 'run done' : 'runs done',
      open ? `${count(o.running)} running, ${count(o.pending)} waiting` : 'none running or waiting'),
    tile(count(o.failed), 'failed', o.failed ? 'see below' : 'none'),
    tile(
      count(data.datasets.length), data.datasets.length === 1 ? 'data set' : 'data sets',
      data.runs.models.join(', ')),
    tile(duration(o.seconds), 'of training', span)
  ];
  $('tiles').append(...tiles);
  const on = ['processor', 'device']
               .filter(key => env[key])
               .map(key => env[key].map(text => text.split(', ').slice(0, 2).join(', ')).join(' and '));
  $('glance').textContent = on.concat(env.version ? `gdkm ${env.version.join(', ')}` : []).join('; ');
  const names = {
    processor: 'Processor',
    cores: 'Cores',
    machine: 'Machine',
    device: 'Device',
    blas: 'BLAS',
    threads: 'Threads per run',
    version: 'gdkm',
    commit: 'Commit'
  };
  const rows =
    Object.entries(names)
      .filter(([key]) => env[key])
      .map(
        ([key, name]) => el('tr', {}, el('th', {scope: 'row'}, name), el('td', {}, env[key].join('; '))));
  $('machine').append(el('table', {class: 'facts'}, el('tbody', {}, rows)));
  const sizes = ['nodes', 'edges', 'features', 'classes', 'graphs'];
  const sizeOf = (each, size) => size === 'graphs' && each.task === 'node' ? '' : count(each[size]);
  $('facts').append(table(
    ['data set', 'homophily', ...sizes],
    data.datasets.map(
      each => el(
        'tr', {}, el('th', {scope: 'row'}, each.name), el('td', {}, number(each.homophily, 2)),
        sizes.map(size => el('td', {}, sizeOf(each, size)))))));
  $('made').textContent = `Made ${moment(data.made)} by gdkm ${data.gdkm} from ${
                            data.store}. Options that are the same in all runs: ` +
    (Object.entries(data.runs.same)
       .filter(([, value]) => value !== '')
       .map(([key, value]) => `${key} ${value}`)
       .join(', ') ||
     'none') +
    '.';
}

{  // The best settings of every study.
  const many = new Set(data.results.map(r => r.sweep)).size > 1, body = [];
  for (const name of [...new Set(data.results.map(r => r.dataset))]) {
    const lines = data.results.filter(r => r.dataset === name);
    const best = Math.max(...lines.filter(r => r.runs.length === r.planned).map(r => r.val[0]));
    lines.forEach((r, k) => {
      const digits = r.regression ? 3 : 1,
            settings = Object.entries(r.options)
                         .map(([key, value]) => `${key === 'nu' ? 'ν' : key} ${nuText(value)}`)
                         .join(', ');
      body.push(el(
        'tr', {class: k === 0 ? 'first' : null},
        k === 0 ? el(
                    'th', {scope: 'rowgroup', rowspan: lines.length}, name,
                    el('div', {class: 'dim'}, homophilyText(name))) :
                  null,
        el('td', {class: 'left'}, (many ? r.sweep + ': ' : '') + r.study),
        el(
          'td', {class: r.val[0] === best && r.runs.length === r.planned ? 'best' : null},
          spread(r.val, digits)),
        el('td', {}, spread(r.test, digits)), el('td', {}, spread(r.ece, 3)),
        el('td', {}, spread(r.nll, 3)),
        el(
          'td', {},
          String(r.runs.length) + (r.runs.length < r.planned ? ` of ${r.planned}` : '') +
            (r.failed ? `, ${r.failed} failed` : '')),
        el('td', {class: 'left'}, r.chosen_by), el('td', {class: 'left wrap'}, settings || '–')));
    });
  }
  const heads = [
    'data set', 'study', 'validation', 'test', 'test ECE', 'test NLL', 'runs', 'chosen by',
    'settings chosen by the stages'
  ];
  if (body.length)
    $('best').append(table(
      heads.map((h, k) => el('th', {scope: 'col', class: k === 1 || k > 6 ? 'left' : null}, h)), body));
  else
    $('best').append(el('p', {class: 'note'}, 'No stage has a result yet.'));
}
