#!/usr/bin/env bash
# slurm_scripts.sh DIR: the job scripts of DIR/experiments/slurm have no fault that shellcheck knows, and run without Slurm as
# far as they can: they refuse to start without what they need, and a worker that is told to end gives its runs back.
set -euo pipefail

scripts=("$1"/experiments/slurm/*.sbatch)
command -v shellcheck >/dev/null || { echo "there is no shellcheck; install the package shellcheck"; exit 77; }
shellcheck "${scripts[@]}" "$1"/tests/store/postgres_server.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# A gdkm and a Slurm that say what they were asked.
mkdir bin
cat >bin/gdkm <<'FAKE'
#!/usr/bin/env bash
echo "gdkm $*" >>asked
if [[ $1 == worker ]]; then
  trap 'echo "gave back" >>asked; exit 143' TERM
  for _ in {1..100}; do sleep 0.1; done
fi
[[ -f resumed ]] || { touch resumed model-7.safetensors.checkpoint; exit 143; }
FAKE
cat >bin/srun <<'FAKE'
#!/usr/bin/env bash
[[ $1 != --* ]] || shift
exec "$@"
FAKE
cat >bin/scontrol <<'FAKE'
#!/usr/bin/env bash
echo "scontrol $*" >>asked
FAKE
chmod +x bin/*
export PATH=$PWD/bin:$PATH

fail() {
  echo "$1" >&2
  cat asked >&2 || true
  exit 1
}

! env -u GDKM_STORE bash "$1/experiments/slurm/workers.sbatch" 2>said || fail "workers.sbatch started without a store"
grep -q "name the store" said || fail "workers.sbatch does not say what it needs"

SLURM_JOB_ID=7 SLURM_CPUS_PER_TASK=3 GDKM_STORE=runs.db GDKM_WORKER="--device cuda" bash "$1/experiments/slurm/workers.sbatch" >said &
job=$!
for _ in {1..100}; do [[ -f asked ]] || sleep 0.1; done
sleep 0.3
kill -TERM "$job"
status=0
wait "$job" || status=$?
((status == 143)) || fail "workers.sbatch ended with status $status"
grep -qx "gdkm worker runs.db --jobs 3 --threads 1 --wait 600 --quiet --device cuda" asked || fail "workers.sbatch asked for something else"
grep -qx "gave back" asked || fail "workers.sbatch did not pass SIGTERM on"
grep -qx "scontrol requeue 7" asked || fail "workers.sbatch did not queue the job again"

rm asked
! SLURM_JOB_ID=7 bash "$1/experiments/slurm/train.sbatch" cora --nu 10 >said || fail "train.sbatch hid the end of the training"
grep -qx "scontrol requeue 7" asked || fail "train.sbatch did not queue the job again"
SLURM_JOB_ID=7 bash "$1/experiments/slurm/train.sbatch" cora --nu 10 >said || fail "train.sbatch failed"
tail -n 1 asked | grep -q -- "--resume model-7.safetensors.checkpoint" || fail "train.sbatch did not resume"
