# What `cmake --install` puts where: headers, both libraries with their pkg-config file and CMake
# package, the program with its man page and completion, and the scenes.
include(CMakePackageConfigHelpers)

# The shared library exports what the headers declare, and nothing else.
add_library(carom_shared SHARED $<TARGET_OBJECTS:carom_objects>)
set_target_properties(carom_shared PROPERTIES OUTPUT_NAME carom EXPORT_NAME carom
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_include_directories(carom_shared INTERFACE $<INSTALL_INTERFACE:include>)
target_link_libraries(carom_shared PRIVATE
  $<BUILD_INTERFACE:carom_flags> PkgConfig::ODE PkgConfig::FYAML PkgConfig::EXPAT PkgConfig::ZLIB Threads::Threads m)
set_target_properties(carom PROPERTIES EXPORT_NAME static)

# The man page, and completion: the program prints both from the tables that read its arguments.
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/carom.1 ${CMAKE_BINARY_DIR}/carom.bash
  COMMAND carom_cli help --man > ${CMAKE_BINARY_DIR}/carom.1
  COMMAND carom_cli help --bash > ${CMAKE_BINARY_DIR}/carom.bash
  COMMAND ${CMAKE_COMMAND} -E cat ${CMAKE_SOURCE_DIR}/cli/completion.bash
    >> ${CMAKE_BINARY_DIR}/carom.bash
  DEPENDS carom_cli ${CMAKE_SOURCE_DIR}/cli/completion.bash VERBATIM)
add_custom_target(carom_help ALL DEPENDS ${CMAKE_BINARY_DIR}/carom.1)

configure_file(install/carom.pc.in ${CMAKE_BINARY_DIR}/carom.pc @ONLY)
configure_file(install/carom-config.cmake ${CMAKE_BINARY_DIR}/carom-config.cmake COPYONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/carom-config-version.cmake
  COMPATIBILITY SameMinorVersion)

install(TARGETS carom carom_shared EXPORT carom-targets)
install(TARGETS carom_cli)
install(DIRECTORY include/carom TYPE INCLUDE)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/carom)
install(FILES ${CMAKE_BINARY_DIR}/carom.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/carom.bash RENAME carom
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/carom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(EXPORT carom-targets NAMESPACE carom:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
install(FILES ${CMAKE_BINARY_DIR}/carom-config.cmake ${CMAKE_BINARY_DIR}/carom-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
