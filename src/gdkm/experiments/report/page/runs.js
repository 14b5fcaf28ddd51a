{  // The table of runs. Only a page of rows is in the document, which keeps thousands of runs fast.
  const pageSize = 50;
  const asNumber = text => text === 'inf' ? Infinity : text === '' || isNaN(text) ? null : Number(text);
  const metric = (key, title, digits) => ({
    key,
    title,
    number: true,
    value: row => columns[key][row],
    text: row => number(columns[key][row], digits)
  });
  const ofOption = minor => name => {
    const numeric = data.runs.options[name].names.every(text => text === 'inf' || !isNaN(text));
    return {
      key: 'option-' + name,
      title: name === 'nu' ? 'ν' : name.replaceAll('_', ' '),
      number: numeric,
      minor,
      value: row => numeric ? asNumber(option(row, name)) : option(row, name),
      text: row => nuText(option(row, name))
    };
  };
  const fields = [
    {...metric('id', 'run', 0), text: row => `#${columns.id[row]}`},
    {key: 'dataset', title: 'data set', value: datasetOf, text: datasetOf},
    {key: 'model', title: 'model', value: modelOf, text: modelOf},
    ...['nu', 'scheme'].filter(name => data.runs.options[name]).map(ofOption(false)),
    metric('val', 'validation', 2), metric('test', 'test', 2),
    {key: 'status', title: 'status', value: statusOf, text: statusOf}, metric('nll', 'NLL', 3),
    metric('ece', 'ECE', 3),
    // Only some stores have these: regression has no F1, and few runs keep items apart for prediction sets.
    ...[metric('f1', 'macro F1', 3), metric('coverage', 'coverage %', 1)].filter(
      f => (columns[f.key] || []).some(value => value !== null)),
    metric('seconds', 's', 1), metric('seed', 'seed', 0),
    metric('split', 'split', 0),
    ...Object.keys(data.runs.options).filter(name => name !== 'nu' && name !== 'scheme').map(ofOption(true))
  ];

  const all = columns.id.map((_, row) => row);
  // What a search looks at: texts, and "name=value" for every option.
  const haystack = all.map(
    row => (`#${columns.id[row]} ${statusOf(row)} ${datasetOf(row)} ${modelOf(row)} seed=${
              columns.seed[row]} split=${columns.split[row]} ` +
            Object.keys(data.runs.options)
              .map(name => option(row, name) && `${name}=${option(row, name)}`)
              .join(' ') +
            ' ' + (data.runs.messages[columns.message[row]] || ''))
             .toLowerCase() +
      ' ');
  // "nu=1" matches that value and not 10; other words match anywhere.
  const matches = (row, words) => words.every(
    word => word.includes('=') || word.startsWith('#') ? (' ' + haystack[row]).includes(` ${word} `) :
                                                         haystack[row].includes(word));

  const cellClass = f => [f.number ? '' : 'left', f.minor ? 'option' : ''].join(' ').trim() || null;
  let sortBy = 'id', down = false, page = 0, rows = all;
  const filter = {words: [], status: '', dataset: '', model: ''}, opened = new Set();
  const body = el('tbody', {}), status = $('run-count');

  function select() {
    rows = all.filter(
      row => (!filter.status || statusOf(row) === filter.status) &&
        (!filter.dataset || datasetOf(row) === filter.dataset) &&
        (!filter.model || modelOf(row) === filter.model) && matches(row, filter.words));
    const value = fields.find(f => f.key === sortBy).value, sign = down ? -1 : 1;
    const missing = v => v === null || v === undefined || v === '';
    const keys = new Map(rows.map(row => [row, value(row)]));
    rows.sort((a, b) => {
      const x = keys.get(a), y = keys.get(b);
      if (missing(x) || missing(y)) return missing(x) - missing(y) || a - b;  // at the end, either way
      return (x < y ? -1 : x > y ? 1 : 0) * sign || a - b;
    });
    page = 0;
    render();
  }
  function details(row) {
    const pairs = Object.keys(data.runs.options)
                    .filter(name => option(row, name) !== '')
                    .map(name => `${name} ${nuText(option(row, name))}`);
    const message = data.runs.messages[columns.message[row]];
    return el(
      'tr', {class: 'details'},
      el(
        'td', {colspan: fields.length + 1}, message ? el('p', {}, message) : null,
        el('p', {}, pairs.join(', '))));
  }
  function line(row) {
    const box = el('input', {
      type: 'checkbox',
      'aria-label': `plot run ${columns.id[row]}`,
      onchange: () => {
        if (box.checked)
          ticked.add(row);
        else
          ticked.delete(row);
        whenTicked.forEach(tell => tell());
        render();
      }
    });
    box.checked = ticked.has(row);
    const more = el(
      'button', {
        type: 'button',
        class: 'plain',
        'aria-expanded': opened.has(row),
        onclick: () => {
          if (!opened.delete(row)) opened.add(row);
          render();
          const again = body.querySelector(`[data-run="${columns.id[row]}"]`);
          if (again) again.focus();
        },
        'data-run': columns.id[row]
      },
      `#${columns.id[row]}`);
    const out = el(
      'tr', {class: statusOf(row)}, el('td', {}, box), el('td', {}, more),
      fields.slice(1).map(f => el('td', {class: cellClass(f)}, f.text(row))));
    return opened.has(row) ? [out, details(row)] : [out];
  }
  function render() {
    const pages = Math.max(1, Math.ceil(rows.length / pageSize)), first = page * pageSize;
    body.replaceChildren(...rows.slice(first, first + pageSize).flatMap(line));
    status.textContent = rows.length ?
      `${count(first + 1)}–${count(Math.min(first + pageSize, rows.length))} of ${
        plural(rows.length, 'run')}` :
      'no run matches';
    $('run-back').disabled = page === 0;
    $('run-next').disabled = page + 1 >= pages;
    $('run-untick').hidden = ticked.size === 0;
    $('run-untick').textContent = `Untick ${plural(ticked.size, 'run')}`;
    heads.forEach((head, k) => {
      if (fields[k].key === sortBy)
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else
        head.removeAttribute('aria-sort');
    });
  }
  const heads = fields.map(
    f => el(
      'th', {scope: 'col', class: cellClass(f)},
      el(
        'button', {
          type: 'button',
          class: 'plain',
          'data-sort': f.key,
          onclick: () => {
            down = sortBy === f.key ? !down : ['val', 'test'].includes(f.key);
            sortBy = f.key;
            select();
          }
        },
        f.title)));
  $('run-table')
    .append(el(
      'table', {},
      el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, el('span', {class: 'unseen'}, 'plot')), heads)),
      body));
  const search = el('input', {
    type: 'search',
    placeholder: 'cora nu=0.1 intra',
    id: 'run-search',
    oninput: () => {
      filter.words = search.value.toLowerCase()
                       .replaceAll('ν', 'nu')
                       .replaceAll('∞', 'inf')
                       .split(/\s+/)
                       .filter(Boolean);
      select();
    }
  });
  const among = (label, key, values) => choice(label, [['', 'all'], ...values.map(v => [v, v])], value => {
    filter[key] = value;
    select();
  })[0];
  $('run-fields')
    .append(
      el('label', {class: 'field wide'}, el('span', {}, 'Search'), search),
      among('Status', 'status', data.runs.statuses), among('Data set', 'dataset', datasets),
      among('Model', 'model', data.runs.models));
  for (const [button, step] of [['run-back', -1], ['run-next', 1]])
    $(button).addEventListener('click', () => {
      page += step;
      render();
    });
  $('run-untick').addEventListener('click', () => {
    ticked.clear();
    whenTicked.forEach(tell => tell());
    render();
  });
  select();
}
