#!/usr/bin/env bash
# file_length.sh ROOT LIMIT: no source file under ROOT is longer than LIMIT lines.
set -euo pipefail
shopt -s globstar nullglob

cd "$1"
limit=$2
bad=0
for file in {src,tests,benchmarks,python}/**/*.{hpp,cpp,cu,cuh,py,sh,js,css,html} cmake/* scripts/*; do
  [[ -f $file ]] || continue
  lines=$(grep -c '' "$file" || true)
  if ((lines > limit)); then
    echo "$file: $lines lines; split it before $limit" >&2
    bad=1
  fi
done
exit $bad
