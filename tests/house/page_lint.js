// page_lint.js COLOURS STYLE MARKUP SCRIPT...: checks the files that pages are made of. The parts of the script are
// checked together, as they stand in the page: errors of syntax, names that are undefined or unused, and the other
// recommended rules of ESLint. In the style sheet every rule has to parse, and its variables and those of the script
// have to be defined; so do the elements that the script asks for by id.
'use strict';
const fs = require('fs');
const {Linter} = require('eslint');

const [colours, style, markup, ...parts] = process.argv.slice(2);
const read = path => fs.readFileSync(path, 'utf8');
let problems = 0;
function complain(path, line, text) {
  console.error(`${path}:${line}: ${text}`);
  ++problems;
}
const lineAt = (text, at) => text.slice(0, at).split('\n').length;

// The script, with the file and line of each of its lines.
const places = parts.flatMap(path => read(path).replace(/\n$/, '').split('\n').map((text, k) => ({path, text, line: k + 1})));
const script = places.map(place => place.text).join('\n');
const linter = new Linter({configType: 'eslintrc'});
const rules = {'no-unused-vars': 2, 'no-undef': 2, 'no-var': 2, 'prefer-const': 2, eqeqeq: 2, 'no-self-compare': 2};
for (const [name, rule] of linter.getRules())
  if (rule.meta && rule.meta.docs && rule.meta.docs.recommended && !rule.meta.deprecated) rules[name] = 2;
rules['no-inner-declarations'] = 0; // blocks have scopes
const config = {env: {browser: true, es6: true}, parserOptions: {ecmaVersion: 2018}, rules};
for (const problem of linter.verify(`(() => {'use strict';\n${script}\n})();\n`, config)) {
  const place = places[Math.min(Math.max((problem.line || 2) - 2, 0), places.length - 1)];
  complain(place.path, place.line, `${problem.message} (${problem.ruleId || 'syntax'})`);
}

// Elements that the script asks for.
const ids = new Set([...(read(markup) + script).matchAll(/\bid(?:="|: ')([\w-]+)/g)].map(found => found[1])).add('report-data');
for (const {path, line, text} of places)
  for (const [, id] of text.matchAll(/(?:\$|getElementById)\('([\w-]+)'\)/g))
    if (!ids.has(id)) complain(path, line, `no element has the id '${id}'`);

// The style sheet: comments and strings go, and innermost blocks of declarations are taken out until nothing is left.
const blank = text => text.replace(/[^\n]/g, ' ');
let css = read(style).replace(/\/\*[^]*?\*\/|"[^"\n]*"/g, found => found[0] === '"' ? 'x'.repeat(found.length) : blank(found));
for (let block; (block = /([^{};]+)\{([^{}]*)\}/.exec(css));) {
  let at = block.index + block[1].length + 1;
  for (const declaration of block[2].split(';')) {
    const text = declaration.trim();
    if (text && !/^[-a-z][-\w]*\s*:\s*[^:\s][^:]*$/.test(text))
      complain(style, lineAt(css, at + declaration.length - declaration.trimStart().length), `not a declaration: ${text}`);
    at += declaration.length + 1;
  }
  css = css.slice(0, block.index) + blank(block[0]) + css.slice(block.index + block[0].length);
}
if (css.trim()) complain(style, lineAt(css, css.search(/\S/)), `not a rule: ${css.trim().split('\n')[0]}`);

// Variables, numbers in the names of series aside: --c0, --c1, …
const defined = new Set([...(read(style) + script).matchAll(/(--[a-z][\w-]*)['"]?[:,]/g)].map(found => found[1]));
for (const [, name] of read(colours).matchAll(/\{"(\w+)", "#/g)) defined.add('--' + name);
defined.add('--ramp');
for (const path of [style, ...parts])
  for (const found of read(path).matchAll(/var\((--[\w-]+)\)/g))
    if (!defined.has(found[1])) complain(path, lineAt(read(path), found.index), `${found[1]} is not defined`);

process.exit(problems ? 1 : 0);
