{  // How strongly models mix with each relation.
  const mixed = data.results.filter(each => each.mixing);
  $('relations-section').hidden = !mixed.length;
  const cell = weight => el(
    'td', {class: 'weight', style: `--weight: ${Math.min(1, Math.max(0, weight))}`}, number(weight, 2));
  for (const each of mixed) {
    const {names, layers} = each.mixing;
    $('mixing').append(
      el('h3', {}, `${each.dataset}: ${each.study}`),
      table(
        ['layer', ...names],
        layers.map(
          (weights, layer) => el('tr', {}, el('th', {scope: 'row'}, String(layer + 1)), weights.map(cell)))));
  }
}
