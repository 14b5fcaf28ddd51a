#!/usr/bin/env bash
# readme_library.sh ROOT BUILD [CMAKE ARGUMENTS]: installs BUILD into a temporary folder, builds the CMake and C++ blocks
# of README.md against it, and runs the result.
set -euo pipefail

readme=$(realpath "$1")/README.md
build=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block LANGUAGE: the first fenced block of that language.
block() {
  awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } on && /^```/ { exit } on' "$readme"
}
mkdir "$work/example"
block cmake >"$work/example/CMakeLists.txt"
block cpp >"$work/example/main.cpp"

run() {
  "$@" >"$work/log" 2>&1 || {
    echo "failed: $*" >&2
    tail -n 40 "$work/log" >&2
    exit 1
  }
}
unset DESTDIR
run cmake --install "$build" --prefix "$work/prefix"
run cmake -S "$work/example" -B "$work/example/build" -D CMAKE_BUILD_TYPE=Release -D "CMAKE_PREFIX_PATH=$work/prefix" "$@"
run cmake --build "$work/example/build"
"$work/example/build/example"
