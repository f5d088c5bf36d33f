add_subdirectory(${CAROM} _deps/carom-build)
