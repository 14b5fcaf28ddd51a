{  // Kernels at several ν, over the same nodes.
  const stops = data.drawing.ramp, parts = stops.length - 1;
  const palette = Array.from({length: 201}, (_, k) => {
    const at = k / 200 * parts, i = Math.min(parts - 1, Math.floor(at));
    const colour = stops[i].map((c, channel) => Math.round(c + (at - i) * (stops[i + 1][channel] - c)));
    return [...colour, 255];
  });

  // The whole of a symmetric picture from its upper half.
  function unpack(text, size) {
    const half = atob(text), out = new Uint8Array(size * size);
    let k = 0;
    for (let i = 0; i < size; ++i)
      for (let j = i; j < size; ++j) out[i * size + j] = out[j * size + i] = half.charCodeAt(k++);
    return out;
  }
  function paint(canvas, pixels, size) {
    canvas.width = canvas.height = size;
    const context = canvas.getContext('2d'), image = context.createImageData(size, size);
    for (let k = 0; k < pixels.length; ++k) image.data.set(palette[pixels[k]], 4 * k);
    context.putImageData(image, 0, 0);
  }
  // Mean cosines of pairs of the same class and of different classes.
  function means(pixels, classes, size) {
    const sum = [0, 0], pairs = [0, 0];
    for (let i = 0; i < size; ++i)
      for (let j = 0; j < i; ++j) {
        const side = classes[i] === classes[j] ? 0 : 1;
        sum[side] += pixels[i * size + j] / 100 - 1;
        ++pairs[side];
      }
    return sum.map((s, k) => pairs[k] ? s / pairs[k] : null);
  }

  const ready = new Map();  // data sets whose pictures have been unpacked
  function prepare(kernels) {
    if (ready.has(kernels)) return ready.get(kernels);
    const classes = kernels.of_class.flatMap((n, c) => Array(n).fill(c)), size = classes.length;
    const out = {
      size,
      labels: new Uint8Array(size * size),
      pictures: kernels.by_nu.map(k => unpack(k.pixels, size))
    };
    for (let i = 0; i < size; ++i)
      for (let j = 0; j < size; ++j) out.labels[i * size + j] = classes[i] === classes[j] ? 200 : 100;
    out.means = out.pictures.map(p => means(p, classes, size));
    ready.set(kernels, out);
    return out;
  }

  const slider = $('nu-slider'), canvas = $('kernel'), strip = $('kernel-strip');
  let kernels = null, redrawCharts = () => {};

  function show() {
    const at = Number(slider.value), kernel = kernels.by_nu[at],
          {size, pictures, means: all} = prepare(kernels);
    paint(canvas, pictures[at], size);
    slider.setAttribute('aria-valuetext', `ν = ${kernel.nu}`);
    $('nu-shown').textContent = `ν = ${kernel.nu}`;
    const stored = columns.val[rowOf.get(kernel.run)];
    const [within, between] = all[at];
    canvas.setAttribute(
      'aria-label', `Kernel at ν = ${kernel.nu}; CKA with the labels ${number(kernel.cka, 3)}`);
    $('kernel-caption')
      .replaceChildren(
        el('b', {}, `ν = ${kernel.nu}`),
        ` CKA with the labels ${number(kernel.cka, 3)}. Mean cosine ${number(within, 2)} within classes, ${
          number(between, 2)} between them. ` +
          `Run #${kernel.run}, trained again: validation ${number(kernel.val)} (stored ${
            number(stored)}).`);
    strip.querySelectorAll('button').forEach((button, k) => button.setAttribute('aria-pressed', k === at));
    redrawCharts();
  }
  function open(name) {
    kernels = data.kernels.find(k => k.dataset === name);
    const {size, labels, pictures} = prepare(kernels);
    const last = kernels.by_nu.length - 1;
    slider.max = last;
    slider.value = last;
    paint($('label-kernel'), labels, size);
    const what = kernels.of_graphs ? 'graphs' : 'nodes', classes = kernels.of_class.length;
    const names = kernels.class_names.length ?
      ` (${kernels.class_names.slice(0, 12).join(', ')}${kernels.class_names.length > 12 ? ', …' : ''})` :
      '';
    $('kernel-what').textContent = `${count(size)} ${what}, sorted by class: ${classes} classes${names}.`;
    strip.replaceChildren(...kernels.by_nu.map((kernel, k) => {
      const small = el('canvas', {'aria-hidden': 'true'});
      paint(small, pictures[k], size);
      return el(
        'button', {
          type: 'button',
          onclick: () => {
            slider.value = k;
            show();
          }
        },
        small, `ν = ${kernel.nu}`);
    }));
    strip.style.setProperty('--count', kernels.by_nu.length);
    show();
  }
  slider.addEventListener('input', show);
  if (data.kernels.length) {
    const first =
      (data.kernels.find(k => (factsOf.get(k.dataset) || {}).task === 'node') || data.kernels[0]).dataset;
    $('kernel-fields')
      .prepend(choice('Data set', data.kernels.map(k => [k.dataset, k.dataset]), open, first)[0]);
    const overNu = (y, series, extra) => ({
      names: kernels.by_nu.map(k => k.nu),
      x: 'ν',
      y,
      height: 190,
      markers: true,
      mark: Number(slider.value),
      label: `${kernels.dataset}, ${y}: ` +
        series.map(s => s.name + ' ' + s.points.map(p => p[3]).join(', ')).join('; '),
      series,
      ...extra
    });
    const line = (name, value, digits) => ({
      name,
      points: kernels.by_nu
                .map((k, place) => [place, value(place), 0, `ν = ${k.nu}: ${number(value(place), digits)}`])
                .filter(p => p[1] !== null)
    });
    const cosines = () => ['within classes', 'between classes'].map(
      (name, side) => line(name, place => prepare(kernels).means[place][side], 2));
    const charts = [
      drawn(
        $('alignment'),
        width => lineChart(
          overNu('CKA with the labels', [line('CKA', place => kernels.by_nu[place].cka, 3)], {least: 0}),
          width)),
      drawn($('cosines'), width => lineChart(overNu('mean cosine', cosines()), width))
    ];
    redrawCharts = () => charts.forEach(draw => draw());
    $('cosines-legend').append(legend([{name: 'within classes'}, {name: 'between classes'}], true));
    open(first);
  } else {
    $('kernel-panel').hidden = true;
    $('kernel-none').textContent = data.nu_curves.length ?
      'This report was made without kernels.' :
      'There are no kernels to compare: no data set has runs at several ν.';
  }
  const without = data.without_kernels;
  if (without.length && (data.kernels.length || without.some(w => !w.no_time)))
    $('kernel-without')
      .append('No pictures of: ' + without.map(w => `${w.dataset} (${w.why})`).join('; ') + '.');
  else if (without.length)
    $('kernel-without')
      .append('gdkm report with a larger --kernel-time trains some runs again for their pictures.');
}
