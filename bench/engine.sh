#!/bin/sh
# All that the engine `lanes` is to reach, in one run: the figures of bench_engine, instructions a step, and the same bits
# (golden hashes, lanes and scalar, any batch) from gcc and clang with -O0, -O2 and -O3 -march=native; searches under
# the thread sanitizer.
#     bench/engine.sh [BUILD-FOLDER [OTHER-BUILDS]]
# Builds the compilers' variants in OTHER-BUILDS (default: BUILD-FOLDER/variants); without clang gcc alone is tried.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-build}
variants=${2:-$build/variants}
scenes=$source/scenes

ninja -C "$build" bench_engine bench_instructions > /dev/null
attack=$scenes/soccer/attack-1v3.yaml
"$build/bench/bench_engine" "$attack" $(ls "$scenes"/*/*.yaml | grep -vFx "$attack")
echo
"$source/bench/instructions.sh" "$build"
echo

# try NAME COMPILER OPTIONS TESTS...
try() {
    name=$1 compiler=$2 options=$3
    shift 3
    command -v "$compiler" > /dev/null || return 0
    CC=$compiler cmake -G Ninja -S "$source" -B "$variants/$name" "$options" > /dev/null
    ninja -C "$variants/$name" "$@" > /dev/null
    for test in "$@"; do
        if "$variants/$name/tests/$test" > "$variants/$name/$test.log" 2>&1; then
            echo "$name: $test met"
        else
            echo "$name: $test NOT MET, see $variants/$name/$test.log"
        fi
    done
}
for compiler in gcc clang; do
    try "$compiler-O0" "$compiler" -DCAROM_OPTIMIZE=-O0 test_engine_bits test_stepper
    try "$compiler-O2" "$compiler" -DCAROM_OPTIMIZE=-O2 test_engine_bits test_stepper test_plan
    try "$compiler-O3-native" "$compiler" "-DCAROM_OPTIMIZE=-O3 -march=native" test_engine_bits test_stepper test_plan
done
try threads gcc -DCAROM_SANITIZE=thread test_plan
