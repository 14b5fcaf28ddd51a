# gdkm_embed(TARGET HEADER SYMBOL FILES...): compiles the text of FILES, one after the other, into TARGET as the
# std::string_view SYMBOL (with its namespace), which HEADER declares. A build after a change of a file embeds it again.
#
# As a script (cmake -P) it writes the source file: -D output=... -D header=... -D symbol=... -D files=a;b

if(CMAKE_SCRIPT_MODE_FILE)
  set(text)
  foreach(file IN LISTS files)
    file(READ ${file} one)
    string(FIND "${one}" ")embedded\"" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${file}: it has )embedded\" in it, which ends the literal that it becomes")
    endif()
    string(APPEND text "${one}")
  endforeach()
  file(WRITE ${output} "#include \"${header}\"\n\nusing namespace std::string_view_literals;\n\n"
                       "const std::string_view ${symbol} = R\"embedded(${text})embedded\"sv;\n")
  return()
endif()

set(gdkm_embed_script ${CMAKE_CURRENT_LIST_FILE})
function(gdkm_embed target header symbol)
  string(REPLACE "::" "_" name ${symbol})
  set(output ${PROJECT_BINARY_DIR}/embedded/${name}.cpp)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D output=${output} -D header=${header} -D symbol=${symbol} "-Dfiles=${files}"
            -P ${gdkm_embed_script}
    DEPENDS ${files} ${gdkm_embed_script} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
