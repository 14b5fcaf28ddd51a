#!/usr/bin/env bash
# include_directions.sh DIR: in DIR (src/gdkm), dependencies run one way and the machinery stays in its room.
set -euo pipefail
export LC_ALL=C

cd "$1"
bad=0
complain() {
  echo "$1" >&2
  bad=1
}

# The rooms each room may include besides itself.
declare -A below=(
  [support]=""
  [ranks]="support"
  [kernels]="support"
  [linalg]="support ranks kernels"
  [graph]="support ranks linalg"
  [dataset]="support linalg graph"
  [layers]="support kernels linalg graph"
  [models]="support kernels linalg graph layers"
  [training]="support ranks kernels linalg graph dataset layers models"
  [settings]="support ranks kernels linalg graph dataset layers models training"
  [fitting]="support ranks kernels linalg graph dataset layers models training settings"
  [data]="support linalg graph dataset"
  [store]="support dataset training settings fitting data"
  [experiments]="support ranks kernels linalg graph dataset layers models training settings fitting data store"
  [cli]="support ranks kernels linalg graph dataset layers models training settings fitting data store experiments"
  [python]="support ranks kernels linalg graph dataset layers models training settings fitting data store experiments cli"
)

for room in */; do
  room=${room%/}
  [[ -v below[$room] ]] || complain "$room: a room that has no place in the order; give it one in $0"
done

sources=(--include=*.hpp --include=*.cpp --include=*.cu --include=*.cuh --include=*.in)

# Prints FILE:LINE:TEXT of each line that matches.
find_lines() { grep -rnE "${sources[@]}" -e "$1" "${@:2}" || true; }

include='^[[:space:]]*#[[:space:]]*include[[:space:]]*'

while IFS=: read -r file line text; do
  [[ -n $file ]] || continue
  from=${file%%/*}
  [[ $file != gdkm.hpp ]] || continue  # the public list of headers
  if [[ $text =~ [\"\<]gdkm/([^/\">]+)/ ]]; then
    to=${BASH_REMATCH[1]}
    [[ $to == "$from" || " ${below[$from]-} " == *" $to "* ]] ||
      complain "src/gdkm/$file:$line: $from may not include $to (it may: ${below[$from]:-nothing but itself})"
    [[ $text != *gdkm/support/thread_pool.hpp* || $file == support/* || $file == linalg/cpu/* || $file == graph/* || $file == ranks/* || $file == data/* || $file == fitting/study.cpp || $file == experiments/sweep/sweep_worker.cpp ]] ||
      complain "src/gdkm/$file:$line: the thread pool is for support, ranks, linalg/cpu, graph, data and runs side by side (fitting/study.cpp, experiments/sweep/sweep_worker.cpp)"
  elif [[ $text == *\"* ]]; then
    complain "src/gdkm/$file:$line: name project headers from the root, as \"gdkm/room/noun.hpp\""
  fi
done < <(find_lines "$include[\"<](gdkm/|[^<>]*\")" .  | while IFS= read -r hit; do echo "${hit#./}"; done)

# forbid WHERE WHY PATTERN: no line matches, but in files whose path matches the regular expression WHERE.
forbid() {
  local hit path
  while IFS= read -r hit; do
    [[ -n $hit ]] || continue
    hit=${hit#./}
    path=${hit%%:*}
    [[ $path =~ $1 ]] || complain "src/gdkm/$hit: $2"
  done < <(find_lines "$3" .)
}

forbid '^linalg/cpu/' 'BLAS and LAPACK stay in linalg/cpu' \
  '[Cc][Bb][Ll][Aa][Ss]|[Ll][Aa][Pp][Aa][Cc][Kk]|[^A-Za-z0-9_][sd](potrf|potri|geqrf|orgqr|ormqr|trtrs|trtri|syevd?)_[^A-Za-z0-9]'
forbid '^(linalg/cpu/|support/thread_pool\.)' 'threads stay in linalg/cpu and the thread pool' \
  "std::(jthread|thread|async)|pthread_|[^A-Za-z0-9_]omp_|#[[:space:]]*pragma[[:space:]]+omp[[:space:]]+(parallel|for|task|sections)|${include}<(thread|future|omp\\.h)"
forbid '^linalg/cuda/' 'CUDA stays in linalg/cuda' \
  "${include}[\"<](cuda|cublas|cusolver|cusparse|cooperative_groups)"
forbid '^linalg/cuda/nccl/' 'NCCL stays in linalg/cuda/nccl' "${include}[\"<]nccl"
forbid '^ranks/mpi/' 'MPI stays in ranks/mpi' "${include}[\"<]mpi\\.h"
forbid '^store/' 'SQLite and PostgreSQL stay in store' "${include}[\"<](sqlite3|libpq|postgresql/|pg_config)"
forbid '^experiments/serve/' 'HTTP stays in experiments/serve' "${include}[\"<]httplib"
# A mathematician reads these two.
forbid '^(support|ranks|kernels|linalg|graph|dataset|data|training|settings|fitting|store|experiments|cli|python)/' 'layers and models know mathematics only' \
  "${include}[\"<](CLI/|nlohmann/|mutex|condition_variable|cuda|cublas|cusolver|cusparse|nccl|mpi\\.h)"

exit $bad
