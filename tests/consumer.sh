#!/bin/sh
# A stranger's small project (tests/consumer) comes by carom in each way there is: consumer.sh BUILD-FOLDER
# SOURCE-FOLDER CC. It has warnings, a language standard and even -ffast-math of its own; the tree it grows is the
# program's, bit for bit.
set -u
build=$1 source=$2 cc=$3
for tool in git c++ ninja; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
. "$(dirname "$0")/expect.sh"

scene=$source/scenes/minigolf/bank.yaml
version=$("$build/carom" --version | cut -d " " -f 2)
tree=$("$build/carom" bench "$scene" --seeds 1-1 2>/dev/null | tail -1 | sed 's/.*,//')

# consume WAY FOLDER CMAKE-OPTIONS...: configure in that folder, build all there is, run
consume() {
    way=$1 folder=$2
    shift 2
    expect "$way: configure" cmake -S "$source/tests/consumer" -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$cc" \
        -DWAY="$way" "$@"
    expect "$way: build" cmake --build "$folder"
    for program in plan_c plan_cpp; do
        expect "$way: $program" "$folder/$program" "$scene"
        says "$version solved $tree"
    done
}

# Fetched from a git repository: what is here now, committed to one of our own.
git init --quiet --bare --initial-branch=main "$dir/carom.git"
commit() {
    cd "$source" && git --git-dir="$dir/carom.git" --work-tree=. add --all &&
        git --git-dir="$dir/carom.git" --work-tree=. -c user.name=nobody -c user.email=nobody@example.org \
            commit --quiet --message "a copy"
}
expect "a repository" commit
inside=$dir/inside
consume fetch_content "$inside" -DCAROM="$dir/carom.git"
expect "neither Node.js nor cmocka is looked for" sh -c "! grep -E '^CAROM_(NODE|NPM)|CMOCKA' '$inside/CMakeCache.txt'"
expect "the library is all that is built" sh -c "! find '$inside/_deps/carom-build' -type f -executable | grep ."
sed -n '/^build CMakeFiles.plan_c/,/^$/p' "$inside/build.ninja" >"$dir/rules"
expect "its flags" grep -E -- '-Wundef' "$dir/rules"
expect "none of ours are handed on" sh -c "! grep -E 'POSIX|ffp-contract|-pthread|-Wvla' '$dir/rules'"

# As a folder: of the clone, and built where it was built, so that nothing is compiled twice.
fetched=$inside/_deps/carom-src
consume add_subdirectory "$inside" -DCAROM="$fetched"
expect "linked into the program" sh -c "! ldd '$inside/plan_c' | grep libcarom"
consume add_subdirectory "$inside" -DBUILD_SHARED_LIBS=ON
expect "linked as a shared library" sh -c "ldd '$inside/plan_c' | grep libcarom"
expect_library "$inside/_deps/carom-build/libcarom.so.$version" "$version"

# Installed.
prefix=$dir/prefix
expect "install" cmake --install "$build" --prefix "$prefix"
consume find_package "$dir/found" -DCMAKE_PREFIX_PATH="$prefix"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name carom.pc)")
export PKG_CONFIG_PATH
consume pkg_config "$dir/asked"
expect "pkg-config knows the version" sh -c "test '$(pkg-config --modversion carom)' = '$version'"

# The version stands in the header, and all else follows: names, package files, and which versions find_package takes.
# release VERSION COMPATIBLE: as if that were the version, without cmocka and Node.js
release() {
    # shellcheck disable=SC2046
    set -- "$1" "$2" $(echo "$1" | tr . ' ')
    sed -i "s/\(VERSION_MAJOR\) .*/\1 $3/; s/\(VERSION_MINOR\) .*/\1 $4/; s/\(VERSION_PATCH\) .*/\1 $5/" \
        "$fetched/include/carom/base.h"
    expect "release $1" cmake -S "$fetched" -B "$dir/release" -G Ninja -DCAROM_TESTS=OFF -DCAROM_BENCH=OFF \
        -DCAROM_PAGE=OFF
    expect "carom.pc of $1" grep "^Version: $1\$" "$dir/release/install/carom.pc"
    expect "name of $1" grep "SONAME = libcarom.so.$2\$" "$dir/release/build.ninja"
}

# serves YES-OR-NO VERSION...: whether the release would do for who asks for that version
serves() {
    answer=$1
    shift
    for wanted in "$@"; do
        cat >"$dir/ask.cmake" <<EOT
set(PACKAGE_FIND_VERSION $wanted)
set(PACKAGE_FIND_VERSION_MAJOR ${wanted%.*})
set(PACKAGE_FIND_VERSION_MINOR ${wanted#*.})
set(CMAKE_SIZEOF_VOID_P 8)
include($dir/release/install/carom-config-version.cmake)
message("compatible: \${PACKAGE_VERSION_COMPATIBLE}")
EOT
        expect "ask for $wanted" cmake -P "$dir/ask.cmake"
        says "compatible: $answer"
    done
}

release 0.7.3 0.7
serves TRUE 0.7
serves FALSE 0.6 0.8 1.0
release 2.4.1 2
serves TRUE 2.0 2.4
serves FALSE 1.9 2.5 3.0
conclude
