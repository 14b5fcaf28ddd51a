# FindCBLAS: BLAS through cblas.h, and LAPACK through its Fortran symbols, as the one target CBLAS::CBLAS.
#
# The vendor is CMake's BLA_VENDOR (a variable or the environment). Without one, OpenBLAS is looked for first, because
# CMake by itself may settle for the reference BLAS, which is some fifty times slower. Other choices, for instance:
#   -DBLA_VENDOR=FLAME     BLIS, with libflame where there is one, else with the system's LAPACK
#   -DBLA_VENDOR=Generic   whatever libblas and liblapack are
#   -DCBLAS_LIBRARIES="/path/libcblas.so;/path/liblapack.so" -DCBLAS_INCLUDE_DIR=/path/include
#
# Result: CBLAS_FOUND, CBLAS_VENDOR, CBLAS_LIBRARIES, CBLAS_INCLUDE_DIR.

include(CheckCSourceCompiles)
include(FindPackageHandleStandardArgs)

# Whether `libraries` alone answer to every family of symbols in use.
function(_cblas_links result libraries)
  set(CMAKE_REQUIRED_LIBRARIES ${libraries})
  set(CMAKE_REQUIRED_QUIET ON)
  string(SHA1 key "${libraries}")
  check_c_source_compiles("
    float cblas_sdot(int, const float*, int, const float*, int);
    void spotrf_(void); void dgeqrf_(void);
    int main(void) { float x = 0; spotrf_(); dgeqrf_(); return (int)cblas_sdot(1, &x, 1, &x, 1); }" CBLAS_LINKS_${key})
  set(${result} ${CBLAS_LINKS_${key}} PARENT_SCOPE)
endfunction()

# The libraries of one vendor, or nothing. A function, so that BLA_VENDOR and what FindBLAS sets stay inside.
function(_cblas_of_vendor vendor result)
  set(${result} "" PARENT_SCOPE)
  set(BLA_VENDOR ${vendor})
  if(APPLE)  # Homebrew keeps OpenBLAS out of the common folders.
    list(APPEND CMAKE_PREFIX_PATH /opt/homebrew/opt/openblas /usr/local/opt/openblas)
  endif()
  find_package(BLAS QUIET)
  if(NOT BLAS_FOUND)
    return()
  endif()
  set(blas ${BLAS_LIBRARIES})
  find_package(LAPACK QUIET)
  if(NOT LAPACK_FOUND)
    # BLIS without libflame: the system's LAPACK, behind the vendor's BLAS.
    set(BLA_VENDOR Generic)
    set(BLAS_FOUND FALSE)
    find_package(LAPACK QUIET)
  endif()
  set(libraries ${blas} ${LAPACK_LIBRARIES})
  list(REMOVE_DUPLICATES libraries)
  _cblas_links(works "${libraries}")
  if(NOT works)
    find_library(CBLAS_cblas_LIBRARY NAMES cblas)  # distributions that keep the C interface in a library of its own
    mark_as_advanced(CBLAS_cblas_LIBRARY)
    if(CBLAS_cblas_LIBRARY)
      list(PREPEND libraries ${CBLAS_cblas_LIBRARY})
      _cblas_links(works "${libraries}")
    endif()
  endif()
  if(works)
    set(${result} "${libraries}" PARENT_SCOPE)
  endif()
endfunction()

if(TARGET CBLAS::CBLAS)
  set(CBLAS_FOUND TRUE)
  return()
endif()

if(CBLAS_LIBRARIES)
  set(CBLAS_VENDOR custom)
else()
  if(BLA_VENDOR)
    set(_cblas_vendors ${BLA_VENDOR})
  elseif(NOT "$ENV{BLA_VENDOR}" STREQUAL "")
    set(_cblas_vendors $ENV{BLA_VENDOR})
  elseif(CBLAS_VENDOR)
    set(_cblas_vendors ${CBLAS_VENDOR})
  else()
    set(_cblas_vendors OpenBLAS All)
  endif()
  foreach(_cblas_vendor IN LISTS _cblas_vendors)
    set(CBLAS_VENDOR ${_cblas_vendor})
    _cblas_of_vendor(${CBLAS_VENDOR} CBLAS_LIBRARIES)
    if(CBLAS_LIBRARIES)
      break()
    endif()
  endforeach()
  if(CBLAS_LIBRARIES AND CBLAS_VENDOR STREQUAL "All")
    message(WARNING "OpenBLAS was not found; using ${CBLAS_LIBRARIES}. If that is the reference BLAS, everything will "
                    "be very slow. Install OpenBLAS, or choose with BLA_VENDOR.")
  endif()
  unset(_cblas_vendors)
endif()

# Each vendor its own header, because Debian's cblas.h is that of whichever vendor the system prefers.
if(NOT CBLAS_INCLUDE_DIR)
  if(CBLAS_VENDOR STREQUAL "OpenBLAS")
    set(_cblas_folders openblas openblas-pthread openblas-openmp openblas-serial)
  elseif(CBLAS_VENDOR STREQUAL "FLAME")
    set(_cblas_folders blis blis-openmp blis-pthread blis-serial)
  else()
    set(_cblas_folders cblas flexiblas)
  endif()
  find_path(CBLAS_${CBLAS_VENDOR}_INCLUDE_DIR cblas.h PATH_SUFFIXES ${_cblas_folders}
            HINTS /opt/homebrew/opt/openblas/include /usr/local/opt/openblas/include)
  mark_as_advanced(CBLAS_${CBLAS_VENDOR}_INCLUDE_DIR)
  set(CBLAS_INCLUDE_DIR ${CBLAS_${CBLAS_VENDOR}_INCLUDE_DIR})
  unset(_cblas_folders)
endif()

find_package_handle_standard_args(CBLAS REQUIRED_VARS CBLAS_LIBRARIES CBLAS_INCLUDE_DIR REASON_FAILURE_MESSAGE
  "Install a BLAS with cblas.h and LAPACK (Debian: libopenblas-dev), or name it with BLA_VENDOR or CBLAS_LIBRARIES.")
if(CBLAS_FOUND)
  add_library(CBLAS::CBLAS INTERFACE IMPORTED)
  set_target_properties(CBLAS::CBLAS PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${CBLAS_INCLUDE_DIR}"
                                                INTERFACE_LINK_LIBRARIES "${CBLAS_LIBRARIES}")
endif()
