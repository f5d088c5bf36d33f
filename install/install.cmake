# What `cmake --install` puts where: headers, both libraries with their pkg-config file and CMake
# package, the program with its man page and completion, the scenes, and the licence.
include(CMakePackageConfigHelpers)
set(made ${PROJECT_BINARY_DIR}/install)
set_target_properties(carom PROPERTIES EXPORT_NAME static)
set_target_properties(carom_shared PROPERTIES EXPORT_NAME carom)

# The man page, and completion: the program prints both from the tables that read its arguments.
file(MAKE_DIRECTORY ${made})
add_custom_command(OUTPUT ${made}/carom.1 ${made}/carom.bash
  COMMAND carom_cli help --man > ${made}/carom.1
  COMMAND carom_cli help --bash > ${made}/carom.bash
  COMMAND ${CMAKE_COMMAND} -E cat ${PROJECT_SOURCE_DIR}/cli/completion.bash >> ${made}/carom.bash
  DEPENDS carom_cli ${PROJECT_SOURCE_DIR}/cli/completion.bash VERBATIM)
add_custom_target(carom_help ALL DEPENDS ${made}/carom.1)

list(JOIN CAROM_NEEDS_NAMES ", " CAROM_NEEDS_LIST)
configure_file(install/carom.pc.in ${made}/carom.pc @ONLY)
configure_file(install/carom-config.cmake.in ${made}/carom-config.cmake @ONLY)
# The same promise as the shared library's name makes.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatible SameMinorVersion)
else()
  set(compatible SameMajorVersion)
endif()
write_basic_package_version_file(${made}/carom-config-version.cmake COMPATIBILITY ${compatible})

install(TARGETS carom carom_shared EXPORT carom-targets)
install(TARGETS carom_cli)
if(TARGET carom_mpi)
  install(TARGETS carom_mpi DESTINATION ${CMAKE_INSTALL_LIBDIR}/carom)
endif()
install(DIRECTORY include/carom TYPE INCLUDE)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/carom)
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/carom)
install(FILES ${made}/carom.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/carom.bash RENAME carom
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/carom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
install(EXPORT carom-targets NAMESPACE carom:: DESTINATION ${package})
install(FILES ${made}/carom-config.cmake install/needs.cmake ${made}/carom-config-version.cmake
  DESTINATION ${package})
