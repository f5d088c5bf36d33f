# The page: Vite makes one .html of viewer/, which goes into the library as read-only bytes
# (cri_page in src/export/page.h). Without Node.js, or with CAROM_PAGE off, the library has an empty
# page and says so when asked for .html; everything else works.

set(CAROM_HAS_NODE OFF)
if(CAROM_PAGE)
  find_program(CAROM_NODE node)
  find_program(CAROM_NPM npm)
endif()
if(CAROM_PAGE AND CAROM_NODE AND CAROM_NPM)
  execute_process(COMMAND ${CAROM_NODE} --version OUTPUT_VARIABLE node_version
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "^v" "" node_version "${node_version}")
  if(node_version VERSION_GREATER_EQUAL 18)
    set(CAROM_HAS_NODE ON)
  endif()
endif()

set(page_folder ${PROJECT_BINARY_DIR}/page)
if(CAROM_HAS_NODE)
  file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*)
  # page.stamp is made only when the packages could be fetched, so that a build without network is
  # tried again the next time.
  add_custom_command(
    OUTPUT ${page_folder}/page.html ${page_folder}/page.stamp
    COMMAND ${CMAKE_COMMAND} -DNODE=${CAROM_NODE} -DNPM=${CAROM_NPM} -DOUT=${page_folder}
      -P ${PROJECT_SOURCE_DIR}/viewer/build.cmake
    DEPENDS ${page_sources} viewer/build.cmake viewer/index.html viewer/vite.config.ts
      viewer/tsconfig.json viewer/package.json viewer/package-lock.json
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/viewer
    COMMENT "Building the page" VERBATIM)
  file(CONFIGURE OUTPUT ${page_folder}/page.c CONTENT [[
#include "export/page.h"
__asm__(".section .rodata\n"
        ".global cri_page\n"
        ".hidden cri_page\n"
        "cri_page:\n"
        ".incbin \"@page_folder@/page.html\"\n"
        ".byte 0\n"
        ".previous\n");
]] @ONLY)
  set_source_files_properties(${page_folder}/page.c PROPERTIES
    OBJECT_DEPENDS ${page_folder}/page.html)
else()
  if(CAROM_PAGE)
    message(WARNING "No Node.js 18 with npm: carom will not write .html. "
      "Install nodejs and npm and build again.")
  endif()
  file(CONFIGURE OUTPUT ${page_folder}/page.c CONTENT
    "#include \"export/page.h\"\nconst char cri_page[] = \"\";\n")
endif()
target_sources(carom_objects PRIVATE ${page_folder}/page.c)
