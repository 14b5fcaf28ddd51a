{  // Gains by data set, the least homophilous at the top.
  const gains = data.nu_curves.filter(curve => curve.gain);
  const draw = width => {
    const row = 46, top = 4, bottom = 44, left = 14, right = 8, height = top + row * gains.length + bottom;
    const ends = gains.flatMap(c => [c.gain.mean - (c.gain.error || 0), c.gain.mean + (c.gain.error || 0)]);
    const x = roundTicks(Math.min(0, ...ends), Math.max(0, ...ends), width < 420 ? 4 : 7);
    const px = v => left + (v - x.low) / (x.high - x.low) * (width - left - right);
    const out = picture(
      width, height,
      'Gain in test accuracy over the fixed kernel, by data set: ' +
        gains.map(c => `${c.dataset} ${signed(c.gain.mean)}`).join(', '));
    for (const tick of x.ticks)
      out.append(
        straight(tick === 0 ? 'axis' : 'grid', px(tick), top, px(tick), height - bottom),
        tickLabel(
          px(tick), height - bottom + 18, tick === x.ticks.at(-1) ? 'end' : 'middle',
          (tick > 0 ? '+' : '') + number(tick, x.digits)));
    out.append(
      xName((left + width - right) / 2, height - 6, 'gain in test accuracy over ν = ∞, points'));
    gains.forEach((curve, k) => {
      const {mean, error, verdict, nu} = curve.gain, y = top + row * k + 31, clear = verdict !== 'even';
      const value =
        signed(mean) + (error ? ` ± ${number(error)}` : '') + (width < 420 ? '' : ` at ν = ${nu}`);
      const room = Math.floor((width - left - 110 - 7 * value.length) / 7.2),
            long = curve.dataset.length > room;
      out.append(
        shape(
          'text', {class: 'label', x: left + 6, y: y - 14},
          long ? curve.dataset.slice(0, room - 1) + '…' : curve.dataset,
          shape('tspan', {class: 'dim', dx: 8}, homophilyText(curve.dataset)),
          shape('title', {}, curve.dataset)),
        shape('text', {class: 'label', x: width - right, y: y - 14, 'text-anchor': 'end'}, value));
      if (error) out.append(straight('error', px(mean - error), y, px(mean + error), y));
      out.append(
        straight('stem', px(0), y, px(mean), y),
        shape(
          'circle', {class: clear ? 'dot' : 'dot hollow', cx: px(mean), cy: y, r: 6},
          shape('title', {}, `${curve.dataset}: ${value}`)));
    });
    return out;
  };
  $('gain-rule').textContent = data.gain_rule;
  if (gains.length)
    drawn($('gains'), draw);
  else
    $('gains').append(el(
      'p', {class: 'note'},
      'No data set with classes has runs at a finite ν and at ν = ∞ on the same seeds and splits yet.'));
}

{  // Validation accuracy against ν, one small chart for each data set.
  for (const curve of data.nu_curves) {
    const host = el('div', {class: 'plot'}), r2 = isRegression(curve.dataset), digits = r2 ? 3 : 1,
          measure = r2 ? 'R²' : 'accuracy, %';
    const pointed = (p, part, name) =>
      `${name}, ν = ${p.nu}: ${spread(p[part], digits)} (${p.scheme}, ${plural(p.runs.length, 'run')})`;
    const series = [['val', 'validation', 0], ['test', 'test', 1]].map(
      ([part, name, style]) => ({
        name,
        style,
        points: curve.points.map((p, k) => [p, k])
                  .filter(([p]) => p[part])
                  .map(([p, k]) => [k, p[part][0], p[part][1], pointed(p, part, name)])
      }));
    // Fixed kernels do not depend on ν: horizontal lines from one end to the other.
    for (const kernel of curve.fixed) {
      const [mean, std] = kernel.test, end = curve.points.length - 0.75;
      series.push({
        style: kernel.style,
        markers: false,
        title: `${kernel.name}, test: ${spread(kernel.test, digits)}`,
        points: [[-0.25, mean, std], [end, mean, std]]
      });
    }
    const homophily = el('span', {class: 'dim'}, ' ' + homophilyText(curve.dataset));
    $('nu-curves').append(el('figure', {}, el('h3', {}, curve.dataset, homophily), host));
    const label = `${curve.dataset}: ` +
      curve.points.map(p => `ν ${p.nu}: ${spread(p.val, digits)}`)
        .concat(curve.fixed.map(k => `${k.name}, test: ${spread(k.test, digits)}`))
        .join(', ');
    const names = curve.points.map(p => p.nu), most = r2 ? undefined : 100;
    drawn(
      host,
      width =>
        lineChart({series, names, label, most, x: 'ν', y: measure, height: 230, markers: true}, width));
  }
  const styles = new Map(data.nu_curves.flatMap(c => c.fixed.map(k => [k.name, k.style])));
  const kernels = [...styles].sort((a, b) => a[1] - b[1]).map(([name]) => name);
  const ofKernels =
    kernels.map(name => ({name: `${name} (test)`, style: styles.get(name), markers: false}));
  if (data.nu_curves.length)
    $('nu-legend').append(legend([{name: 'validation'}, {name: 'test'}, ...ofKernels], true));
  else
    $('nu-curves').append(el('p', {class: 'note'}, 'No data set has runs at several ν.'));
  const order = nu => nu === '∞' ? Infinity : Number(nu);
  const nus =
    [...new Set(data.nu_curves.flatMap(c => c.points.map(p => p.nu)))].sort((a, b) => order(a) - order(b));
  const rows = data.nu_curves.map(curve => {
    const best = Math.max(...curve.points.map(p => p.val[0]));
    const digits = isRegression(curve.dataset) ? 3 : 1;
    const ofNu = nus.map(nu => {
      const point = curve.points.find(p => p.nu === nu);
      return el(
        'td', {class: point && point.val[0] === best ? 'best' : null}, point ? spread(point.val, digits) : '');
    });
    const fixed = kernels.map(name => {
      const kernel = curve.fixed.find(k => k.name === name);
      return el('td', {}, kernel ? spread(kernel.val, digits) : '');
    });
    return el('tr', {}, el('th', {scope: 'row'}, curve.dataset), ofNu, fixed);
  });
  if (rows.length)
    $('nu-table')
      .append(el(
        'div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Validation accuracy by ν'},
        table(['data set', ...nus.map(nu => `ν = ${nu}`), ...kernels], rows)));
  else
    $('nu-table').hidden = true;
}
