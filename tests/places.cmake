# tests/places.hpp: where things are, as macros in a header rather than on the command line, so that a compiler cache can serve
# several clones.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/tests/places.hpp @ONLY CONTENT [[
#pragma once

#define GDKM_SOURCE_DIR "@PROJECT_SOURCE_DIR@"
#define GDKM_TEST_DIR "@PROJECT_SOURCE_DIR@/tests"
#define GDKM_BINARY "@PROJECT_BINARY_DIR@/gdkm@CMAKE_EXECUTABLE_SUFFIX@"
]])
