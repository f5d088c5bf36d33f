# find_package(carom): carom::carom is the shared library, carom::static the static one.
include(${CMAKE_CURRENT_LIST_DIR}/needs.cmake)
if(NOT CAROM_NEEDS_FOUND)
  set(carom_FOUND FALSE)
  set(carom_NOT_FOUND_MESSAGE
    "carom needs the packages ${CAROM_NEEDS_NAMES}, and pkg-config to find them")
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/carom-targets.cmake)
