#!/usr/bin/env bash
# configure.sh PRESET FOLDER [CMAKE ARGUMENTS]: configures FOLDER, unless it is configured with these arguments already. The
# build itself notices changes of the CMake files. Where PTX is asked for, a folder with the CUDA code as machine code will do.
set -euo pipefail

preset=$1 folder=$2
shift 2
wanted="$preset $*"
stamp=$folder/configured-with

is_configured() { [[ -f $stamp && ($(<"$stamp") == "$wanted" || $(<"$stamp") == "${wanted% -DGDKM_CUDA_PTX=ON}") ]]; }

if [[ -f $folder/build.ninja ]] && is_configured &&
  grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt" 2>/dev/null; then
  exit 0
fi
# A folder that was configured elsewhere and copied here is of no use to CMake, and stops it.
if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"; then
  rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"
fi
rm -f "$stamp"
cmake --preset "$preset" -B "$folder" "$@"
echo "$wanted" >"$stamp"
