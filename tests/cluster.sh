#!/bin/sh
# Work shared by the processes of an mpirun: what comes out is what one process gives, also after kills. Usage: cluster.sh CAROM
set -u
carom=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    head -5 "$dir/err" 2>/dev/null
}
same() { # WHAT ONE OTHER
    if cmp -s "$2" "$3"; then pass; else fail "$1: $(diff "$2" "$3" | head -3)"; fi
}

# Without MPI the program says what is missing, and is not shared where it need not be.
if [ ! -e "$(dirname "$carom")/carom-mpi.so" ]; then
    OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 "$carom" bench bank --seeds 1-2 >"$dir/out" 2>"$dir/err"
    [ $? -eq 2 ] && grep -q "libopenmpi-dev and openmpi-bin" "$dir/err" || { fail "no MPI, and it does not say so" && exit 1; }
    echo "skipped: this carom is built without MPI"
    exit 77
fi
if ! command -v mpirun >/dev/null; then
    echo "skipped: there is no mpirun"
    exit 77
fi
export ASAN_OPTIONS=detect_leaks=0 # those of MPI
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# many N COMMAND...: by N processes; what mpirun itself has to say is left out
many() {
    processes=$1
    shift
    timeout 120 mpirun --quiet --oversubscribe -n "$processes" "$@"
}
if ! many 2 true >"$dir/out" 2>&1; then
    echo "skipped: mpirun does not run here: $(head -3 "$dir/out")"
    exit 77
fi

# --- A bench: its rows but for the seconds, and the plans.
rows() { cut -d, -f1-7,12 "$1"; }
mkdir "$dir/plans1" "$dir/plans3"
"$carom" bench bank --seeds 1-24 --plans "$dir/plans1" >"$dir/one" 2>"$dir/err" || fail "bench"
many 3 "$carom" bench bank --seeds 1-24 --plans "$dir/plans3" --journal "$dir/journal" >"$dir/three" 2>"$dir/err" || fail "bench, 3"
rows "$dir/one" >"$dir/a" && rows "$dir/three" >"$dir/b" && same "rows of a bench" "$dir/a" "$dir/b"
if diff -r "$dir/plans1" "$dir/plans3" >"$dir/err"; then pass; else fail "plans of a bench"; fi
if [ "$(grep -c "" "$dir/journal")" -eq 25 ]; then pass; else fail "a journal of 24 searches"; fi
# Damaged in the middle and torn at its end, it is two searches short, and the table is as before, times and all.
sed -i '5s/ / x/2' "$dir/journal"
truncate -s -7 "$dir/journal"
many 2 "$carom" bench bank --seeds 1-24 --plans "$dir/plans3" --journal "$dir/journal" >"$dir/again" 2>"$dir/err" || fail "going on"
grep -q "1 damaged lines and a torn one" "$dir/err" || fail "a torn line is not seen"
rows "$dir/again" >"$dir/b" && same "rows from a journal" "$dir/a" "$dir/b"
if [ "$(diff "$dir/three" "$dir/again" | grep -c '^>')" -le 2 ]; then pass; else fail "more than two searches were done again"; fi
many 2 "$carom" bench bank --seeds 1-25 --journal "$dir/journal" >"$dir/out" 2>"$dir/err"
if [ $? -eq 3 ] && grep -q "other work" "$dir/err"; then pass; else fail "another bench's journal"; fi

# --- A portfolio: the same winner by any number of processes, and the very plan that its seed gives alone.
for by in steps rank; do
    "$carom" plan windmill --portfolio 1-6 --winner $by -o "$dir/one.json" >"$dir/one" 2>"$dir/err" || fail "portfolio by $by"
    many 3 "$carom" plan windmill --portfolio 1-6 --winner $by -o "$dir/many.json" >"$dir/out" 2>"$dir/err" || fail "portfolio by $by, 3"
    same "plan of a portfolio by $by" "$dir/one.json" "$dir/many.json"
    seed=$(sed -n 's/^winner: seed \([0-9]*\) of 1-6.*/\1/p' "$dir/out")
    "$carom" plan windmill --seed "$seed" -o "$dir/alone.json" >"$dir/out" 2>"$dir/err" || fail "the winner alone"
    same "plan of the winner by $by" "$dir/alone.json" "$dir/many.json"
