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
  # Without CCACHE_SLOPPINESS, ccache keeps nothing that is compiled with a precompiled header; with the others a second clone
  # takes what the first has compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()

# gdkm_precompile(TARGET HEADERS...): reads headers of other projects, which many sources of a target include, once for all
# sources. Sources include them all the same; a build with CMAKE_DISABLE_PRECOMPILE_HEADERS, as the presets tsan and fuzz
# set it, finds a source that does not.
# gdkm_precompile(TARGET REUSE_FROM OTHER): takes what OTHER has read; both need the same compiler flags.
function(gdkm_precompile target)
  if("${ARGV1}" STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # ccache asks for it
endfunction()

# gdkm_unite(TARGET [OPTIMISED]): compiles sources of one folder together, six at a time, where GDKM_UNITE says so: headers
# are read, and templates instantiated, once for all of them. So names in anonymous namespaces differ within a folder. A
# source with compile options of its own is compiled alone. OPTIMISED targets gain less, and GCC 12 warns of what is not so
# where it inlines much, so that LIGHT leaves them out.
set(GDKM_UNITE OFF CACHE STRING
  "Compile sources of one folder together: a build from nothing takes less time. OFF, LIGHT (tests and commands) or ALL")
set_property(CACHE GDKM_UNITE PROPERTY STRINGS OFF LIGHT ALL)
if(NOT GDKM_UNITE MATCHES "^(OFF|LIGHT|ALL)$")
  message(FATAL_ERROR "GDKM_UNITE is '${GDKM_UNITE}'; expected OFF, LIGHT or ALL")
endif()
function(gdkm_unite target)
  if(NOT GDKM_UNITE STREQUAL "ALL" AND NOT (GDKM_UNITE STREQUAL "LIGHT" AND NOT "OPTIMISED" IN_LIST ARGN))
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET source PARENT_PATH folder)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR group "${count_${folder}} / 6")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

function(gdkm_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic $<$<BOOL:${GDKM_WERROR}>:-Werror>)
  # Nothing here reads errno or floating-point traps, and keeping them up to date prevents vectorisation. The user
  # decides on flags that change results (-ffast-math) or tie the build to a machine (-march=native).
  # -fopenmp-simd turns on `#pragma omp simd` alone, without OpenMP's threads and runtime.
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math -fopenmp-simd)
  if(GDKM_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-omit-frame-pointer -fno-sanitize-recover=all)
    # GCC 12 reports members of std::regex as uninitialised when it instruments them.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    # Whoever links an instrumented static library has to link the sanitizer's runtime too.
    target_compile_options(${target} PRIVATE -fsanitize=${GDKM_SANITIZE})
    target_link_options(${target} PUBLIC -fsanitize=${GDKM_SANITIZE})
  endif()
endfunction()
