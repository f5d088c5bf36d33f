#!/bin/sh
# The rules of docs/library.md for the public headers: who may share what, how getters are called, where
# defaults come from. Usage: headers.sh SOURCE-FOLDER
set -u
cd "$1/include/carom" || exit 1
failed=0
fail() {
    echo "FAILED: $1"
    failed=1
}
for header in *.h; do
    [ "$header" = carom.h ] || grep -q '^/// Threads: ' "$header" || fail "$header does not say what threads may share"
    [ "$header" = carom.h ] || grep -q "\"$header\"" carom.h || fail "carom.h does not include $header"
done
types=$(sed -nE 's/^typedef (struct|enum) (cr_[a-z0-9_]+).*/\2/p' ./*.h)
functions=$(cat ./*.h | tr '\n' ' ' | grep -oE 'CR_API [^;(]*\(' | grep -oE 'cr_[a-z0-9_]+\(' | tr -d '(')
[ "$(echo "$functions" | wc -l)" -gt 150 ] || fail "only $(echo "$functions" | wc -l) functions were found"
for function in $functions; do
    case $function in
    *_at) plain=${function%_at} ;;
    *_get_*) plain=$(echo "$function" | sed 's/_get_/_/') ;;
    *) continue ;;
    esac
    printf "%s\n%s\n" "$types" "$functions" | grep -qx "$plain" || fail "$function: nothing is called $plain, so the function should be"
done
for type in $(echo "$types" | grep '_def$'); do
    cat ./*.h | tr '\n' ' ' | grep -qE "CR_API $type cr_[a-z_]+\(" || fail "no function returns the defaults of $type"
done
[ "$failed" -eq 0 ] && echo "1 passed, 0 failed"
exit "$failed"
