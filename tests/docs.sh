#!/bin/sh
# Pages that the program prints are as the program prints them. Usage: docs.sh CAROM SOURCE-FOLDER
set -u
carom=$1 source=$2
renew='{ build/carom list skills --markdown; build/carom list conditions --markdown; } >docs/skills.md'
if ! { "$carom" list skills --markdown && "$carom" list conditions --markdown; } | diff "$source/docs/skills.md" -; then
    echo "FAILED: docs/skills.md is not what the program has. Renew it: $renew"
    exit 1
fi
echo "1 passed, 0 failed"