done
fewest=$("$carom" bench windmill --seeds 1-6 2>/dev/null | grep solved | sort -t, -k6n | head -1 | cut -d, -f1)
if grep -q "^winner: seed $fewest of" "$dir/one" || "$carom" plan windmill --portfolio 1-6 2>/dev/null | grep -q "^winner: seed $fewest of"; then
    pass
else
    fail "seed $fewest has the fewest steps"
fi
many 3 "$carom" plan windmill --portfolio 1-6 --winner time -o "$dir/many.json" >"$dir/out" 2>"$dir/err" || fail "portfolio by time"
seed=$(sed -n 's/^winner: seed \([0-9]*\) of 1-6.*/\1/p' "$dir/out")
"$carom" plan windmill --seed "$seed" -o "$dir/alone.json" >"$dir/out" 2>"$dir/err" || fail "the first alone"
same "plan of the first" "$dir/alone.json" "$dir/many.json"

# --- An experiment, one of whose processes is killed in the middle: a member, then the lead.
timeless() { sed -E 's/\| [0-9.]+ ± [0-9.]+ \|/| |/' "$1"; }
"$carom" experiment table-6.1 --quick -o "$dir/e1" >"$dir/out" 2>"$dir/err" || fail "experiment"
timeless "$dir/out" >"$dir/table"
count() { grep -c ',[0-9a-f]\{16\}$' "$1"; } # records
searches=$(count "$dir/e1/runs.csv")

# kill_one RANK FOLDER: start it, and kill that process once some searches are done; false if it was too late
kill_one() {
    mkdir -p "$2"
    mpirun --quiet --oversubscribe -n 3 "$carom" experiment table-6.1 --quick -o "$2" >"$dir/out" 2>"$dir/err" &
    job=$!
    until [ "$(grep -c "" "$2/runs.csv" 2>/dev/null || true)" -ge 6 ] 2>/dev/null || ! kill -0 $job 2>/dev/null; do sleep 0.005; done
    for pid in $(cat /proc/$job/task/*/children 2>/dev/null); do
        if tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1"; then
            kill -9 "$pid" 2>/dev/null
        fi
    done
    wait $job
    before=$(count "$2/runs.csv")
    [ "$before" -lt "$searches" ]
}
for rank in 1 0; do
    try=0
    until kill_one $rank "$dir/e$rank-$try" || [ $try -ge 5 ]; do try=$((try + 1)); done
    folder="$dir/e$rank-$try"
    if [ "$before" -ge "$searches" ]; then
        echo "process $rank was never in time for its kill: not tested"
        continue
    fi
    head -n $((before + 1)) "$folder/runs.csv" >"$dir/before"
    many 3 "$carom" experiment table-6.1 --quick -o "$folder" >"$dir/out" 2>"$dir/err" || fail "after the kill of process $rank"
    timeless "$dir/out" >"$dir/b" && same "the table after the kill of process $rank" "$dir/table" "$dir/b"
    # What was there stays, and no search is there twice: the second command did what was missing.
    head -n $((before + 1)) "$folder/runs.csv" >"$dir/b" && same "records from before the kill" "$dir/before" "$dir/b"
    whole=$(cut -d, -f1-3 "$folder/runs.csv" | sort | uniq | grep -c "@")
    after=$(count "$folder/runs.csv")
    if [ "$whole" -eq "$searches" ] && [ "$after" -eq "$searches" ]; then pass; else fail "$after records of $whole searches"; fi
    echo "process $rank killed with $before of $searches searches done; the second command did $((after - before))"
done

# --- What is wrong is said once, and a signal ends all.
many 3 "$carom" bench nothing-of-that-name >"$dir/out" 2>"$dir/err"
if [ $? -ne 0 ] && [ "$(grep -c "no scene" "$dir/err")" -eq 1 ]; then pass; else fail "a scene that is not there"; fi
if [ "$(many 3 "$carom" list engines 2>/dev/null)" = "$("$carom" list engines)" ]; then pass; else fail "list by three"; fi
mpirun --quiet --oversubscribe -n 2 "$carom" bench bank --seeds 1-1000000 >"$dir/out" 2>"$dir/err" &
job=$!
until grep -q '^3,' "$dir/out" || ! kill -0 $job 2>/dev/null; do sleep 0.05; done
for pid in $(cat /proc/$job/task/*/children 2>/dev/null); do
    tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=0" && kill -INT "$pid"
done
wait $job
if grep -q "^# interrupted: " "$dir/out" && grep -q "interrupted" "$dir/err"; then pass; else fail "an interrupted bench"; fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
