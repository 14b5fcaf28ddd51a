#include "gdkm/experiments/report/report_scripts.hpp"

namespace gdkm {

std::string_view script_of_summary() {
  return R"js(
{ // The study at a glance.
  const o = data.overview, env = o.environment;
  const tile = (value, name, extra) => el('div', { class: 'tile' }, el('dd', {}, value), el('dt', {}, name),
    extra ? el('dd', { class: 'note' }, extra) : null);
  const open = o.running + o.pending;
  const span = o.last > o.first ? `in ${duration(o.last - o.first)} from ${moment(o.first)}` : '';
  const tiles = [
    tile(count(o.done), o.done === 1 ? 'run done' : 'runs done',
      open ? `${count(o.running)} running, ${count(o.pending)} waiting` : 'none is open'),
    tile(count(o.failed), 'failed', o.failed ? 'see below' : 'none'),
    tile(count(data.datasets.length), data.datasets.length === 1 ? 'data set' : 'data sets', data.runs.models.join(', ')),
    tile(duration(o.seconds), 'of training', span)];
  $('tiles').append(...tiles);
  const on = ['processor', 'device'].filter(key => env[key]).map(key => env[key].map(text => text.split(', OpenBLAS')[0]).join(' and '));
  $('glance').textContent = on.concat(env.version ? `gdkm ${env.version.join(', ')}` : []).join('; ');
  const names = { processor: 'Processor', cores: 'Cores', machine: 'Machine', device: 'Device', blas: 'BLAS', threads: 'Threads a run', version: 'gdkm', commit: 'Commit' };
  const rows = Object.entries(names).filter(([key]) => env[key])
    .map(([key, name]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, env[key].join('; '))));
  $('machine').append(el('table', { class: 'facts' }, el('tbody', {}, rows)));
  const sizes = ['nodes', 'edges', 'features', 'classes', 'graphs'];
  $('facts').append(el('table', {}, el('thead', {}, el('tr', {}, ['data set', 'homophily', ...sizes].map(name => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, data.datasets.map(each => el('tr', {}, el('th', { scope: 'row' }, each.name), el('td', {}, number(each.homophily, 2)),
      sizes.map(size => el('td', {}, size === 'graphs' && each.task === 'node' ? '' : count(each[size]))))))));
  $('made').textContent = `Made ${moment(data.made)} by gdkm ${data.gdkm} from ${data.store}. Options that have one value throughout: ` +
    (Object.entries(data.runs.same).filter(([, value]) => value !== '').map(([key, value]) => `${key} ${value}`).join(', ') || 'none') + '.';
}

{ // Gains by data set, the least homophilous at the top.
  const gains = data.nu_curves.filter(curve => curve.gain);
  const draw = width => {
    const row = 46, top = 4, bottom = 44, left = 14, right = 8, height = top + row * gains.length + bottom;
    const ends = gains.flatMap(c => [c.gain.mean - (c.gain.error || 0), c.gain.mean + (c.gain.error || 0)]);
    const x = roundTicks(Math.min(0, ...ends), Math.max(0, ...ends), width < 420 ? 4 : 7);
    const px = v => left + (v - x.low) / (x.high - x.low) * (width - left - right);
    const out = shape('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img',
      'aria-label': 'Gain in test accuracy over the fixed kernel, by data set: ' +
        gains.map(c => `${c.dataset} ${signed(c.gain.mean)}`).join(', ') });
    for (const tick of x.ticks)
      out.append(shape('line', { class: tick === 0 ? 'axis' : 'grid', x1: px(tick), x2: px(tick), y1: top, y2: height - bottom }),
        shape('text', { class: 'tick', x: px(tick), y: height - bottom + 18, 'text-anchor': tick === x.ticks.at(-1) ? 'end' : 'middle' }, (tick > 0 ? '+' : '') + number(tick, x.digits)));
    out.append(shape('text', { class: 'name', x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle' },
      'gain in test accuracy over ν = ∞, points'));
    gains.forEach((curve, k) => {
      const { mean, error, verdict, nu } = curve.gain, y = top + row * k + 31, clear = verdict !== 'even';
      const value = signed(mean) + (error ? ` ± ${number(error)}` : '') + (width < 420 ? '' : ` at ν = ${nu}`);
      const room = Math.floor((width - left - 110 - 7 * value.length) / 7.2), long = curve.dataset.length > room;
      out.append(shape('text', { class: 'label', x: left + 6, y: y - 14 }, long ? curve.dataset.slice(0, room - 1) + '…' : curve.dataset,
          shape('tspan', { class: 'dim', dx: 8 }, homophilyText(curve.dataset)), shape('title', {}, curve.dataset)),
        shape('text', { class: 'label', x: width - right, y: y - 14, 'text-anchor': 'end' }, value));
      if (error) out.append(shape('line', { class: 'error', x1: px(mean - error), x2: px(mean + error), y1: y, y2: y }));
      out.append(shape('line', { class: 'stem', x1: px(0), x2: px(mean), y1: y, y2: y }),
        shape('circle', { class: clear ? 'dot' : 'dot hollow', cx: px(mean), cy: y, r: 6 }, shape('title', {}, `${curve.dataset}: ${value}`)));
    });
    return out;
  };
  if (gains.length) drawn($('gains'), draw);
  else $('gains').append(el('p', { class: 'note' }, 'No data set has runs at a finite ν and at ν = ∞ yet.'));
}

{ // Validation accuracy against ν, one small chart for each data set.
  const regression = new Set(data.results.filter(r => r.regression).map(r => r.dataset));
  for (const curve of data.nu_curves) {
    const host = el('div', { class: 'plot' }), measure = regression.has(curve.dataset) ? 'R²' : 'accuracy, %';
    const series = [['val', 'validation', 0], ['test', 'test', 1]].filter(([part]) => curve.points.some(p => p[part])).map(([part, name, style]) =>
      ({ name, style, points: curve.points.map((p, k) => p[part] && [k, p[part][0], p[part][1], `${name}, ν = ${p.nu}: ${spread(p[part])} (${p.scheme}, ${plural(p.runs.length, 'run')})`]).filter(Boolean) }));
    $('nu-curves').append(el('figure', {}, el('h3', {}, curve.dataset, el('span', { class: 'dim' }, ' ' + homophilyText(curve.dataset))), host));
    drawn(host, width => lineChart({ series, names: curve.points.map(p => p.nu), x: 'ν', y: measure, height: 230, markers: true, most: regression.has(curve.dataset) ? undefined : 100,
      label: `${curve.dataset}: ` + curve.points.map(p => `ν ${p.nu}: ${spread(p.val)}`).join(', ') }, width));
  }
  if (data.nu_curves.length) $('nu-legend').append(legend([{ name: 'validation' }, { name: 'test' }], true));
  else $('nu-curves').append(el('p', { class: 'note' }, 'No data set has runs at several ν.'));
  const order = nu => nu === '∞' ? Infinity : Number(nu);
  const nus = [...new Set(data.nu_curves.flatMap(c => c.points.map(p => p.nu)))].sort((a, b) => order(a) - order(b));
  const rows = data.nu_curves.map(curve => {
    const best = Math.max(...curve.points.map(p => p.val[0]));
    return el('tr', {}, el('th', { scope: 'row' }, curve.dataset), nus.map(nu => {
      const point = curve.points.find(p => p.nu === nu);
      return el('td', { class: point && point.val[0] === best ? 'best' : null }, point ? spread(point.val) : '');
    }));
  });
  if (rows.length) $('nu-table').append(el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Validation accuracy by ν' },
    el('table', {}, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'data set'), nus.map(nu => el('th', { scope: 'col' }, `ν = ${nu}`)))), el('tbody', {}, rows))));
  else $('nu-table').hidden = true;
}

