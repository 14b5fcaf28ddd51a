# Messages between the GPUs of ranks: libgdkm_nccl.so, a module that ranks load when each of them has a GPU of its own
# (linalg/distributed/gpu_messages.cpp). Programs and the CUDA backend work without it.
#
# GDKM_NCCL is AUTO (built where the CUDA backend is and NCCL is found), ON or OFF. NCCL_INCLUDE_DIR and NCCL_LIBRARY name
# another NCCL than the one that is found.

set(GDKM_NCCL AUTO CACHE STRING "Build the module for NCCL: AUTO (where CUDA and NCCL are found), ON or OFF")
set_property(CACHE GDKM_NCCL PROPERTY STRINGS AUTO ON OFF)

if(NOT GDKM_NCCL)
  return()
endif()
set(gdkm_no_nccl "")
if(TARGET gdkm_cuda)
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} DOC "Where nccl.h is")
  find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${CUDAToolkit_LIBRARY_DIR} DOC "NCCL")
  mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)
  if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
    set(gdkm_no_nccl "it was not found")
  endif()
else()
  set(gdkm_no_nccl "the CUDA backend is not built")
endif()
if(gdkm_no_nccl)
  if(NOT GDKM_NCCL STREQUAL "AUTO")
    message(FATAL_ERROR "GDKM_NCCL=${GDKM_NCCL}, but ${gdkm_no_nccl}. Name it with -DNCCL_INCLUDE_DIR=... and "
                        "-DNCCL_LIBRARY=...")
  endif()
  message(STATUS "Without NCCL: ${gdkm_no_nccl}")
  return()
endif()

file(GLOB gdkm_nccl_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gdkm/linalg/cuda/nccl/*.cpp)
get_filename_component(gdkm_nccl_folder "${NCCL_LIBRARY}" DIRECTORY)
add_library(gdkm_nccl MODULE ${gdkm_nccl_sources})
gdkm_compile_options(gdkm_nccl)
set_target_properties(gdkm_nccl PROPERTIES
  CXX_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  BUILD_RPATH "${gdkm_nccl_folder}"
  INSTALL_RPATH "${gdkm_nccl_folder}")
target_compile_features(gdkm_nccl PRIVATE cxx_std_20)
target_include_directories(gdkm_nccl PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
target_include_directories(gdkm_nccl SYSTEM PRIVATE ${NCCL_INCLUDE_DIR})
target_link_libraries(gdkm_nccl PRIVATE ${NCCL_LIBRARY} CUDA::cudart_static)
add_dependencies(gdkm_product gdkm_nccl)
install(TARGETS gdkm_nccl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
