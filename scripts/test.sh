#!/usr/bin/env bash
# test.sh PRESET FOLDER [CTEST ARGUMENTS]: runs the tests and closes with their count.
set -uo pipefail

preset=$1 folder=$2
shift 2
log=$folder/tests.log
ctest --preset "$preset" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

closing='([0-9]+)% tests passed, ([0-9]+) tests? failed out of ([0-9]+)'
while IFS= read -r line; do
  if [[ $line =~ $closing ]]; then
    failed=${BASH_REMATCH[2]} total=${BASH_REMATCH[3]}
    echo "tests: $((total - failed)) passed, $failed failed, $total in all"
  fi
done <"$log"
exit "$status"
