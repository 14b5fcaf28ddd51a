{  // Reliability diagrams: how often predictions of a given confidence are right.
  const most = 12;
  let part = 'test';

  // The bins of several runs, added up.
  function pooled(runs) {
    const out = Array.from({length: 15}, () => ({count: 0, confidence: 0, accuracy: 0}));
    for (const id of runs) {
      if (!data.reliability[id]) continue;
      data.reliability[id][part].forEach((bin, b) => {
        if (!bin) return;
        out[b].count += bin[0];
        out[b].confidence += bin[0] * bin[1];
        out[b].accuracy += bin[0] * bin[2];
      });
    }
    for (const bin of out)
      if (bin.count) {
        bin.confidence /= bin.count;
        bin.accuracy /= bin.count;
      }
    return out;
  }

  function diagram(group, width) {
    const bins = pooled(group.runs), total = bins.reduce((sum, bin) => sum + bin.count, 0);
    const left = 44, right = 8, top = 8, bottom = 40, size = width - left - right,
          height = top + size + bottom;
    const px = v => left + v * size, py = v => top + (1 - v) * size;
    const out = picture(
      width, height,
      `${group.name}: ` +
        bins.filter(b => b.count)
          .map(b => `confidence ${number(b.confidence, 2)} right ${number(b.accuracy, 2)}`)
          .join(', '));
    for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
      out.append(
        straight('grid', left, py(tick), px(1), py(tick)),
        tickLabel(left - 5, py(tick) + 4, 'end', String(tick)));
      if (tick % 0.5 === 0)
        out.append(tickLabel(px(tick), top + size + 16, tick === 1 ? 'end' : 'middle', String(tick)));
    }
    const largest = Math.max(...bins.map(bin => bin.count));
    bins.forEach((bin, b) => {
      if (!bin.count) return;
      const x = px(b / 15) + 1, w = size / 15 - 2,
            title = `confidence ${number(bin.confidence, 3)}, right ${number(bin.accuracy, 3)}, ${
              plural(bin.count, 'prediction')}`;
      out.append(
        shape(
          'rect', {
            class: 'bin',
            x,
            width: w,
            y: py(bin.accuracy),
            height: py(0) - py(bin.accuracy),
            style: `opacity:${0.35 + 0.65 * Math.sqrt(bin.count / largest)}`
          },
          shape('title', {}, title)),
        straight('gap', x + w / 2, py(bin.accuracy), x + w / 2, py(bin.confidence)));
    });
    out.append(
      straight('diagonal', px(0), py(0), px(1), py(1)), straight('axis', left, py(0), px(1), py(0)),
      xName(px(0.5), height - 4, 'confidence'), yName(py(0.5), 'fraction right'));
    const errors = group.runs.map(id => columns[part === 'test' ? 'ece' : 'val_ece'][rowOf.get(id)])
                     .filter(e => e !== null);
    const mean = errors.reduce((a, b) => a + b, 0) / errors.length;
    return [
      out,
      `ECE ${number(mean, 3)}${errors.length > 1 ? `, mean of ${errors.length} runs` : ''}; ${
        plural(total, 'prediction')}`
    ];
  }

  const redraw = () => {
    const groups = groupsOf(state.dataset, state.way).filter(g => g.runs.some(id => data.reliability[id]));
    const host = $('reliability');
    host.replaceChildren(...groups.slice(0, most).map(group => {
      const plot = el('div', {class: 'plot'}), caption = el('figcaption', {});
      drawn(plot, width => {
        const [bars, text] = diagram(group, Math.min(width, 300));
        caption.textContent = text;
        return bars;
      });
      return el('figure', {}, el('h3', {}, group.name), plot, caption);
    }));
    if (!groups.length)
      host.append(el('p', {class: 'note'}, noGroups(state.way)));
    else if (groups.length > most)
      host.append(el('p', {class: 'note'}, `The first ${most} of ${groups.length}.`));
  };
  const [field] = choice('On', [['test', 'test set'], ['val', 'validation set']], value => {
    part = value;
    redraw();
  });
  const state = groupFields($('reliability-fields'), redraw, [field]);
  redraw();
}
