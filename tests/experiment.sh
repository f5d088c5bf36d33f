#!/bin/sh
# The published experiments, in small. Usage: experiment.sh CAROM
set -u
carom=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() {
    echo "FAILED: $1"
    exit 1
}
"$carom" experiment all --quick -o "$dir" >"$dir/first" 2>"$dir/err" || fail "experiment all --quick"
lines=$(wc -l <"$dir/runs.csv")
[ "$lines" -gt 80 ] || fail "runs.csv has only $lines lines"
for figure in 6.11 6.12 6.13-mu-success 6.13-share-nodes; do
    grep -q "</svg>" "$dir/figure-$figure.svg" || fail "figure-$figure.svg"
done
# A second time nothing is run, and the tables are the same.
"$carom" experiment all --quick -o "$dir" >"$dir/second" 2>"$dir/err" || fail "the second time"
[ "$(wc -l <"$dir/runs.csv")" -eq "$lines" ] || fail "a finished search ran again"
cmp -s "$dir/first" "$dir/second" || fail "the tables differ"
# A killed run leaves half a line; it goes on with the searches that are missing.
head -c 3000 "$dir/runs.csv" >"$dir/cut" && mkdir "$dir/again" && mv "$dir/cut" "$dir/again/runs.csv"
"$carom" experiment table-6.1 --quick -o "$dir/again" >"$dir/third" 2>"$dir/err" || fail "going on"
grep -q "| pool | bgt, mu 1000 | decisions | 2 |" "$dir/third" || fail "table 6.1 after a kill is not whole"
# Runs in a true world: every cell is there, with its figures; and a trial that is torn is run again, to the same end.
trials=$(wc -l <"$dir/trials.csv")
[ "$trials" -gt 15 ] || fail "trials.csv has only $trials lines"
for figure in 9.6-hallway-collisions 9.7-horseshoes-steps 7.10-gate-held; do
    grep -q "</svg>" "$dir/figure-$figure.svg" || fail "figure-$figure.svg"
done
[ "$(wc -l <"$dir/figure-9.6.csv")" -eq 5 ] || fail "figure 9.6 has not two uncertainties and two intervals"
head -c 700 "$dir/trials.csv" >"$dir/again/trials.csv"
"$carom" experiment figure-9.6 --quick -o "$dir/again" >"$dir/third" 2>"$dir/err" || fail "runs that go on"
cmp -s "$dir/figure-9.6.csv" "$dir/again/figure-9.6.csv" || fail "figure 9.6 does not repeat"
"$carom" experiment nothing -o "$dir" 2>"$dir/err" && fail "an unknown experiment"
grep -q "table-6.4" "$dir/err" || fail "the message does not name the experiments"
echo "9 passed, 0 failed"
