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
for figure in figure-6.11 figure-6.12 figure-6.13-mu-time figure-6.13-mu-success figure-6.13-share-nodes 001-figure-6 \
    sweep-extension sweep-opponents sweep-aim; do
    grep -q "</svg>" "$dir/$figure.svg" || fail "$figure.svg"
done
# The scenes of the comparisons are what they were when they were frozen, or it is said.
grep -q "^scenes: .navigation/u-shape. @" "$dir/first" || fail "tables do not name their scenes"
# A sweep runs other scenes than the one it changes a word of.
[ "$(grep -o "attack-1v3@[0-9a-f]*" "$dir/runs.csv" | sort -u | wc -l)" -ge 2 ] || fail "a sweep that changes nothing"
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
for figure in 9.6-hallway-collisions 9.7-maze-horseshoes-steps 7.10-gate-held; do
    grep -q "</svg>" "$dir/figure-$figure.svg" || fail "figure-$figure.svg"
done
[ "$(wc -l <"$dir/figure-9.6.csv")" -eq 5 ] || fail "figure 9.6 has not two uncertainties and two intervals"
head -c 700 "$dir/trials.csv" >"$dir/again/trials.csv"
"$carom" experiment figure-9.6 --quick -o "$dir/again" >"$dir/third" 2>"$dir/err" || fail "runs that go on"
cmp -s "$dir/figure-9.6.csv" "$dir/again/figure-9.6.csv" || fail "figure 9.6 does not repeat"
# Fits to hidden worlds: a fit predicts far better than it began, in both engines' worlds; and figures have their methods.
for name in table-8.1 table-8.2 figure-8.2 figure-8.3; do
    "$carom" experiment "$name" --quick -o "$dir" >"$dir/a" 2>"$dir/err" || fail "$name"
    cmp -s "$dir/a" "$dir/$name.csv" || fail "$name is not in its file"
done
[ "$(awk -F, 'NR > 1 && $5 < 0.25' "$dir/table-8.1.csv" | wc -l)" -eq 2 ] || fail "table 8.1: a fit does not help"
[ "$(wc -l <"$dir/table-8.2.csv")" -eq 7 ] || fail "table 8.2 has not five courses"
grep -q "^least-squares,.*,.*,.*,.*,.*,.*,.*,.*,." "$dir/figure-8.2.csv" || fail "figure 8.2 has not eight parameters"
awk -F, '$1 == "least-squares" {if (!first) first = $4; last = $4} END {exit !(last < 0.2 * first)}' "$dir/figure-8.3.csv" ||
    fail "figure 8.3: the error in velocity does not shrink"
# Trees: bgt keeps depth over breadth near mu where the tree is large enough. Luck: what is predicted is what comes.
"$carom" experiment figure-5.4 --quick -o "$dir" >"$dir/a" 2>"$dir/err" || fail "figure 5.4"
cmp -s "$dir/a" "$dir/figure-5.4.csv" || fail "figure 5.4 is not in its file"
grep -q "</svg>" "$dir/figure-5.4.svg" || fail "figure-5.4.svg"
awk -F , 'NR > 1 && $3 < 5 {exit 1}' "$dir/figure-5.4.csv" || fail "trees without branches"
"$carom" experiment chance --quick -o "$dir" >"$dir/a" 2>"$dir/err" || fail "chance"
[ "$(wc -l <"$dir/chance.csv")" -eq 5 ] || fail "chance has not two plans of each kind"
awk -F , 'NR > 1 && $11 < 0.001 {exit 1}' "$dir/chance.csv" || fail "a prediction that executions do not bear out"
# Dice: no push in flight is stronger than 0.3 g, none after a contact than 1 g.
"$carom" experiment dice-acceleration --quick -o "$dir" >"$dir/a" 2>"$dir/err" || fail "dice-acceleration"
grep -q "</svg>" "$dir/dice-acceleration.svg" || fail "dice-acceleration.svg"
grep -q "| 0.3 g | 1 g |$" "$dir/a" || fail "dice are pushed otherwise than they may be"
"$carom" experiment dice --quick -o "$dir" >"$dir/a" 2>"$dir/err" || fail "dice"
[ "$(wc -l <"$dir/dice.csv")" -eq 3 ] || fail "dice has not two scenes"
"$carom" experiment nothing -o "$dir" 2>"$dir/err" && fail "an unknown experiment"
grep -q "table-6.4" "$dir/err" || fail "the message does not name the experiments"
echo "20 passed, 0 failed"
