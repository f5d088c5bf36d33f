find_package(PkgConfig REQUIRED)
pkg_check_modules(carom REQUIRED IMPORTED_TARGET carom)
add_library(carom::carom ALIAS PkgConfig::carom)
