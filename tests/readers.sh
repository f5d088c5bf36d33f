#!/bin/sh
# Whatever opens a file to read it has a fuzzer, with a dictionary and a corpus. Usage: readers.sh SOURCE-FOLDER
set -u
cd "$1" || exit 1
failed=0
fail() {
    echo "FAILED: $1"
    failed=1
}
# Who reads, and the fuzzers that read the same; "-": nothing of the file is looked at, or it is run anyway.
readers='
src/base/bitmap.c picture
src/drive/bound.c line
src/drive/inputs.c inputs
src/drive/replay.c inputs
src/drive/track_read.c track
src/fit/recording.c recording
src/geom/points.c points
src/plan/plan_read.c plan
src/reach/cache.c cache
src/reach/moveit.c moveit
src/reach/urdf.c urdf srdf
src/scene/scene.c scene set
lab/experiment.c records
lab/run_tables.c records
cluster/journal.c journal
cli/reach.c -
src/library/extension.c -
'
for file in $(grep -rlE 'cri_file_read\(|fopen\([^)]*"[ra]' src cli lab cluster terminal --include='*.c' | grep -v '^src/base/file.c$'); do
    echo "$readers" | grep -q "^$file " || fail "$file reads files, and no fuzzer is named for it in tests/readers.sh"
done
for name in $(echo "$readers" | cut -s -d' ' -f2- | grep -v '^-$') number; do
    [ -f "fuzz/fuzz_$name.c" ] || fail "there is no fuzz/fuzz_$name.c"
    [ -f "fuzz/$name.dict" ] || fail "there is no fuzz/$name.dict"
    [ -n "$(ls "fuzz/corpus/$name" 2>/dev/null)" ] || fail "fuzz/corpus/$name is empty"
done
for source in fuzz/fuzz_*.c; do
    name=$(basename "$source" .c | cut -d_ -f2)
    echo "$readers number" | grep -qw "$name" || fail "$source is named for no reader in tests/readers.sh"
done
[ "$failed" -eq 0 ] && echo "1 passed, 0 failed"
exit "$failed"
