include(FetchContent)
FetchContent_Declare(carom GIT_REPOSITORY ${CAROM} GIT_TAG main)
FetchContent_MakeAvailable(carom)
