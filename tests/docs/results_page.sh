#!/usr/bin/env bash
# results_page.sh ROOT BUILD: the tables of docs/results.md are those that the program in BUILD prints of the runs that are kept
# in experiments/stores, and the numbers of its text are theirs, too. Skipped (77) where there is no Python.
set -euo pipefail

command -v python3 >/dev/null || {
  echo "python3 is not there"
  exit 77
}
python3 "$1/experiments/results.py" --check --gdkm "$2/gdkm"
python3 "$1/experiments/claims.py" --check
