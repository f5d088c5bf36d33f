# find_package(carom): carom::carom is the shared library, carom::static the static one.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
find_dependency(Threads)
pkg_check_modules(ODE REQUIRED IMPORTED_TARGET ode)
pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
include(${CMAKE_CURRENT_LIST_DIR}/carom-targets.cmake)