{ // The best settings of every study.
  const many = new Set(data.results.map(r => r.sweep)).size > 1, body = [];
  for (const name of [...new Set(data.results.map(r => r.dataset))]) {
    const lines = data.results.filter(r => r.dataset === name);
    const best = Math.max(...lines.filter(r => r.runs.length === r.planned).map(r => r.val[0]));
    lines.forEach((r, k) => {
      const digits = r.regression ? 3 : 1, settings = Object.entries(r.options).map(([key, value]) => `${key === 'nu' ? 'ν' : key} ${nuText(value)}`).join(', ');
      body.push(el('tr', { class: k === 0 ? 'first' : null },
        k === 0 ? el('th', { scope: 'rowgroup', rowspan: lines.length }, name, el('div', { class: 'dim' }, homophilyText(name))) : null,
        el('td', { class: 'left' }, (many ? r.sweep + ': ' : '') + r.study),
        el('td', { class: r.val[0] === best && r.runs.length === r.planned ? 'best' : null }, spread(r.val, digits)), el('td', {}, spread(r.test, digits)), el('td', {}, spread(r.ece, 3)), el('td', {}, spread(r.nll, 3)),
        el('td', {}, String(r.runs.length) + (r.runs.length < r.planned ? ` of ${r.planned}` : '') + (r.failed ? `, ${r.failed} failed` : '')), el('td', { class: 'left wrap' }, settings || '–')));
    });
  }
  const heads = ['data set', 'study', 'validation', 'test', 'test ECE', 'test NLL', 'runs', 'settings that stages chose'];
  if (body.length) $('best').append(el('table', {}, el('thead', {}, el('tr', {}, heads.map((h, k) => el('th', { scope: 'col', class: k === 1 || k === 7 ? 'left' : null }, h)))), el('tbody', {}, body)));
  else $('best').append(el('p', { class: 'note' }, 'No stage has a result yet.'));
}
)js";
}

}  // namespace gdkm
