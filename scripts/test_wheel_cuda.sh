#!/usr/bin/env bash
# test_wheel_cuda.sh [PYTHON]: uses the wheels of gdkm and gdkm-cuda in dist on a machine with a GPU.
#
# PYTHON (python3) has NumPy, SciPy, scikit-learn, tqdm and NVIDIA's package of cuBLAS, as an environment with PyTorch does.
# The wheels are unpacked into a folder of their own, so the environment stays as it is and no network is needed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${1:-python3}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m pip install -q --disable-pip-version-check --no-index --no-deps --target "$folder" dist/gdkm-*-cp312-*.whl dist/gdkm_cuda-*.whl
# Where pip would have put NVIDIA's package: beside gdkm_cuda.
nvidia=$("$python" -c 'import nvidia; print(list(nvidia.__path__)[0])')
ln -s "$nvidia" "$folder/nvidia"
if ldd "$folder/gdkm_cuda/libgdkm_cuda.so" | grep "not found"; then exit 1; fi

cd "$folder"
PYTHONPATH=$folder "$python" - <<'PYTHON'
import time

import numpy as np
import gdkm, gdkm_cuda

assert gdkm._cuda.os.environ["GDKM_CUDA_MODULE"] == str(gdkm_cuda.module_path())
graph = gdkm.generate("csbm", n=5000, classes=3, signal=8)
train, val, test = graph.splits["public"][0]
proba = {}
for device in ("cpu", "cuda"):
    begin = time.perf_counter()
    model = gdkm.GraphDKMClassifier(nu=1.0, inducing=100, epochs=50, device=device).fit(graph, train=train, val=val)
    proba[device] = model.predict_proba()
    print(f"{device}: {time.perf_counter() - begin:.2f} s, test accuracy {(model.predict()[test] == graph.y[test]).mean():.3f}")
difference = np.abs(proba["cpu"] - proba["cuda"]).max()
print(f"largest difference of a probability: {difference:.1e}")
assert difference < 0.05, difference
PYTHON
PYTHONPATH=$folder "$python" -m gdkm train csbm:n=2000 --device cuda --epochs 50 --quiet
echo "test-wheel-cuda: passed"
