#!/usr/bin/env bash
# test.sh PRESET FOLDER [--must-run] [CTEST ARGUMENTS]: runs the tests and prints how many passed, failed and were skipped.
# With --must-run a test that is skipped fails.
set -uo pipefail

preset=$1 folder=$2
shift 2
must_run=
if [[ ${1:-} == --must-run ]]; then
  must_run=1
  shift
fi
log=$folder/tests.log
ctest --preset "$preset" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

closing='tests passed, ([0-9]+) tests? failed out of ([0-9]+)'
if [[ $(grep -E "$closing" "$log") =~ $closing ]]; then
  failed=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
  # ctest counts a test that was skipped among those that passed.
  skipped=$(grep -cE '\*\*\*(Skipped|Not Run \(Disabled\))' "$log")
  echo "tests: $((total - failed - skipped)) passed, $failed failed, $skipped skipped"
  if [[ -n $must_run ]] && ((skipped)); then
    echo "tests: these may not be skipped here" >&2
    status=1
  fi
fi
exit "$status"
