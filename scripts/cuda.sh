#!/usr/bin/env bash
# cuda.sh FOLDER: prints the path of an nvcc that can compile the CUDA backend (12.0 or later). Where none is installed, it
# installs one from Python packages into FOLDER. That is enough to compile; running needs an NVIDIA driver too. Exits with
# status 2, and says what is missing, where neither works.
set -euo pipefail

folder=$1
usable() { [[ -x $1 && $("$1" --version 2>/dev/null) =~ release\ ([0-9]+)\. ]] && ((BASH_REMATCH[1] >= 12)); }

for nvcc in "${CUDACXX:-}" "$(command -v nvcc || true)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" \
  "$folder"/lib/python3*/site-packages/nvidia/cu13/bin/nvcc; do
  if usable "$nvcc"; then
    echo "$nvcc"
    exit 0
  fi
done

command -v python3 >/dev/null || {
  echo "cuda: no nvcc here, and no python3 to install one; install the CUDA toolkit 12.0 or later" >&2
  exit 2
}
echo "cuda: installing a CUDA compiler into $folder" >&2
python3 -m venv "$folder" >&2 || {
  echo "cuda: python3 -m venv failed; install python3-venv, or the CUDA toolkit 12.0 or later" >&2
  exit 2
}
"$folder/bin/pip" install -q 'nvidia-cuda-nvcc==13.*' 'nvidia-cuda-crt==13.*' 'nvidia-nvvm==13.*' \
  'nvidia-cuda-runtime==13.*' 'nvidia-cuda-cccl==13.*' 'nvidia-cublas==13.*' >&2 || {
  echo "cuda: pip could not install a CUDA compiler; install the CUDA toolkit 12.0 or later" >&2
  exit 2
}
root=$(echo "$folder"/lib/python3*/site-packages/nvidia/cu13)
# What CMake's CUDAToolkit looks for, beside what pip has put there.
[[ -e $root/lib64 ]] || ln -s lib "$root/lib64"
(
  cd "$root/lib"
  for library in *.so.*; do [[ -e ${library%%.so.*}.so ]] || ln -s "$library" "${library%%.so.*}.so"; done
)
echo "$root/bin/nvcc"
