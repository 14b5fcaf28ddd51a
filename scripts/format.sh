#!/usr/bin/env bash
# format.sh [--check]: lays out every C++ file by .clang-format, or says which ones are not.
set -euo pipefail
shopt -s globstar nullglob

# Versions of clang-format disagree; 14 is the one that counts.
tool=$(command -v clang-format-14 || command -v clang-format)
[[ $("$tool" --version) =~ version\ 14\. ]] || echo "format: expected clang-format 14, this is $("$tool" --version)" >&2

files=({src,tests,benchmarks,python}/**/*.{hpp,cpp,cu,cuh})
if [[ ${1:-} == --check ]]; then
  "$tool" --dry-run --Werror "${files[@]}"
  echo "format: ${#files[@]} files are as they should be"
else
  "$tool" -i "${files[@]}"
fi
