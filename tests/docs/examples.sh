#!/usr/bin/env bash
# examples.sh ROOT BUILD [CMAKE ARGUMENTS]: installs BUILD into a temporary folder, then builds and runs against it the
# program of README.md, which is examples/ten_lines.cpp, and the other programs of examples/. The one that uses the core
# alone must not load what only the other libraries need.
set -euo pipefail

root=$(realpath "$1") build=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block LANGUAGE: the first fenced block of that language.
block() {
  awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } on && /^```/ { exit } on' "$root/README.md"
}
run() {
  "$@" >"$work/log" 2>&1 || {
    echo "failed: $*" >&2
    tail -n 40 "$work/log" >&2
    exit 1
  }
}

block cpp | diff - "$root/examples/ten_lines.cpp" || {
  echo "README.md and ARCHITECTURE.md show examples/ten_lines.cpp; its text has changed" >&2
  exit 1
}
mkdir "$work/readme"
block cmake >"$work/readme/CMakeLists.txt"
block cpp >"$work/readme/main.cpp"

unset DESTDIR
run cmake --install "$build" --prefix "$work/prefix"
run cmake -S "$work/readme" -B "$work/readme/build" -D CMAKE_BUILD_TYPE=Release -D "CMAKE_PREFIX_PATH=$work/prefix" "$@"
run cmake -S "$root/examples" -B "$work/examples" -D CMAKE_BUILD_TYPE=Release -D "CMAKE_PREFIX_PATH=$work/prefix" "$@"
run cmake --build "$work/readme/build"
run cmake --build "$work/examples"

cd "$work"
readme/build/example
for program in ten_lines own_graph nu_curve; do
  echo "== $program"
  "examples/$program"
done
if ldd examples/own_graph | grep -E 'libcurl|libsqlite|libpugixml|libzip'; then
  echo "a program that links gdkm::core alone loads a library that core has no use for" >&2
  exit 1
fi
