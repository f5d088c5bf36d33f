#!/bin/sh
# What scripts that test carom from outside ask with. Sourced; $dir is theirs to make and remove.
passed=0 failed=0

# expect WHAT COMMAND...: it ends with 0
expect() {
    what=$1
    shift
    if "$@" >"$dir/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        head -20 "$dir/out"
    fi
}

# says TEXT: what ran last said it
says() {
    if grep -qF -- "$1" "$dir/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: no \"$1\" in:"
        head -5 "$dir/out"
    fi
}

# expect_library FILE VERSION: a shared library's name keeps the promise of its version, and it exports cr_* alone
expect_library() {
    case $2 in
    0.*) promised=${2%.*} ;;
    *) promised=${2%%.*} ;;
    esac
    expect "$1 is called libcarom.so.$promised" sh -c "objdump -p '$1' | grep -q 'SONAME *libcarom\\.so\\.$promised\$'"
    foreign=$(nm -D --defined-only "$1" | awk '{print $NF}' | grep -v '^cr_')
    expect "only cr_* is exported, not: $foreign" test -z "$foreign"
}

# Say how many, and end.
conclude() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
