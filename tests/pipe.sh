#!/bin/sh
# The example that a robot's program would begin as, by hand and in its world: a line a frame, and an answer to each.
# Usage: pipe.sh PIPE WORLD SCENE
set -u
# navigation/u-shape: one moving body. It stands; then it moves; then the line is cut short.
answer=$(printf '0 %s 0 0 0 0\n1 %s 0 0.5 0 0\n2 0.1' '-2 0' '-1.9 0' | "$1" "$3" 20)
lines=$(echo "$answer" | wc -l)
fields=$(echo "$answer" | awk '{print NF}' | sort -u | tr '\n' ' ')
steps=$(echo "$answer" | awk '{print $1}' | tr '\n' ' ')
if [ "$lines" != 2 ] || [ "$fields" != "6 " ] || [ "$steps" != "0 1 " ]; then
    echo "FAILED: two answers of six numbers, to the steps 0 and 1, were expected:"
    echo "$answer"
    exit 1
fi
# Every frame of a world is answered, however late here; a program that does not answer is told of.
answer=$("$2" "$3" 30 "$1" "$3" 5) || { echo "FAILED: the world ended early"; exit 1; }
case $answer in
"30 answers, ms: median "*) ;;
*) echo "FAILED: thirty answers were expected: $answer"; exit 1 ;;
esac
if "$2" "$3" 30 /bin/true 2>/dev/null; then
    echo "FAILED: a program that says nothing passed"
    exit 1
fi
echo "3 passed, 0 failed"
