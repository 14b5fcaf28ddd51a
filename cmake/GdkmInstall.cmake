# Headers, library, program, and the package that find_package(gdkm) finds.

include(CMakePackageConfigHelpers)
set(gdkm_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gdkm)

# Each component has targets of its own: who asks for core needs nothing that data is made of.
foreach(component core data experiments)
  install(TARGETS gdkm_${component} EXPORT gdkm-${component}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT gdkm-${component} NAMESPACE gdkm:: DESTINATION ${gdkm_package_dir})
endforeach()
if(TARGET gdkm_cli)
  if(BUILD_SHARED_LIBS AND NOT APPLE)
    set_target_properties(gdkm_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  endif()
  install(TARGETS gdkm_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

  # The program writes its own manual and what shells complete its words with.
  set(gdkm_shell_dir ${PROJECT_BINARY_DIR}/generated/shell)
  file(MAKE_DIRECTORY ${gdkm_shell_dir})
  add_custom_command(TARGET gdkm_cli POST_BUILD
    COMMAND gdkm_cli man > ${gdkm_shell_dir}/gdkm.1
    COMMAND gdkm_cli completion bash > ${gdkm_shell_dir}/gdkm
    COMMAND gdkm_cli completion zsh > ${gdkm_shell_dir}/_gdkm
    COMMAND gdkm_cli completion fish > ${gdkm_shell_dir}/gdkm.fish
    VERBATIM)
  install(FILES ${gdkm_shell_dir}/gdkm.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${gdkm_shell_dir}/gdkm DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${gdkm_shell_dir}/_gdkm DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${gdkm_shell_dir}/gdkm.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/gdkm ${PROJECT_BINARY_DIR}/generated/gdkm
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" REGEX "/gdkm/(cli|python|linalg/cpu|linalg/cuda)$" EXCLUDE
        REGEX "/sweep/spec_table\\.hpp$" EXCLUDE  # speaks toml++
        REGEX "/(refuse|gml_tokens|xml_file)\\.hpp$" EXCLUDE  # speak fmt and pugixml
        REGEX "/store/postgres_connection\\.hpp$" EXCLUDE  # speaks libpq
        REGEX "/(settings_json|run_result_json)\\.hpp$" EXCLUDE)  # and these JSON, which core keeps to itself
# Of a backend only its class is public, and what it is made of; the rest of its folder speaks BLAS.
install(FILES ${PROJECT_SOURCE_DIR}/src/gdkm/linalg/cpu/cpu_backend.hpp
              ${PROJECT_SOURCE_DIR}/src/gdkm/linalg/cpu/cache_aligned.hpp
              ${PROJECT_SOURCE_DIR}/src/gdkm/linalg/cpu/panels.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gdkm/linalg/cpu)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gdkmConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/generated/gdkmConfig.cmake
                              INSTALL_DESTINATION ${gdkm_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/gdkmConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/gdkmConfig.cmake ${PROJECT_BINARY_DIR}/generated/gdkmConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindCBLAS.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindMETIS.cmake
        DESTINATION ${gdkm_package_dir})
