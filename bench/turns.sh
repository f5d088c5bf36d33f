#!/bin/sh
# Two builds beside each other: what bench_search prints, in turns, so that other work on the machine meets both.
#     bench/turns.sh ONE/bench_search OTHER/bench_search SCENE.yaml [turns [nodes]]
set -eu
one=$1 other=$2 scene=$3 turns=${4:-5} nodes=${5:-20000}
turn=0
while [ "$turn" -lt "$turns" ]; do
    for program in "$one" "$other"; do
        "$program" "$scene" "$nodes" 10 | sed "s|^|$program: |"
    done
    turn=$((turn + 1))
done
