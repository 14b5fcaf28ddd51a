# The extension module gdkm._core. GDKM_BUILD_PYTHON is set by pyproject.toml; by hand, name a Python that has nanobind:
#   cmake -B build -DGDKM_BUILD_PYTHON=ON -DPython_EXECUTABLE=venv/bin/python

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE gdkm_nanobind
                OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE gdkm_failed ERROR_QUIET)
if(gdkm_failed)
  message(FATAL_ERROR "GDKM_BUILD_PYTHON needs nanobind: ${Python_EXECUTABLE} -m pip install nanobind")
endif()
list(PREPEND CMAKE_PREFIX_PATH ${gdkm_nanobind})
find_package(nanobind CONFIG REQUIRED)

file(GLOB gdkm_python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gdkm/python/*.cpp)
# The stable ABI of Python 3.12 makes one module serve all later versions; nanobind falls back to the full one before.
nanobind_add_module(gdkm_python STABLE_ABI NB_STATIC LTO ${gdkm_python_sources})
gdkm_compile_options(gdkm_python)
set_target_properties(gdkm_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python)
target_link_libraries(gdkm_python PRIVATE gdkm::gdkm gdkm_commands nlohmann_json::nlohmann_json fmt::fmt)

install(TARGETS gdkm_python LIBRARY DESTINATION gdkm COMPONENT python)
