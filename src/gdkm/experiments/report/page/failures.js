{  // Failures, by message.
  const byMessage = new Map();
  columns.id.forEach((_, row) => {
    if (statusOf(row) !== 'failed') return;
    const message = data.runs.messages[columns.message[row]] || 'no message';
    byMessage.set(message, (byMessage.get(message) || []).concat(row));
  });
  const host = $('failures');
  if (!byMessage.size) host.append(el('p', {}, 'No run failed.'));
  for (const [message, rows] of [...byMessage].sort((a, b) => b[1].length - a[1].length)) {
    const where = [...new Set(rows.map(row => `${datasetOf(row)}, ${modelOf(row)}`))];
    host.append(el(
      'details', {class: 'failure'},
      el('summary', {}, el('b', {}, plural(rows.length, 'run')), ': ' + message),
      el('p', {}, where.join('; ')),
      el(
        'p', {class: 'note'},
        rows.slice(0, 40).map(runName).join('; ') + (rows.length > 40 ? '; …' : ''))));
  }
}
