#!/bin/sh
# Holes and mazes with the scenes' own settings beside the baseline, as Markdown on stdout.
# Usage: bench/holes-table.sh [CAROM] [SEEDS]
set -eu
carom=${1:-build/carom}
seeds=${2:-1-100}
[ -x "$carom" ] || { echo "$carom: not a program; build carom first" >&2; exit 2; }

# searches SCENE OPTIONS...: solved and nodes, two cells
searches() {
    "$carom" bench "$@" --seeds "$seeds" --steps 50000 2>/dev/null | awk -F, '
        NR > 1 { n++; solved += $4 == "solved"; s += $5; q += $5 * $5 }
        END { printf " %d of %d | %.0f ± %.0f |", solved, n, s / n, sqrt((q - s * s / n) / (n - 1)) }'
}

echo '| scene | solved | nodes | solved by `--select uniform --free-tactics` | nodes |'
echo '|---|---|---|---|---|'
for scene in straight bank double-bank "gate --set period=5 --set distance=1.4" "gate --set period=5 --set distance=2.4" \
    "gate --set period=3 --set distance=1.4" "gate --set period=3 --set distance=2.4" maze; do
    # shellcheck disable=SC2086 # a scene and its options
    echo "| \`$scene\` |$(searches $scene)$(searches $scene --select uniform --free-tactics)"
done
