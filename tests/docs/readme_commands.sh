#!/usr/bin/env bash
# readme_commands.sh ROOT BUILD: every command that README.md prints works, in order, with the program in BUILD, without
# a network and without data sets. What builds or downloads (make, git clone) is left out; the Python blocks run where
# there is NumPy. The options that the README's table names must be options of the program, and none may be missing.
set -euo pipefail

readme=$(realpath "$1")/README.md
program=$(realpath "$2")/gdkm
[[ -x $program ]] || {
  echo "$program is not there; build it first" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

has_numpy=no
if python3 -c 'import numpy' 2>/dev/null; then has_numpy=yes; fi

# The fenced blocks, as one script: shell lines as they are, Python blocks as here-documents.
awk -v numpy=$has_numpy '
  /^```/ { if (in_block) { if (language == "python" && numpy == "yes") print "END_OF_PYTHON"; in_block = 0 }
           else { in_block = 1; language = substr($0, 4)
                  if (language == "python" && numpy == "yes") print "python3 - <<\047END_OF_PYTHON\047" }
           next }
  in_block && language == "sh" && !/^[[:space:]]*(make|git clone)([[:space:]]|$)/ { print }
  in_block && language == "python" && numpy == "yes" { print }
' "$readme" >"$work/commands.sh"

count=$(grep -c '^build/gdkm ' "$work/commands.sh" || true)
if ((count < 8)); then
  echo "only $count commands were found in $readme; have its fences changed?" >&2
  exit 1
fi

mkdir -p "$work/tree/build" "$work/cache"
ln -s "$program" "$work/tree/build/gdkm"
cd "$work/tree"
if ! env -u GDKM_DATA XDG_CACHE_HOME="$work/cache" PATH="$work/tree/build:$PATH" \
  bash -euo pipefail -v "$work/commands.sh" >"$work/log" 2>&1; then
  echo "README.md: a command failed, the last one below" >&2
  tail -n 40 "$work/log" >&2
  exit 1
fi

# Options in the table, in the help, and whether they agree.
sed -nE '/^## Options of `train`/,/^## /s/^\| (`--[^|]*)\|.*/\1/p' "$readme" | grep -oE '\-\-[a-z-]+' | sort -u >"$work/named"
"$program" train --help | grep -oE '^  --[a-z-]+' | tr -d ' ' | sort -u >"$work/real"
# --data-dir has a section of its own.
if ! diff <(cat "$work/named" <(echo --data-dir) | sort -u) "$work/real" >"$work/difference"; then
  echo "the README's table of options (<) and gdkm train --help (>) disagree:" >&2
  cat "$work/difference" >&2
  exit 1
fi
echo "$count commands of README.md work (Python blocks: $has_numpy)"
