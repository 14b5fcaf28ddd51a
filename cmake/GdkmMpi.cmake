# Ranks of MPI: libgdkm_mpi.so, a module that the program loads when mpirun or srun started it with several processes
# (ranks/launch.cpp). The program itself starts without MPI.
#
# GDKM_MPI is AUTO (built where MPI is found), ON or OFF.

set(GDKM_MPI AUTO CACHE STRING "Build the module for MPI: AUTO (where MPI is found), ON or OFF")
set_property(CACHE GDKM_MPI PROPERTY STRINGS AUTO ON OFF)

if(NOT GDKM_MPI)
  return()
endif()
if(GDKM_MPI STREQUAL "AUTO")
  find_package(MPI QUIET COMPONENTS CXX)
else()
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()
if(NOT MPI_CXX_FOUND)
  message(STATUS "Without MPI: it was not found")
  return()
endif()

file(GLOB gdkm_mpi_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gdkm/ranks/mpi/*.cpp)
# Its base class is in it, too: a program need not export that.
add_library(gdkm_mpi MODULE ${gdkm_mpi_sources} ${PROJECT_SOURCE_DIR}/src/gdkm/ranks/communicator.cpp)
gdkm_compile_options(gdkm_mpi)
set_target_properties(gdkm_mpi PROPERTIES CXX_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_compile_features(gdkm_mpi PRIVATE cxx_std_20)
target_compile_definitions(gdkm_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_include_directories(gdkm_mpi PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(gdkm_mpi PRIVATE MPI::MPI_CXX)
add_dependencies(gdkm_product gdkm_mpi)
install(TARGETS gdkm_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
