#!/bin/sh
# An installed copy, as others use it: install.sh BUILD-FOLDER SOURCE-FOLDER CC. Installs into a temporary prefix, builds
# the examples there by pkg-config (shared and static) and by CMake, and runs them; then moves the prefix and tries the
# program.
set -u
build=$1 source=$2 cc=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
. "$(dirname "$0")/expect.sh"

# run_examples FOLDER: those built there
run_examples() {
    expect "$1: plan a scene" "$1/plan_scene" "$prefix/share/carom/scenes/minigolf/bank.yaml" "$1/plan.json"
    says "solved"
    expect "$1: the plan replays" "$prefix/bin/carom" replay "$1/plan.json"
    expect "$1: one of each of its own" "$1/own_program" "$source/examples/own/frog.yaml"
    expect "$1: the same, loaded" "$prefix/bin/carom" plan "$source/examples/own/frog.yaml" --load "$1/own.so"
    says "solved"
    expect "$1: step an engine" "$1/step_engine"
    says "the ball is at"
    expect "$1: grow in slices" "$1/slices" "$prefix/share/carom/scenes/minigolf/bank.yaml"
}

prefix=$dir/prefix
expect "install" cmake --install "$build" --prefix "$prefix"
version=$("$prefix/bin/carom" --version | cut -d " " -f 2)
library=$(find "$prefix" -name "libcarom.so.$version")
libfolder=$(dirname "$library")
expect_library "$library" "$version"
# What the headers declare is there, and nothing more.
cat "$prefix"/include/carom/*.h | tr '\n' ' ' | grep -o 'CR_API [^(]*(' | grep -o 'cr_[a-z0-9_]*($' | tr -d '(' |
    sort -u >"$dir/declared"
nm -D --defined-only "$library" | awk '{print $NF}' | sort -u >"$dir/exported"
expect "declared and exported are the same" diff "$dir/declared" "$dir/exported"

export PKG_CONFIG_PATH="$libfolder/pkgconfig"
mkdir "$dir/shared" "$dir/static" "$dir/cmake"
for example in "$source"/examples/*.c; do
    name=$(basename "$example" .c)
    lines=$(wc -l <"$example")
    most=80
    case $name in
    pipe | world) most=210 ;; # whole programs: a robot's, with its filter, and a world to try it in
    esac
    expect "$name has $lines lines" test "$lines" -lt "$most"
    # shellcheck disable=SC2046
    expect "$name, shared" "$cc" -Wall -Wextra -o "$dir/shared/$name" "$example" $(pkg-config --cflags --libs carom) \
        -lm -Wl,-rpath,"$libfolder"
    expect "$name uses the shared library" sh -c "ldd '$dir/shared/$name' | grep -q libcarom.so"
    # shellcheck disable=SC2046
    expect "$name, static" "$cc" -Wall -Wextra -o "$dir/static/$name" "$example" \
        $(pkg-config --static --cflags --libs carom | sed 's/-lcarom/-l:libcarom.a/')
    expect "$name has the library inside" sh -c "! ldd '$dir/static/$name' | grep libcarom"
done
# One of each outside of the library: in a program, and by itself to be loaded, without carom linked to it.
own=$(find "$source/examples/own" -name '*.c' ! -name program.c)
# shellcheck disable=SC2046,SC2086
expect "own, shared" "$cc" -Wall -Wextra -o "$dir/shared/own_program" $own "$source/examples/own/program.c" \
    $(pkg-config --cflags --libs carom) -Wl,-rpath,"$libfolder" -lm
# shellcheck disable=SC2046,SC2086
expect "own, static" "$cc" -Wall -Wextra -o "$dir/static/own_program" $own "$source/examples/own/program.c" \
    $(pkg-config --static --cflags --libs carom | sed 's/-lcarom/-l:libcarom.a/')
# shellcheck disable=SC2046,SC2086
expect "own, to be loaded" "$cc" -Wall -Wextra -shared -fPIC -o "$dir/shared/own.so" $own $(pkg-config --cflags carom)
# shellcheck disable=SC2046,SC2086
expect "own, to be loaded, with libcarom" "$cc" -Wall -Wextra -shared -fPIC -o "$dir/static/own.so" $own \
    $(pkg-config --cflags --libs carom) -Wl,-rpath,"$libfolder"
run_examples "$dir/shared"
run_examples "$dir/static"
cp -r "$source"/examples/* "$dir/cmake"
expect "configure" cmake -S "$dir/cmake" -B "$dir/cmake/build" -G Ninja -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix"
expect "build" cmake --build "$dir/cmake/build"
run_examples "$dir/cmake/build"

# The program finds its scenes wherever the whole is put.
mv "$prefix" "$dir/moved"
unset CAROM_SCENES
expect "the moved program" sh -c "cd / && '$dir/moved/bin/carom' list scenes"
says "minigolf/windmill"
mv "$dir/moved/share/carom/scenes/minigolf" "$dir/moved/share/carom/scenes/mine"
expect "its own scenes" "$dir/moved/bin/carom" list scenes
says "mine/windmill"

page=$dir/moved/share/man/man1/carom.1
expect "the man page has every command" sh -c "
    '$dir/moved/bin/carom' --help | awk '/^commands:/ {on = 1; next} /^\$/ {on = 0} on {print \$1}' |
    while read -r name; do grep -q \"^.SS .carom \$name\" '$page' || exit 1; done"
if command -v groff >/dev/null; then
    expect "the man page is sound" sh -c "test -z \"\$(groff -man -ww -Tutf8 -z '$page' 2>&1)\""
else
    echo "skipped: no groff to read the man page with"
fi

# complete WORD...: what bash offers behind these words, of which the last may be begun
complete() {
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _carom; printf "%s\n" "${COMPREPLY[@]}"' \
        "$dir/moved/share/bash-completion/completions/carom" "$dir/moved/bin/carom" "$@"
}
if command -v bash >/dev/null; then
    expect "commands" complete pl
    says "plan"
    expect "scenes" complete plan --seed 3 wind
    says "windmill"
    expect "scenes with their folder" complete check mine/wi
    says "mine/windmill"
    expect "options" complete plan windmill --sel
    says "--select"
    expect "words of a parameter" complete plan windmill --select h
    says "hybrid"
    expect "names of parameters" complete plan windmill --set m
    says "mu="
    expect "words of an option" complete bench windmill --format o
    says "ompl"
    expect "lists" complete list sk
    says "skills"
else
    echo "skipped: no bash to complete with"
fi

expect "the licence" grep -q "MIT License" "$dir/moved/share/doc/carom/LICENSE"
conclude
