#!/bin/sh
# The library's shape. Usage: library.sh LIBCAROM.A INCLUDE-FOLDER CC
# No mutable globals but one lock; every public header compiles alone, as C and as C++, and documents what it declares.
set -u
library=$1 include=$2 cc=$3
failed=0
globals=$(objdump -t "$library" | awk '/ O \.(data|bss)\t/ || /\*COM\*/ {print $NF}' | sort -u | grep -v '^ode_lock$')
if [ -n "$globals" ]; then
    echo "FAILED: mutable globals: $globals"
    failed=1
fi
# A declaration stands under a comment, or in a group of declarations that begins with one.
bare=$(awk '
    /^\/\/\// {documented = 1}
    /^$/ {documented = 0}
    /^CR_API/ && !documented {print FILENAME ":" FNR ": " $0}' "$include"/carom/*.h)
if [ -n "$bare" ]; then
    echo "FAILED: without documentation: $bare"
    failed=1
fi
for header in "$include"/carom/*.h; do
    "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$include" -fsyntax-only -x c "$header" || failed=1
    if command -v c++ >/dev/null; then
        c++ -Wall -Wextra -Werror -I"$include" -fsyntax-only -x c++ "$header" || failed=1
    fi
done
[ "$failed" -eq 0 ] && echo "1 passed, 0 failed"
exit "$failed"
