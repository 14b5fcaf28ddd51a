#!/usr/bin/env bash
# tidy.sh FOLDER [PATHS]: runs clang-tidy, by the compile commands in FOLDER, over src/gdkm or the paths named.
set -euo pipefail
shopt -s globstar nullglob

folder=$1
shift
(($#)) || set -- src/gdkm
files=()
for path in "$@"; do
  if [[ -d $path ]]; then files+=("$path"/**/*.cpp); else files+=("$path"); fi
done
# clang cannot read GCC's precompiled headers.
commands=$(mktemp -d)
trap 'rm -rf "$commands"' EXIT
sed -E 's/ -Winvalid-pch//; s/ -include [^ ]*cmake_pch\.hxx//' "$folder/compile_commands.json" >"$commands/compile_commands.json"
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(bash scripts/jobs.sh)" clang-tidy -p "$commands" --quiet --warnings-as-errors='*'
