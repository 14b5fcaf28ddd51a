# gdkm/support/version.hpp: the version, and the commit that was configured.

set(GDKM_GIT_COMMIT "unknown")
find_package(Git QUIET)
# Without the check a source archive unpacked inside some other repository would report that one's commit.
if(Git_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  set(gdkm_git ${GIT_EXECUTABLE} -c safe.directory=${PROJECT_SOURCE_DIR} -C ${PROJECT_SOURCE_DIR})
  execute_process(COMMAND ${gdkm_git} rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE gdkm_commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE gdkm_failed)
  if(NOT gdkm_failed)
    set(GDKM_GIT_COMMIT ${gdkm_commit})
    # Git appends to this log with every commit and checkout; the next build then looks again.
    execute_process(COMMAND ${gdkm_git} rev-parse --git-path logs/HEAD
                    OUTPUT_VARIABLE gdkm_log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    get_filename_component(gdkm_log "${gdkm_log}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
    if(EXISTS "${gdkm_log}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${gdkm_log}")
    endif()
  endif()
endif()
configure_file(${PROJECT_SOURCE_DIR}/src/gdkm/support/version.hpp.in
               ${PROJECT_BINARY_DIR}/generated/gdkm/support/version.hpp @ONLY)
