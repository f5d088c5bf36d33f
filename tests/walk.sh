#!/bin/sh
# Every function that docs/walk.md names is defined in the file beside it. Usage: walk.sh SOURCE-FOLDER
set -u
cd "$1" || exit 1
failed=0
rows=$(sed -nE 's/^\| `([a-z_]+)` \| `([a-z_/.]+)` \|.*/\1 \2/p' docs/walk.md)
[ "$(echo "$rows" | wc -l)" -gt 25 ] || { echo "FAILED: docs/walk.md has hardly a row"; failed=1; }
echo "$rows" >"${TMPDIR:-/tmp}/carom-walk.$$"
while read -r function file; do
    grep -qE "^[a-z].*[ *]$function\(" "$file" || { echo "FAILED: $function is not defined in $file"; failed=1; }
done <"${TMPDIR:-/tmp}/carom-walk.$$"
rm -f "${TMPDIR:-/tmp}/carom-walk.$$"
[ "$failed" -eq 0 ] && echo "1 passed, 0 failed"
exit "$failed"
