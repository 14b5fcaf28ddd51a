#!/usr/bin/env bash
# Prints how many compilers to run at once: one per core, each with 2 GiB of memory.
set -euo pipefail

cores=$(nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 1)

kib=0
if [[ -r /proc/meminfo ]]; then
  while read -r name value _; do
    [[ $name != MemAvailable: ]] || kib=$value
  done </proc/meminfo
else
  kib=$(($(sysctl -n hw.memsize 2>/dev/null || echo 0) / 1024))
fi
# A container may have less than the machine.
if [[ -r /sys/fs/cgroup/memory.max ]]; then
  read -r limit </sys/fs/cgroup/memory.max
  if [[ $limit != max ]] && ((kib == 0 || limit / 1024 < kib)); then kib=$((limit / 1024)); fi
fi
if [[ -r /sys/fs/cgroup/cpu.max ]]; then
  read -r quota period </sys/fs/cgroup/cpu.max
  if [[ $quota != max ]]; then
    allowed=$(((quota + period - 1) / period))
    if ((allowed < cores)); then cores=$allowed; fi
  fi
fi

jobs=$cores
if ((kib > 0 && kib / (2 * 1024 * 1024) < jobs)); then jobs=$((kib / (2 * 1024 * 1024))); fi
if ((jobs < 1)); then jobs=1; fi
echo "$jobs"
