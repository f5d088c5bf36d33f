#!/bin/sh
# The tables of docs/core-results.md, as Markdown on stdout: table 6.1's first two domains (and 6.3's minigolf) beside
# the seed's figures; then holes and mazes with the scenes' own settings beside the baseline.
# Usage: bench/core-table.sh [CAROM] [SEEDS]
set -eu
carom=${1:-build/carom}
seeds=${2:-1-100}
[ -x "$carom" ] || { echo "$carom: not a program; build carom first" >&2; exit 2; }

# figures FORMAT SCENE OPTIONS...: searches, solved, mean and deviation of nodes, of steps; printed by awk's FORMAT
figures() {
    format=$1
    shift
    "$carom" bench "$@" --seeds "$seeds" --steps 50000 2>/dev/null | awk -F, '
        function deviation(sum, squares) { return sqrt((squares - sum * sum / n) / (n - 1)) }
        NR > 1 { n++; solved += $4 == "solved"; s += $5; q += $5 * $5; t += $6; u += $6 * $6 }
        END {
            nodes = sprintf("%.0f ± %.0f", s / n, deviation(s, q))
            steps = sprintf("%.0f ± %.0f", t / n, deviation(t, u))
            '"$format"'
        }'
}

# row SCENE HOW PUBLISHED OPTIONS...
row() {
    scene=$1 how=$2 published=$3
    shift 3
    for round in 18 1; do
        rest=$(figures 'printf "%s | %s | %.0f%%", nodes, steps, 100 * solved / n' "$scene" --nodes 25000 --round $round "$@")
        echo "| $scene | $how | $round | $rest | $published |"
    done
}

# hole SCENE OPTIONS...
hole() {
    cells='printf "%d of %d | %s", solved, n, nodes'
    echo "| \`$*\` | $(figures "$cells" "$@") | $(figures "$cells" "$@" --select uniform --free-tactics) |"
}

echo "| scene | select | round | nodes | steps | solved | thesis: nodes, iterations, success |"
echo "|---|---|---|---|---|---|---|"
row windmill "bgt, mu 10" "3484 ± 4159, 3485 ± 4158, 99%" --select bgt --mu 10
row windmill "rrt" "16898 ± 10606, 16898 ± 10606, 41%" --select rrt
row windmill "uniform" "-" --select uniform
row windmill "bgt, mu 10, free Tactics" "20854 ± 8892, 20944 ± 8905, 18%" --select bgt --mu 10 --free-tactics
row windmill "rrt, free Tactics" "22192 ± 7503, 22488 ± 7597, 13%" --select rrt --free-tactics
row windmill "uniform, free Tactics" "-" --select uniform --free-tactics
row u-shape "rrt" "1086 ± 369, 1733 ± 686, 100%" --select rrt
row u-shape "bgt, mu 1000" "13713 ± 5774, 36873 ± 15908, 53%" --select bgt --mu 1000
row u-shape "hybrid, half bgt" "-" --select hybrid --mu 1000
row u-shape "uniform" "-" --select uniform

echo
echo '| scene | solved | nodes | solved by `--select uniform --free-tactics` | nodes |'
echo '|---|---|---|---|---|'
hole straight
hole bank
hole double-bank
for period in 5 3; do
    for distance in 1.4 2.4; do
        hole gate --set period=$period --set distance=$distance
    done
done
hole maze
