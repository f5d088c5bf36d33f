#!/bin/sh
# Instructions of a step, counted by callgrind: they do not depend on what else the machine does.
# The difference of 400 and 100 batches leaves out what happens once.
#     bench/instructions.sh [BUILD-FOLDER]
set -eu
build=${1:-build}
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$build/bench/bench_instructions" "$1" "$2" 8 "$3" 2>&1 |
        sed -n 's/.*refs: *//p' | tr -d ,
}
for course in minigolf soccer pool; do
    for numbers in shared own; do
        few=$(count "$course" 100 $numbers)
        many=$(count "$course" 400 $numbers)
        echo "$course, $numbers numbers: $(((many - few) / 300 / 8)) instructions a step"
    done
done
