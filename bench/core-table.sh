#!/bin/sh
# Table 6.1's first two domains (and 6.3's minigolf) beside the seed's figures, as Markdown on stdout.
# Usage: bench/core-table.sh [CAROM] [SEEDS]
set -eu
carom=${1:-build/carom}
seeds=${2:-1-100}
[ -x "$carom" ] || { echo "$carom: not a program; build carom first" >&2; exit 2; }

# row SCENE HOW PUBLISHED OPTIONS...
row() {
    scene=$1 how=$2 published=$3
    shift 3
    for round in 18 1; do
        "$carom" bench "$scene" --seeds "$seeds" --nodes 25000 --steps 50000 --round $round "$@" 2>/dev/null |
            awk -F, -v scene="$scene" -v how="$how" -v round=$round -v published="$published" '
                NR > 1 { n++; solved += $4 == "solved"; s += $5; q += $5 * $5; t += $6; u += $6 * $6 }
                END {
                    printf "| %s | %s | %d | %.0f ± %.0f | %.0f ± %.0f | %.0f%% | %s |\n", scene, how, round,
                        s / n, sqrt((q - s * s / n) / (n - 1)), t / n, sqrt((u - t * t / n) / (n - 1)),
                        100 * solved / n, published
                }'
    done
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
