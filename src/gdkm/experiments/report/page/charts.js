// Lines differ by colour, dash and marker, so that they can be told apart without colour.
const dashes = ['', '7 3', '2 3', '9 3 2 3', '', '5 2', '1 3', '12 4'];
const colourOf = k => `var(--c${k % data.drawing.colours})`;
const lineStyle = k => `stroke:${colourOf(k)};stroke-dasharray:${dashes[Math.floor(k / 2) % 8] || 'none'}`;
const marker = (k, x, y, size, title) => shape(
  'path', {
    d: data.drawing.markers[k % data.drawing.markers.length],
    transform: `translate(${x} ${y}) scale(${size})`,
    style: `fill:${colourOf(k)};stroke:var(--panel);stroke-width:${1 / size}`
  },
  shape('title', {}, title));

// An empty picture; `label` is its text for screen readers.
const picture = (width, height, label) =>
  shape('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label});

// Parts of pictures: a straight line of a class, the label of a tick, the names of the two axes.
const straight = (kind, x1, y1, x2, y2) => shape('line', {class: kind, x1, y1, x2, y2});
const tickLabel = (x, y, anchor, text) => shape('text', {class: 'tick', x, y, 'text-anchor': anchor}, text);
const xName = (x, y, text) => shape('text', {class: 'name', x, y, 'text-anchor': 'middle'}, text);
const yName = (y, text) =>
  shape('text', {class: 'name', transform: `translate(11 ${y}) rotate(-90)`, 'text-anchor': 'middle'}, text);

// About `wanted` round numbers that cover [low, high].
function roundTicks(low, high, wanted) {
  if (!(high > low)) {
    low -= 0.5;
    high += 0.5;
  }
  const rough = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(f => f * power).find(s => s >= rough * 0.999);
  const first = Math.floor(low / step + 1e-9), last = Math.ceil(high / step - 1e-9), ticks = [];
  for (let k = first; k <= last; ++k) ticks.push(k * step);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (step / power === 2.5 ? 1 : 0));
  return {ticks, digits, low: first * step, high: last * step};
}

// Draws now, and again when the width of `host` changes; below 160 pixels the picture is scaled down.
function drawn(host, draw) {
  let width = 0;
  const again = () => {
    const now = Math.round(host.clientWidth);
    if (now === width || now === 0) return;
    width = now;
    host.replaceChildren(draw(Math.max(width, 160)));
  };
  new ResizeObserver(again).observe(host);
  return () => {
    width = 0;
    again();
  };
}

// Lines with bands over a numeric x axis, or over named places (`names`; x is 0, 1, … then). The y axis includes
// `least` and ends at `most` at the latest.
function lineChart(chart, width) {
  const height = chart.height || 260, all = chart.series.flatMap(s => s.points);
  const values = all.flatMap(p => [p[1] - (p[2] || 0), p[1] + (p[2] || 0)]);
  let low = Math.min(...values), high = Math.max(...values);
  if (chart.least !== undefined) low = Math.min(low, chart.least);
  if (chart.most !== undefined) high = Math.min(high, chart.most);
  if (!values.length) {
    low = 0;
    high = 1;
  }
  const y = roundTicks(low, high, 4);
  const x = chart.names ?
    {ticks: chart.names.map((_, k) => k), low: -0.25, high: chart.names.length - 0.75} :
    roundTicks(0, Math.max(1, ...all.map(p => p[0])), width < 420 ? 4 : 6);
  if (!chart.names) x.high = Math.max(1, ...all.map(p => p[0]));
  const yText = v => v.toFixed(y.digits).replace('-', '−');
  const left = 22 + 7 * Math.max(...y.ticks.map(t => yText(t).length)) + 6;
  const right = 12, top = 12, bottom = 42;
  const px = v => left + (v - x.low) / (x.high - x.low) * (width - left - right);
  const py = v => height - bottom - (v - y.low) / (y.high - y.low) * (height - top - bottom);
  const out = picture(width, height, chart.label);
  for (const tick of y.ticks) {
    out.append(
      straight('grid', left, py(tick), width - right, py(tick)),
      tickLabel(left - 6, py(tick) + 4, 'end', yText(tick)));
  }
  for (const tick of x.ticks) {
    if (px(tick) > width - right + 1) continue;
    const name = chart.names ? chart.names[tick] : count(tick);
    out.append(tickLabel(px(tick), height - bottom + 18, 'middle', name));
  }
  out.append(
    straight('axis', left, height - bottom, width - right, height - bottom),
    xName((left + width - right) / 2, height - 4, chart.x), yName((top + height - bottom) / 2, chart.y));
  if (chart.mark !== undefined)
    out.append(straight('mark', px(chart.mark), top, px(chart.mark), height - bottom));
  const clip = v => Math.min(Math.max(v, y.low), y.high);
  chart.series.forEach((series, place) => {
    const k = series.style === undefined ? place : series.style, points = series.points;
    if (!points.length) return;
    if (points.some(p => p[2])) {
      const edge = points.map(p => `${px(p[0])} ${py(clip(p[1] + p[2]))}`)
                     .concat(points.slice().reverse().map(p => `${px(p[0])} ${py(clip(p[1] - p[2]))}`));
      out.append(
        shape('path', {d: 'M' + edge.join('L') + 'Z', style: `fill:${colourOf(k)};opacity:0.18`}));
    }
    out.append(shape(
      'path',
      {class: 'line', d: 'M' + points.map(p => `${px(p[0])} ${py(p[1])}`).join('L'), style: lineStyle(k)},
      series.title ? shape('title', {}, series.title) : ''));
    if (chart.markers && series.markers !== false)
      for (const p of points) out.append(marker(k, px(p[0]), py(p[1]), 4, p[3] || ''));
  });
  return out;
}

// The legend of a chart with several lines.
function legend(series, markers) {
  return el('ul', {class: 'legend'}, series.map((each, place) => {
    const k = each.style === undefined ? place : each.style;
    const swatch = shape(
      'svg', {width: 26, height: 12, 'aria-hidden': 'true'},
      shape('line', {class: 'line', x1: 1, x2: 25, y1: 6, y2: 6, style: lineStyle(k)}));
    if (markers && each.markers !== false) swatch.append(marker(k, 13, 6, 3.5, ''));
    return el('li', {}, swatch, each.name);
  }));
}
