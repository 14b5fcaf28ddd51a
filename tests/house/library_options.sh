#!/usr/bin/env bash
# library_options.sh ROOT [LIST] [--shrink]: no string of the library (src/gdkm without cli) spells a command-line option
# such as --lr; messages mention it as option("lr"), and who shows the message spells it. LIST names the files that still
# have one. It can only shrink: a file on it without such a string fails too; --shrink takes these files off the list.
set -euo pipefail
export LC_ALL=C

root=$1 list=${2:-$(dirname "${BASH_SOURCE[0]}")/library_options.txt}
cd "$root"
# A string literal with two dashes and a letter, outside of comments.
mapfile -t found < <(grep -rlE '^([^"/]|/[^/]|"([^"\\]|\\.)*")*"(([^"\\]|\\.)*[^A-Za-z0-9"-])?--[a-z]' src/gdkm \
  --include=*.hpp --include=*.cpp --include=*.cu --include=*.in | grep -v '^src/gdkm/cli/' | sort)
mapfile -t allowed < <(grep -vE '^(#|$)' "$list" | sort)

new=$(comm -23 <(printf '%s\n' "${found[@]}") <(printf '%s\n' "${allowed[@]}"))
gone=$(comm -13 <(printf '%s\n' "${found[@]}") <(printf '%s\n' "${allowed[@]}"))
if [[ ${3:-} == --shrink ]]; then
  [[ -z $gone ]] || grep -vxF "$gone" "$list" >"$list.new"
  [[ ! -e $list.new ]] || mv "$list.new" "$list"
  gone=""
fi
for file in $new; do
  echo "$file: a string of the library names a command-line option; use option(\"name\") (gdkm/support/option_mention.hpp)" >&2
done
for file in $gone; do
  echo "$file: names no command-line option any more; take it off $list" >&2
done
[[ -z $new$gone ]]
