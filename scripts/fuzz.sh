#!/usr/bin/env bash
# fuzz.sh FOLDER [LIBFUZZER ARGUMENTS]: runs the fuzzers of a build folder, as many at a time as FUZZ_JOBS says (1), each
# for FUZZ_SECONDS (600), and prints a line about each. FUZZ_TARGETS names some of them. What they learn stays in
# FOLDER/corpus and is where the next run begins; inputs that break a reader are in FOLDER/findings.
set -euo pipefail

folder=$1
shift
seconds=${FUZZ_SECONDS:-600} jobs=${FUZZ_JOBS:-1}
read -ra targets <<<"${FUZZ_TARGETS:-}"
if ((!${#targets[@]})); then
  for fuzzer in "$folder"/fuzzers/fuzz_*; do targets+=("${fuzzer##*/fuzz_}"); done
fi

mkdir -p "$folder"/{corpus,findings,logs}
"$folder/fuzzers/gdkm_make_corpus" "$folder/corpus"
export UBSAN_OPTIONS=print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}

# Small inputs reach everything that these formats have, and many of them can be tried.
fuzz() {
  local name=$1 log=$folder/logs/$1.log dictionary=tests/fuzz/dictionaries/$1.dict status=0
  shift
  "$folder/fuzzers/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=512 \
    -max_len=4096 -print_final_stats=1 -artifact_prefix="$folder/findings/$name-" \
    -dict="$dictionary" "$@" "$folder/corpus/$name" >"$log" 2>&1 || status=$?
  local verdict="FAILED, see $log"
  ((status != 0)) || verdict=good
  ((status != 72)) || verdict=interrupted  # libFuzzer's own number
  stat() { sed -n "s/^stat::$1: *//p" "$log"; }
  printf '%-14s %10s inputs  %5s s  %5s MB  %s\n' "$name" "$(stat number_of_executed_units)" "$SECONDS" \
    "$(stat peak_rss_mb)" "$verdict"
  return "$status"
}

failed=0 running=0
for target in "${targets[@]}"; do
  if ((running == jobs)); then
    wait -n || failed=1
    running=$((running - 1))
  fi
  (SECONDS=0 && fuzz "$target" "$@") &
  running=$((running + 1))
done
while ((running)); do
  wait -n || failed=1
  running=$((running - 1))
done
exit "$failed"
