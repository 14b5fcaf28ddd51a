#!/usr/bin/env bash
# results.sh [GDKM] [FOLDER]: the tables and figures of docs/results.md, section "The paper's protocol", from the runs that are
# kept in experiments/stores. GDKM is the program (build/gdkm); figures go to FOLDER (figures). Nothing is trained.
set -euo pipefail
gdkm=$(realpath "${1:-build/gdkm}") folder=${2:-figures}
stores=$(dirname "${BASH_SOURCE[0]}")/stores
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
xz -dc "$stores/protocol.db.xz" >"$work/protocol.db"
table() {
  echo "### gdkm table $1 protocol.db --sweep $2"
  "$gdkm" table "$1" "$work/protocol.db" --sweep "$2"
  echo
}
table nodes node-dkm,node-nngp,gcn
table gains node-dkm
table graphs graph-dkm
table graph-gains graph-dkm
table calibration node-dkm,node-nngp,gcn,graph-dkm
table schemes node-dkm
table schemes node-dkm-inference-paper
table gains node-dkm-inference-paper
table nodes node-dkm-inference-paper,node-nngp-inference-paper
table nodes beyond
table graphs beyond
table gains beyond
table graph-gains beyond
echo "### gdkm table best protocol.db"
"$gdkm" table best "$work/protocol.db"
"$gdkm" figure nu-curve --store "$work/protocol.db" --sweep node-dkm --out "$folder" | tail -3
"$gdkm" figure nu-curve --store "$work/protocol.db" --sweep node-dkm-inference-paper --out "$folder/paper" | tail -3
