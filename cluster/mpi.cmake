# The sharing of work between processes. What is made with MPI is a shared object of its own, which
# the program loads under mpirun: beside it, or where it is installed.
file(GLOB CLUSTER_SOURCES CONFIGURE_DEPENDS cluster/*.c)
list(FILTER CLUSTER_SOURCES EXCLUDE REGEX "link_mpi.c$")
add_library(carom_cluster STATIC ${CLUSTER_SOURCES})
target_link_libraries(carom_cluster PUBLIC carom_terminal PRIVATE carom_flags -pthread ${CMAKE_DL_LIBS})
target_compile_definitions(carom_cluster PRIVATE CAROM_MPI_INSTALLED="${CAROM_MPI_FROM_PROGRAM}")

if(CAROM_MPI)
  find_package(MPI QUIET COMPONENTS C)
  if(NOT MPI_C_FOUND)
    message(STATUS "carom: no MPI (libopenmpi-dev, openmpi-bin): work is not shared between processes")
  endif()
endif()
if(CAROM_MPI AND MPI_C_FOUND)
  add_library(carom_mpi MODULE cluster/link_mpi.c)
  target_include_directories(carom_mpi PRIVATE ${PROJECT_SOURCE_DIR})
  # Its headers are a stranger's: no warnings of ours in them.
  target_include_directories(carom_mpi SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})
  target_link_libraries(carom_mpi PRIVATE carom_flags MPI::MPI_C)
  set_target_properties(carom_mpi PROPERTIES PREFIX "" OUTPUT_NAME carom-mpi C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()
