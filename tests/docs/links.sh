#!/usr/bin/env bash
# links.sh ROOT: the files that the documents name are there. Checked are links, and what stands between backticks and
# looks like a path of the project.
set -euo pipefail
shopt -s nullglob

cd "$1"
bad=0
count=0
for document in README.md ARCHITECTURE.md docs/*.md; do
  folder=$(dirname "$document")
  while IFS= read -r target; do
    [[ -n $target ]] || continue
    count=$((count + 1))
    [[ -e $folder/$target ]] || {
      echo "$document: links to $target, which is not there" >&2
      bad=1
    }
  done < <(grep -oE '\]\([^)#]+' "$document" | cut -c3- | grep -vE '^[a-z]+:' || true)
  while IFS= read -r path; do
    [[ -n $path ]] || continue
    count=$((count + 1))
    # Paths of code may leave out src/gdkm/.
    [[ -e $path || -e src/gdkm/$path ]] || {
      echo "$document: names $path, which is not there" >&2
      bad=1
    }
  done < <(grep -oE '`((src|tests|docs|scripts|cmake|benchmarks|support|kernels|linalg|graph|data|layers|models|training|experiments|cli)/[A-Za-z0-9_./-]+)`' "$document" |
    tr -d '`' | grep -vE '[<>]|^data/' | sort -u || true)
done
((count > 20)) || {
  echo "only $count links and paths were found; has the writing changed?" >&2
  bad=1
}
exit $bad
