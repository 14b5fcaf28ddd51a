#!/usr/bin/env bash
# setup.sh [build|format|tidy|fuzz|page|browser|postgres|python]: checks that the tools for a purpose are there, and installs what is
# missing where it can (Debian and Ubuntu, as root or with sudo). Elsewhere it names what is missing and exits with status 2. The CUDA
# compiler has a script of its own, cuda.sh.
#
# GDKM_SKIP_SETUP=1 turns it off. With BLA_VENDOR set, any cblas.h will do in place of OpenBLAS.
set -euo pipefail
shopt -s nullglob

[[ -z ${GDKM_SKIP_SETUP:-} ]] || exit 0
purpose=${1:-build}
CC=${CC:-cc} CXX=${CXX:-c++}

# Where headers are looked for. Files are tested directly, since there may be no compiler to ask yet.
IFS=: read -ra headers <<<"${CPATH:-}"
headers+=(/usr/include /usr/include/*-linux-* /usr/local/include /opt/homebrew/include
  {/usr/local,/opt/homebrew}/opt/openblas/include)
if [[ -n ${CMAKE_PREFIX_PATH:-} ]]; then
  IFS=':;' read -ra prefixes <<<"$CMAKE_PREFIX_PATH"
  headers+=("${prefixes[@]/%//include}")
fi

has_command() { command -v "$1" >/dev/null 2>&1; }
has_header() {
  local folder name
  for folder in "${headers[@]}"; do
    for name in "$@"; do
      [[ ! -e $folder/$name ]] || return 0
    done
  done
  return 1
}
has_openblas() {
  if [[ -n ${BLA_VENDOR:-} ]]; then
    has_header cblas.h {openblas,blis,cblas,flexiblas}/cblas.h
  else
    has_header openblas_config.h openblas{,-pthread,-openmp,-serial}/openblas_config.h
  fi
}

# libFuzzer is part of clang's runtime, which is a package of its own in newer Debians and comes with clang in older ones.
has_fuzzer() {
  local found=("$(clang++ -print-runtime-dir 2>/dev/null)"/libclang_rt.fuzzer*)
  ((${#found[@]}))
}
fuzzer_package() { if apt-cache show libclang-rt-dev >/dev/null 2>&1; then echo libclang-rt-dev; else echo clang; fi; }

has_eslint() {
  NODE_PATH=/usr/share/nodejs:/usr/lib/node_modules:/usr/local/lib/node_modules node -e 'require("eslint")' >/dev/null 2>&1
}
# Versions of clang-format disagree on layout; 14 is the one that counts.
has_clang_format() {
  has_command clang-format-14 || { has_command clang-format && [[ $(clang-format --version) =~ version\ 14\. ]]; }
}
# One of the Pythons that scripts/python.sh tries, with what building a package takes.
has_python() {
  local name check='import sys, sysconfig, venv, ensurepip, pathlib
sys.exit(sys.version_info < (3, 11) or not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())'
  for name in ${PYTHON:-} python3.13 python3.12 python3.11 python3; do
    ! "$name" -c "$check" 2>/dev/null || return 0
  done
  return 1
}
# The names that tests/browser/chromium.py looks for.
has_browser() {
  local name
  for name in ${GDKM_CHROMIUM:-chromium chromium-browser google-chrome google-chrome-stable}; do
    ! has_command "$name" || return 0
  done
  return 1
}

has_libpq() { has_header libpq-fe.h postgresql/libpq-fe.h; }
# As tests/store/postgres_server.sh looks for it: Debian does not have it on the path.
has_postgres() {
  local found=(/usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb)
  has_command initdb || ((${#found[@]}))
}

# Per missing thing, one column: what it is, then its package on Debian, Fedora, Arch and Homebrew.
missing=() debian=() fedora=() arch=() brew=()
# Packages of Debian that nothing needs but something gains by: they come along when others are installed.
welcome=()
need() {
  missing+=("$1")
  debian+=("$2") fedora+=("$3") arch+=("$4") brew+=("$5")
}

case $purpose in
  build)
    { has_command "${CXX%% *}" && has_command "${CC%% *}"; } || need "a C and C++20 compiler" g++ gcc-c++ gcc gcc
    has_command cmake || need "CMake 3.22" cmake cmake cmake cmake
    has_command ninja || has_command ninja-build || need "Ninja" ninja-build ninja-build ninja ninja
    has_command pkg-config || need "pkg-config" pkg-config pkgconf-pkg-config pkgconf pkgconf
    has_openblas || need "OpenBLAS" libopenblas-dev openblas-devel openblas openblas
    has_header fmt/format.h || need "fmt" libfmt-dev fmt-devel fmt fmt
    has_header nlohmann/json.hpp || need "nlohmann json" nlohmann-json3-dev json-devel nlohmann-json nlohmann-json
    has_header CLI/CLI.hpp || need "CLI11" libcli11-dev cli11-devel cli11 cli11
    has_header zip.h || need "libzip" libzip-dev libzip-devel libzip libzip
    has_header zlib.h || need "zlib" zlib1g-dev zlib-devel zlib zlib
    has_header curl/curl.h || need "libcurl" libcurl4-openssl-dev libcurl-devel curl curl
    has_header pugixml.hpp || need "pugixml" libpugixml-dev pugixml-devel pugixml pugixml
    has_header metis.h || need "METIS" libmetis-dev metis-devel metis metis
    has_header sqlite3.h || need "SQLite" libsqlite3-dev sqlite-devel sqlite sqlite
    has_libpq || welcome+=(libpq-dev) # stores on PostgreSQL servers
    # gdkm serve; Debian's cpp-httplib is built with OpenSSL and Brotli, and its header asks for theirs
    has_header httplib.h || welcome+=(libcpp-httplib-dev libssl-dev libbrotli-dev)
    has_header toml++/toml.h || need "toml++" libtomlplusplus-dev tomlplusplus-devel tomlplusplus tomlplusplus
    has_header gtest/gtest.h || need "GoogleTest" libgtest-dev gtest-devel gtest googletest
    has_header benchmark/benchmark.h ||
      need "Google Benchmark" libbenchmark-dev google-benchmark-devel benchmark google-benchmark
    has_command mpicxx || need "Open MPI" libopenmpi-dev openmpi-devel openmpi open-mpi
    has_command mpirun || need "mpirun" openmpi-bin openmpi openmpi open-mpi
    has_command rsvg-convert || welcome+=(librsvg2-bin) # PNG files of gdkm figure
    ;;
  format) has_clang_format || need "clang-format 14" clang-format-14 clang-tools-extra-14 clang14 clang-format@14 ;;
  tidy) has_command clang-tidy || need "clang-tidy" clang-tidy clang-tools-extra clang llvm ;;
  fuzz)
    has_command clang++ || need "clang" clang clang clang llvm
    has_fuzzer || need "libFuzzer" "$(fuzzer_package)" compiler-rt compiler-rt llvm
    ;;
  page) has_eslint || need "ESLint" eslint "nodejs-npm && npm install -g eslint" eslint eslint ;;
  browser)
    has_browser || need "Chromium" chromium chromium-headless chromium chromium
    has_command python3 || need "Python 3" python3 python3 python python
    if ! has_header httplib.h; then
      need "cpp-httplib" libcpp-httplib-dev cpp-httplib-devel cpp-httplib cpp-httplib
      debian+=(libssl-dev libbrotli-dev)
    fi
    ;;
  postgres)
    has_postgres || need "a PostgreSQL server" postgresql postgresql-server postgresql postgresql
    has_libpq || need "libpq" libpq-dev libpq-devel postgresql-libs libpq
    ;;
  python)
    if ! has_python; then
      need "Python 3.11 or later with venv" python3-venv python3 python python
      need "its headers" python3-dev python3-devel python python
    fi
    ;;
  *)
    echo "setup: unknown purpose '$purpose'; it is one of build, format, tidy, fuzz, page, browser, postgres, python" >&2
    exit 2
    ;;
esac
((${#missing[@]})) || exit 0

list=$(printf '%s, ' "${missing[@]}")
echo "setup: missing ${list%, }" >&2

family=unknown
if [[ $(uname -s) == Darwin ]]; then
  family=brew
elif [[ -r /etc/os-release ]]; then
  like=" $(. /etc/os-release && echo "${ID:-} ${ID_LIKE:-}") "
  case $like in
    *" debian "* | *" ubuntu "*) family=debian ;;
    *" fedora "* | *" rhel "*) family=fedora ;;
    *" arch "*) family=arch ;;
  esac
fi

if [[ $family == debian ]] && has_command apt-get; then
  become=""
  if ((EUID != 0)); then
    if has_command sudo && sudo -n true 2>/dev/null; then become="sudo -n"; else become=no; fi
  fi
  if [[ $become != no ]]; then
    apt="$become env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300"
    debian+=("${welcome[@]}")
    echo "setup: installing ${debian[*]}" >&2
    # A source of packages that fails need not be one of those that matter; the installation tells.
    $apt update >&2 || echo "setup: apt-get update failed; trying with the lists that are there" >&2
    if $apt install -y --no-install-recommends "${debian[@]}" >&2; then exit 0; fi
    echo "setup: apt-get could not install ${debian[*]}" >&2
    exit 2
  fi
fi

echo "setup: install them, then run this again:" >&2
show() { [[ $family != "$1" && $family != unknown ]] || echo "  $2 ${*:3}" >&2; }
show debian "sudo apt-get install" "${debian[@]}"
show fedora "sudo dnf install" "${fedora[@]}"
show arch "sudo pacman -S --needed" "${arch[@]}"
show brew "brew install" "${brew[@]}"
exit 2
