# Fetch the locked packages where they are missing or old, and build the page into OUT/page.html.
# A machine that cannot fetch them gets an empty page; a page that does not build is an error.

# `npm ci` would refuse a registry that lacks a locked package of another platform; this keeps to the lock as well.
set(installed node_modules/.package-lock.json)
if(NOT EXISTS ${installed} OR package-lock.json IS_NEWER_THAN ${installed})
  execute_process(COMMAND ${NPM} install --no-save --no-audit --no-fund --ignore-scripts
    RESULT_VARIABLE failed OUTPUT_QUIET)
  if(failed)
    message(WARNING "npm install failed: carom will not write .html. Build again with a network.")
    file(WRITE ${OUT}/page.html "")
    return()
  endif()
  file(TOUCH ${installed})
endif()
execute_process(COMMAND ${NODE} node_modules/vite/bin/vite.js build --logLevel warn
  --outDir ${OUT}/vite --emptyOutDir COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE ${OUT}/vite/index.html ${OUT}/page.html)
file(TOUCH ${OUT}/page.stamp)
