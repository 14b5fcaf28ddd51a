#!/usr/bin/env bash
# Proves that library_options.sh fails on what it is there to find, and passes on what is allowed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# check EXPECTED FILE LINE [ALLOWED]: a tree whose src/gdkm/FILE has LINE is found `fine` or `wrong`.
check() {
  rm -rf "$work/src"
  mkdir -p "$work/src/gdkm/$(dirname "$2")"
  printf '%s\n' "$3" >"$work/src/gdkm/$2"
  printf '# comment\n%s\n' "${4:-}" >"$work/list"
  local found=fine
  bash "$here/library_options.sh" "$work" "$work/list" >/dev/null 2>&1 || found=wrong
  [[ $found == "$1" ]] || {
    echo "$2 with the line '$3' was called $found" >&2
    bad=1
  }
}

check fine training/a.cpp 'throw InputError("expected a number");'
check fine training/a.cpp '// Set by "--lr" of the command line.'
check fine training/a.cpp 'for (; n > 0; --n) use("text");'
check fine cli/a.cpp 'app.add_option("--lr", lr);'
check fine data/a.cpp 'error("give --name NAME");' src/gdkm/data/a.cpp
check wrong training/a.cpp 'throw InputError("--lr is not a number");'
check wrong data/a.cpp 'error("name the graph (--name)");'
check wrong data/a.cpp 'error("a \"quoted\" word, --name");'
check wrong linalg/cuda/a.cu 'fail("choose --device cpu");'
check wrong data/a.cpp 'error("name the graph");' src/gdkm/data/a.cpp
check wrong data/b.cpp 'error("fine");' src/gdkm/data/a.cpp

exit $bad
