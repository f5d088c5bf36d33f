#!/bin/sh
# The example that a robot's program would talk to: a line a frame, and an answer to each. Usage: pipe.sh PIPE SCENE
set -u
# navigation/u-shape: one moving body. It stands; then it moves; then the line is cut short.
answer=$(printf '0 %s 0 0 0 0\n1 %s 0 0.5 0 0\n2 0.1' '-2 0' '-1.9 0' | "$1" "$2" 20)
lines=$(echo "$answer" | wc -l)
fields=$(echo "$answer" | awk '{print NF}' | sort -u | tr '\n' ' ')
steps=$(echo "$answer" | awk '{print $1}' | tr '\n' ' ')
if [ "$lines" != 2 ] || [ "$fields" != "6 " ] || [ "$steps" != "0 1 " ]; then
    echo "FAILED: two answers of six numbers, to the steps 0 and 1, were expected:"
    echo "$answer"
    exit 1
fi
echo "1 passed, 0 failed"
