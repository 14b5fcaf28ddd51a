#!/usr/bin/env bash
# Proves that include_directions.sh fails on what it is there to find, and passes on what is allowed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# check EXPECTED FILE LINE: a tree whose FILE has LINE is found `fine` or `wrong`.
check() {
  rm -rf "$work/gdkm"
  mkdir -p "$work/gdkm/$(dirname "$2")"
  printf '#pragma once\n%s\n' "$3" >"$work/gdkm/$2"
  local found=fine
  bash "$here/include_directions.sh" "$work/gdkm" >/dev/null 2>&1 || found=wrong
  [[ $found == "$1" ]] || {
    echo "$2 with the line '$3' was called $found" >&2
    bad=1
  }
}

check fine support/a.hpp '#include "gdkm/support/b.hpp"'
check fine linalg/a.hpp '#include "gdkm/kernels/b.hpp"'
check fine linalg/cpu/a.cpp '#include <cblas.h>'
check fine linalg/cpu/a.cpp 'std::thread worker;'
check fine linalg/cpu/a.hpp '#include "gdkm/support/thread_pool.hpp"'
check fine data/a.cpp '#include "gdkm/support/thread_pool.hpp"'
check fine training/a.hpp '#include "gdkm/dataset/b.hpp"'
check fine settings/a.hpp '#include "gdkm/training/b.hpp"'
check fine fitting/a.hpp '#include "gdkm/settings/b.hpp"'
check fine data/a.hpp '#include "gdkm/dataset/b.hpp"'
check fine cli/a.cpp '#include <CLI/CLI.hpp>'
check fine cli/a.cpp '#include "gdkm/experiments/b.hpp"'
check fine models/a.hpp '#include "gdkm/layers/b.hpp"'
check fine layers/a.hpp '// The same for every number of threads.'
check fine store/a.cpp '#include <sqlite3.h>'
check fine store/a.cpp '#include <libpq-fe.h>'
check fine experiments/a.cpp '#include "gdkm/store/b.hpp"'

check wrong support/a.hpp '#include "gdkm/linalg/b.hpp"'
check wrong kernels/a.hpp '#include "gdkm/linalg/b.hpp"'
check wrong graph/a.hpp '#include "gdkm/kernels/b.hpp"'
check wrong graph/a.hpp '#include "gdkm/data/b.hpp"'
check wrong data/a.hpp '#include "gdkm/layers/b.hpp"'
check wrong layers/a.hpp '#include "gdkm/data/b.hpp"'
check wrong layers/a.hpp '#include <gdkm/models/b.hpp>'
check wrong layers/deep/a.cpp '  #  include "gdkm/training/b.hpp"'
check wrong models/a.hpp '#include "gdkm/training/b.hpp"'
check wrong models/a.hpp '#include "gdkm/ranks/b.hpp"'
check wrong training/a.hpp '#include "gdkm/experiments/b.hpp"'
check wrong training/a.hpp '#include "gdkm/data/b.hpp"'
check wrong training/a.hpp '#include "gdkm/settings/b.hpp"'
check wrong fitting/a.hpp '#include "gdkm/data/b.hpp"'
check wrong settings/a.hpp '#include "gdkm/fitting/b.hpp"'
check wrong data/a.hpp '#include "gdkm/fitting/b.hpp"'
check wrong experiments/a.hpp '#include "gdkm/cli/b.hpp"'
check wrong store/a.hpp '#include "gdkm/experiments/b.hpp"'
check wrong training/a.hpp '#include "gdkm/store/b.hpp"'
check wrong experiments/a.cpp '#include <sqlite3.h>'
check wrong experiments/a.cpp '#include <libpq-fe.h>'
check wrong cli/a.cpp '#include <httplib.h>'
check fine experiments/serve/a.cpp '#include <httplib.h>'
check wrong support/a.hpp '#include "../linalg/b.hpp"'
check wrong misc/a.hpp '#include "gdkm/support/b.hpp"'
check wrong models/a.cpp '#include "gdkm/support/thread_pool.hpp"'
check wrong layers/a.cpp '#include <cblas.h>'
check wrong graph/a.cpp 'void spotrf_(const char*);'
check wrong linalg/a.cpp 'cblas_sgemm(CblasRowMajor);'
check wrong linalg/a.cpp '#include <thread>'
check wrong training/a.cpp 'std::thread worker;'
check wrong layers/a.hpp '#include <thread>'
check wrong models/a.hpp '#include <nlohmann/json.hpp>'
check wrong models/a.hpp '#include <CLI/CLI.hpp>'
check wrong linalg/distributed/a.cpp '#include <nccl.h>'
check wrong linalg/cuda/a.cu '#include <nccl.h>'
check fine linalg/cuda/nccl/a.cpp '#include <nccl.h>'

exit $bad
