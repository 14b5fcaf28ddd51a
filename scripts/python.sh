#!/usr/bin/env bash
# python.sh link|test [ARGUMENTS]: the Python package while it is worked on, and its tests.
#
#   link [VENV]   builds gdkm._core in build/ and links it into python/gdkm, so that PYTHONPATH=python is enough
#   test [ARGS]   builds the wheel in an environment of its own (build-python), installs it there and runs pytest with ARGS
#
# PYTHON names another Python than python3; it must be 3.11 or later.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=build-python
venv=$folder/venv
jobs=$(bash scripts/jobs.sh)

# The newest Python that will do, among those that have the usual names.
find_python() {
  local name
  for name in ${PYTHON:-} python3.13 python3.12 python3.11 python3; do
    if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  echo "python: Python 3.11 or later with venv is needed (Debian: python3-venv python3-dev)" >&2
  return 2
}

make_venv() {
  [[ -x $venv/bin/python ]] || "$(find_python)" -m venv "$venv"
  "$venv/bin/python" -m pip install -q --disable-pip-version-check "$@"
}

case ${1:-} in
  link)
    [[ -z ${2:-} ]] || venv=$2
    [[ -n ${2:-} ]] || make_venv nanobind numpy scipy scikit-learn tqdm pytest pandas networkx igraph matplotlib
    cmake -B build -DGDKM_BUILD_PYTHON=ON -DPython_EXECUTABLE="$PWD/${venv#"$PWD/"}/bin/python" >/dev/null ||
      cmake -B build -DGDKM_BUILD_PYTHON=ON -DPython_EXECUTABLE="$venv/bin/python" >/dev/null
    cmake --build build --parallel "$jobs" --target gdkm_python
    rm -f python/gdkm/_core*.so
    for module in build/python/_core*.so; do ln -s "../../$module" "python/gdkm/${module##*/}"; done
    echo "python: use it with PYTHONPATH=$PWD/python $venv/bin/python"
    ;;
  test)
    shift
    make_venv scikit-build-core nanobind
    # The build folder is kept, so that a second run compiles what changed. Where build/ is there, the wheel is made in it, with
    # its options: the library is compiled once for the program and the module.
    where=$folder/build options=()
    if [[ -f build/configured-with && $(<build/configured-with) == release* ]]; then
      where=build
      for option in GDKM_BUILD_TESTS GDKM_BUILD_BENCHMARKS GDKM_CUDA GDKM_WERROR; do
        options+=(-C "cmake.define.$option=$(sed -n "s/^$option:[A-Z]*=//p" build/CMakeCache.txt)")
      done
    fi
    CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$venv/bin/python" -m pip install -q --disable-pip-version-check \
      --no-build-isolation -C build-dir="$where" "${options[@]}" ".[test]"
    # From another folder: the package that was installed is tested, not the sources.
    tests=$PWD/python/tests
    mkdir -p "$folder/run"
    cd "$folder/run"
    MPLBACKEND=agg "$OLDPWD/$venv/bin/python" -m pytest -c ../../pyproject.toml --rootdir ../.. -p no:cacheprovider "$tests" "$@"
    ;;
  *)
    echo "usage: python.sh link|test [ARGUMENTS]" >&2
    exit 2
    ;;
esac
