# What the library links to, for carom's own build and for who finds an installed copy. Sets
# CAROM_NEEDS_FOUND and makes the target PkgConfig::CAROM_NEEDS, which is global because who links to
# carom may stand in any folder.
set(CAROM_NEEDS_NAMES ode libfyaml expat zlib)
list(APPEND CAROM_NEEDS_NAMES ${CAROM_NEEDS_MORE}) # what it was built with besides
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(CAROM_NEEDS QUIET IMPORTED_TARGET GLOBAL ${CAROM_NEEDS_NAMES})
endif()
