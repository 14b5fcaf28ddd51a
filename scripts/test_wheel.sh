#!/usr/bin/env bash
# test_wheel.sh: installs the wheels of dist/ in a Debian 12 that has nothing but Python, and uses them.
#
# Debian's own Python 3.11 is there; a 3.12 or 3.13 of pyenv is copied in where this machine has one. Wheels of other
# packages are fetched first, so that pip installs without a network. Where dist/ has a wheel of gdkm-cuda, it is installed
# with Debian's Python, with cuBLAS and without: a machine without a GPU has to say so. Needs root and debootstrap; exits
# with status 77, and says why, where one of them is missing.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() {
  echo "test-wheel: skipped, because $1" >&2
  exit 77
}
((EUID == 0)) || skip "only root can make a system to install in"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
wheels=(dist/gdkm-*.whl)
cuda=(dist/gdkm_cuda-*.whl)
((${#wheels[@]})) || { echo "test-wheel: no wheel in dist; run make wheel" >&2; exit 2; }

work=$PWD/build-wheel
root=$work/debian12
house=$work/wheelhouse
mkdir -p "$house"
if [[ ! -e $root/complete ]]; then
  mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^bookworm //p' | head -1)
  rm -rf "$root"
  debootstrap --variant=minbase --include=python3,python3-venv bookworm "$root" ${mirror:+"$mirror"} >"$work/debootstrap.log" ||
    { tail -5 "$work/debootstrap.log" >&2; exit 1; }
  touch "$root/complete"
fi

# What a user does, from an empty folder.
mkdir -p "$root/gdkm"
cat >"$root/gdkm/use_gdkm.py" <<'PYTHON'
import sys
import gdkm

graph = gdkm.generate("csbm", n=300, classes=3, signal=8)
train, val, test = graph.splits["public"][0]
model = gdkm.GraphDKMClassifier(nu=1.0, inducing=30).fit(graph, train=train, val=val)
proba = model.predict_proba()
assert proba.shape == (300, 3), proba.shape
assert abs(proba.sum(1) - 1).max() < 1e-5
accuracy = (model.predict()[test] == graph.y[test]).mean()
assert accuracy > 0.5, accuracy
assert not gdkm._core.can_download()
print(f"Python {sys.version.split()[0]}: gdkm {gdkm.__version__}, test accuracy {accuracy:.2f}")
PYTHON
cat >"$root/gdkm/two.toml" <<'TOML'
datasets = ["csbm:n=90,classes=3,features=12,degree=6"]
options = { inducing = 20, epochs = 5 }
[[study]]
model = "dkm"
[[study.stage]]
grid = { nu = [1, 2] }
TOML
cat >"$root/gdkm/use_gdkm.sh" <<'SHELL'
set -eu
cd "$(mktemp -d)"
"$1" -m venv venv
venv/bin/pip install -q --disable-pip-version-check --no-index --find-links "$HOME/wheels" gdkm
venv/bin/python "$HOME/use_gdkm.py"
venv/bin/gdkm --version
venv/bin/python -m gdkm train csbm:n=300 --quiet
venv/bin/gdkm sweep "$HOME/two.toml" --quiet
# refuses_gpu TEXT: a GPU is refused in one line with these words, and not by a program that hangs.
refuses_gpu() {
  status=0
  timeout 60 venv/bin/gdkm train csbm:n=300 --device cuda >output 2>error || status=$?
  if [ "$status" != 2 ] || [ -s output ] || [ "$(grep -c . error)" != 1 ] || ! grep -q "$1" error; then
    echo "--device cuda: expected status 2 and one line with '$1', got status $status and:" >&2
    cat output error >&2
    exit 1
  fi
}
refuses_gpu "this gdkm was built without CUDA"
if [ -n "$2" ]; then
  venv/bin/pip install -q --disable-pip-version-check --no-index --no-deps "$HOME"/wheels/gdkm_cuda-*.whl
  venv/bin/pip install -q --disable-pip-version-check --no-index --find-links "$HOME/wheels" "gdkm[cuda]"
  refuses_gpu "no NVIDIA driver is installed"
fi
# Nothing listens here, so this shows that requests are made.
if venv/bin/gdkm data fetch minesweeper --data-dir sets --base-url http://127.0.0.1:9 2>error; then exit 1; fi
grep -q "cannot connect" error
ls -A sets 2>/dev/null | grep . && exit 1
rm -rf "$PWD"
SHELL

fetch() {
  python3 -m pip download -q --disable-pip-version-check --only-binary=:all: -d "$house" \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux_2_17_x86_64 \
    --platform manylinux2014_x86_64 "$@"
}

failed=0
rm -rf "$root/gdkm/wheels"
mkdir -p "$root/gdkm/wheels"
cp "${wheels[@]}" "${cuda[@]}" "$root/gdkm/wheels"
for python in /usr/bin/python3.11 ~/.pyenv/versions/3.1{2,3}.*/bin/python; do
  home=${python%/bin/*}
  if [[ $home != /usr && ! -e $root$home ]]; then
    mkdir -p "$root$home"
    cp -a "$home/." "$root$home"
  fi
  version=$(chroot "$root" "$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  with_cuda=
  if [[ $home == /usr ]] && ((${#cuda[@]})); then
    with_cuda=yes
    fetch --python-version "$version" 'nvidia-cublas>=13,<14'
  fi
  fetch --python-version "$version" numpy scipy scikit-learn tqdm
  cp -n "$house"/*.whl "$root/gdkm/wheels"
  # Nothing of this machine's environment, such as options of pip, goes along.
  if env -i HOME=/gdkm PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 chroot "$root" sh /gdkm/use_gdkm.sh "$python" "$with_cuda"; then
    echo "test-wheel: Python $version passed"
  else
    echo "test-wheel: Python $version FAILED" >&2
    failed=1
  fi
done
exit $failed
