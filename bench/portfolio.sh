#!/bin/sh
# What a portfolio gains, measured: races of 1, 2 and 4 seeds, one a process, and the steps to the first solution.
# Usage: portfolio.sh CAROM RUNS [SCENE...]
# A run ends with a solution: the steps of races that found none are added to those of the next. By steps the winner does
# not depend on time; by time it is whoever is first, so the machine should have a core for each process.
set -eu
carom=$1 runs=$2
shift 2
[ $# -gt 0 ] || set -- windmill maze out-dribble
mpirun="mpirun --oversubscribe"

# chain: mean steps to a solution over the first RUNS runs, and the error of that mean
chain() {
    awk -F, -v runs="$runs" '
        NR > 1 && n < runs { sum += $6; if ($4 == "solved") { n++; all += sum; squares += sum * sum; sum = 0 } }
        END { mean = all / n; printf "%d %.0f %.0f", n, mean, sqrt((squares / n - mean * mean) / n) }'
}

echo "| scene | winner by | processes | runs | steps to a solution | gain |"
echo "|---|---|---:|---:|---:|---:|"
for scene in "$@"; do
    one=""
    for how in "1 steps" "2 steps" "4 steps" "2 time" "4 time"; do
        processes=${how% *} by=${how#* }
        seeds=1-$((processes * runs * 5 / 4))
        # shellcheck disable=SC2086
        set -- $($mpirun -n "$processes" "$carom" bench "$scene" --seeds "$seeds" --portfolio "$processes" --winner "$by" \
            2>/dev/null | chain)
        one=${one:-"$2 $3"}
        echo "$one $2 $3" | awk -v scene="$scene" -v by="$by" -v n="$processes" -v runs="$1" '{
            gain = $1 / $3; error = gain * sqrt(($2 / $1) ^ 2 + ($4 / $3) ^ 2)
            printf "| %s | %s | %d | %d | %d ± %d | %.2f ± %.2f |\n", scene, by, n, runs, $3, $4, gain, (n > 1) * error }'
    done
done
