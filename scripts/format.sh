#!/usr/bin/env bash
# format.sh [--check]: lays out every C++ file by .clang-format, or names the files that are not laid out so. Needs
# clang-format 14: other versions lay out differently.
set -euo pipefail
shopt -s globstar nullglob

tool=$(command -v clang-format-14 || command -v clang-format) || tool=
if [[ -z $tool || ! $("$tool" --version) =~ version\ 14\. ]]; then
  echo "format: expected clang-format 14, found $([[ -n $tool ]] && "$tool" --version || echo none)" >&2
  exit 2
fi

files=({src,tests,benchmarks,python}/**/*.{hpp,cpp,cu,cuh})
if [[ ${1:-} == --check ]]; then
  "$tool" --dry-run --Werror "${files[@]}"
  echo "format: ${#files[@]} files are as they should be"
else
  "$tool" -i "${files[@]}"
fi
