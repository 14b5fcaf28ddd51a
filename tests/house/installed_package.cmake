# Installs into a folder of the build, then configures, builds and runs the project in consumer/ against it.

set(work ${build}/installed_package)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "status ${status}: ${line}")
  endif()
endfunction()

unset(ENV{DESTDIR})
run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${work}/consumer -G ${generator}
    -D CMAKE_BUILD_TYPE=${config} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_C_COMPILER=${c_compiler}
    -D CMAKE_PREFIX_PATH=${work}/prefix -D GDKM_EXPECTED_VERSION=${version})
run(${CMAKE_COMMAND} --build ${work}/consumer --config ${config})
run(${work}/consumer/consumer ${version})
