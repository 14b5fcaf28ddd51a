# The CUDA backend: libgdkm_cuda.so, a module that the program loads when it is asked for a GPU (make_backend.cpp).
#
# GDKM_CUDA is AUTO (built where nvcc is found), ON or OFF. CMAKE_CUDA_COMPILER names another nvcc,
# CMAKE_CUDA_ARCHITECTURES other GPUs than the default: compute capability 8.x, 9.0, and newer ones by PTX.

set(GDKM_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO (where nvcc is found), ON or OFF")
set_property(CACHE GDKM_CUDA PROPERTY STRINGS AUTO ON OFF)
option(GDKM_CUDA_PTX "Compile the CUDA code no further than PTX of 9.0: in half the time, for a machine without a GPU" OFF)

# Why the backend is left out, or nothing.
function(_gdkm_find_cuda reason)
  set(${reason} "" PARENT_SCOPE)
  if(GDKM_SANITIZE)
    set(${reason} "sanitizers and CUDA do not go together" PARENT_SCOPE)
    return()
  endif()
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(${reason} "it is for Linux" PARENT_SCOPE)
    return()
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND "$ENV{CUDACXX}" STREQUAL "")
    find_program(GDKM_NVCC nvcc HINTS $ENV{CUDA_PATH}/bin $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
    mark_as_advanced(GDKM_NVCC)
    if(NOT GDKM_NVCC)
      set(${reason} "nvcc was not found" PARENT_SCOPE)
      return()
    endif()
    set(CMAKE_CUDA_COMPILER ${GDKM_NVCC} CACHE FILEPATH "CUDA compiler")
  endif()
  set(nvcc ${CMAKE_CUDA_COMPILER})
  if(NOT nvcc)
    set(nvcc $ENV{CUDACXX})
  endif()
  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE failed)
  if(failed OR NOT text MATCHES "release ([0-9]+)\\.([0-9]+)")
    set(${reason} "${nvcc} does not run" PARENT_SCOPE)
  elseif(CMAKE_MATCH_1 LESS 12)
    set(${reason} "CUDA ${CMAKE_MATCH_1}.${CMAKE_MATCH_2} is too old for C++20, 12.0 is needed" PARENT_SCOPE)
  endif()
endfunction()

if(NOT GDKM_CUDA)
  return()
endif()
_gdkm_find_cuda(gdkm_no_cuda)
if(gdkm_no_cuda)
  if(NOT GDKM_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "GDKM_CUDA=${GDKM_CUDA}, but ${gdkm_no_cuda}. Name nvcc with -DCMAKE_CUDA_COMPILER=...")
  endif()
  message(STATUS "Without the CUDA backend: ${gdkm_no_cuda}")
  return()
endif()

if(GDKM_CUDA_PTX)
  set(CMAKE_CUDA_ARCHITECTURES 90-virtual)
elseif(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "GPUs to compile for")
endif()
if(NOT DEFINED CMAKE_CUDA_HOST_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
endif()
if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
# CMake before 3.26 does not know how to ask nvcc for C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()

get_filename_component(gdkm_cublas_folder "${CUDA_cublas_LIBRARY}" DIRECTORY)
file(GLOB gdkm_cuda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gdkm/linalg/cuda/*.cu)
# A program need not export the one function of the library that errors call, so the module has its own.
add_library(gdkm_cuda MODULE ${gdkm_cuda_sources} ${PROJECT_SOURCE_DIR}/src/gdkm/support/option_mention.cpp)
# Split products use instructions of Hopper alone. CMake before 3.26 does not know its name (90a), nvcc does.
file(GLOB gdkm_split_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gdkm/linalg/cuda/split/*.cu)
add_library(gdkm_cuda_split OBJECT ${gdkm_split_sources})
set_target_properties(gdkm_cuda_split PROPERTIES CUDA_ARCHITECTURES OFF POSITION_INDEPENDENT_CODE ON)
target_compile_options(gdkm_cuda_split PRIVATE
  -gencode=arch=compute_90a,code=$<IF:$<BOOL:${GDKM_CUDA_PTX}>,compute_90a,sm_90a>)
target_sources(gdkm_cuda PRIVATE $<TARGET_OBJECTS:gdkm_cuda_split>)
foreach(target gdkm_cuda gdkm_cuda_split)
  set_target_properties(${target} PROPERTIES CUDA_STANDARD 20 CUDA_RUNTIME_LIBRARY Static CUDA_VISIBILITY_PRESET hidden)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
  # nvcc takes a conversion that `requires` leaves out for one that is there and useless (554).
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-lineinfo;-diag-suppress;554;-Xcompiler=-Wall,-Wextra>"
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${GDKM_WERROR}>>:-Werror=all-warnings>)
endforeach()
set_target_properties(gdkm_cuda PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  BUILD_RPATH "${gdkm_cublas_folder}"  # CMake takes it for a folder that the loader knows
  INSTALL_RPATH "${gdkm_cublas_folder}")
# cuBLAS is loaded when it is needed (blas_library.hpp).
target_link_libraries(gdkm_cuda PRIVATE ${CMAKE_DL_LIBS})
target_include_directories(gdkm_cuda PRIVATE $<TARGET_PROPERTY:CUDA::cublas,INTERFACE_INCLUDE_DIRECTORIES>)
add_dependencies(gdkm_product gdkm_cuda)
if(SKBUILD_PROJECT_NAME MATCHES "cuda")  # the package gdkm-cuda, beside NVIDIA's package of cuBLAS
  set_target_properties(gdkm_cuda PROPERTIES INSTALL_RPATH "$ORIGIN/../nvidia/cu13/lib")
  install(TARGETS gdkm_cuda LIBRARY DESTINATION gdkm_cuda COMPONENT cuda)
else()
  install(TARGETS gdkm_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
