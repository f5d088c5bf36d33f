# Where things are installed, relative to the prefix, and how one gets from one to the other: an
# installed copy may be moved as a whole.
include(GNUInstallDirs)
file(RELATIVE_PATH CAROM_SCENES_FROM_PROGRAM
  "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_DATADIR}/carom/scenes")
file(RELATIVE_PATH CAROM_MPI_FROM_PROGRAM
  "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}/carom/carom-mpi.so")
file(RELATIVE_PATH CAROM_PREFIX_FROM_PKGCONFIG "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" CAROM_PREFIX_FROM_PKGCONFIG "${CAROM_PREFIX_FROM_PKGCONFIG}")
