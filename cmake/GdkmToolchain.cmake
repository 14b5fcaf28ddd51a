# What every target is compiled with.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or MinSizeRel" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND (NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$"))
  # Without this leave it keeps nothing that is compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

# gdkm_precompile(TARGET HEADERS...): headers from elsewhere that many sources of a target include are read once for all
# of them. Sources include them all the same; builds with CMAKE_DISABLE_PRECOMPILE_HEADERS, as those with sanitizers are,
# would find one that does not.
# gdkm_precompile(TARGET REUSE_FROM OTHER): as OTHER, which has to be compiled alike, has read them.
function(gdkm_precompile target)
  if("${ARGV1}" STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # ccache asks for it
endfunction()

function(gdkm_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic $<$<BOOL:${GDKM_WERROR}>:-Werror>)
  # Nothing reads errno or floating-point traps, and their upkeep stands in the way of vectorisation. Flags that
  # change values (-ffast-math) or the machines a build runs on (-march=native) are left to the user.
  # -fopenmp-simd heeds `#pragma omp simd` alone; it brings neither OpenMP threads nor its runtime.
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math -fopenmp-simd)
  if(GDKM_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-omit-frame-pointer -fno-sanitize-recover=all)
    # GCC 12 takes members of std::regex for uninitialised when it instruments them.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    # An instrumented static library can be linked only by who links the sanitizer's runtime too.
    target_compile_options(${target} PRIVATE -fsanitize=${GDKM_SANITIZE})
    target_link_options(${target} PUBLIC -fsanitize=${GDKM_SANITIZE})
  endif()
endfunction()
