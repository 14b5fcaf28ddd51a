#!/usr/bin/env bash
# Files of a page as they should not be, and whether page_lint.sh says so.
set -euo pipefail

lint=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/page_lint.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# check fine|wrong TEXT CSS HTML JS JS: what the lint makes of a page of these files; TEXT is what it says.
check() {
  local expected=$1 text=$2 status=0 got
  echo 'Colour ink{"ink", "#000000", "#ffffff"};' >colours.hpp
  printf '%s\n' "$3" >page.css
  printf '%s\n' "$4" >page.html
  printf '%s\n' "$5" >first.js
  printf '%s\n' "$6" >second.js
  got=$(bash "$lint" colours.hpp page.css page.html first.js second.js 2>&1) || status=$?
  ((status != 77)) || exit 77
  if [[ $expected == fine && $status -ne 0 ]] || [[ $expected == wrong && ($status -eq 0 || $got != *"$text"*) ]]; then
    echo "expected $expected ($text), got status $status: $got" >&2
    exit 1
  fi
}

css='a { color: var(--ink); } @media print { b, i { margin: 0 1px; --own: 2; } }'
html='<p id="here">'
use='$("here"); console.log(name);'
js='const $ = id => document.getElementById(id), name = 1;'
check fine "" "$css" "$html" "$js" "$use"
check wrong "first.js:1: Parsing error" "$css" "$html" "const = 1;" "$use"
check wrong "second.js:1: 'other' is not defined" "$css" "$html" "$js" "$use other();"
check wrong "second.js:2: 'left' is assigned a value but never used" "$css" "$html" "$js" "$use"$'\nconst left = 2;'
check wrong "second.js:1: no element has the id 'there'" "$css" "$html" "$js" "$use \$('there');"
check wrong "page.css:1: --missing is not defined" "a { color: var(--missing); }" "$html" "$js" "$use"
check wrong "page.css:2: not a declaration: margin 0" $'a { color: red;\nmargin 0; }' "$html" "$js" "$use"
check wrong "page.css:2: not a rule" $'a { color: red; }\nb { color: red;' "$html" "$js" "$use"
check wrong "page.css:1: not a rule" "a { color: red; } }" "$html" "$js" "$use"
