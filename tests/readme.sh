#!/bin/sh
# The commands that README.md shows, and those of other pages that use the samples in examples/, do what they say. Films take
# a browser, and have a test of their own. Usage: readme.sh CAROM SOURCE-FOLDER
set -u
carom=$1 source=$2
export carom
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
ln -s "$source/examples" "$folder/examples"
cp "$source/scenes/minigolf/windmill.yaml" "$folder/my-scene.yaml"
{
    awk '/^```/ {code = $0 == "```sh"; next} code && /^build\/carom /' "$source/README.md"
    sed -n 's/ *#.*//; /^carom .*examples\//p' "$source/docs/drive.md" "$source/docs/reach.md"
    # The gallery, and the same commands at the head of the page of each domain.
    { grep -o '`build/carom [^`]*`' "$source/README.md" | tr -d '`'
        for domain in pool soccer drive navigation reach minigolf blocks; do
            echo "build/$(sed -n '/^carom .*-o [a-z]*\.html$/{p;q;}' "$source/docs/$domain.md")"
        done; } | sort -u
} | sed -e 's/ *#.*//' -e 's/^build\/carom \|^carom //' -e 's/^COMMAND /plan /' >"$folder/commands"
passed=0
while IFS= read -r command; do
    case $command in
    *.mp4*) continue ;;
    *'| jq'*) command -v jq >/dev/null || command=${command%%|*} ;;
    esac
    (cd "$folder" && eval "\"\$carom\" $command") >"$folder/out" 2>"$folder/talk" </dev/null
    code=$?
    case $command in
    run*) [ $code -ne 1 ] || code=0 ;; # not all trials reached the goal: a world does not obey
    esac
    if [ $code -ne 0 ] && ! grep -q 'this build has no page' "$folder/talk"; then
        echo "FAILED with $code: carom $command"
        cat "$folder/talk"
        exit 1
    fi
    passed=$((passed + 1))
done <"$folder/commands"
if [ "$(grep -c 'html$' "$folder/commands")" -lt 10 ]; then
    echo "FAILED: the commands of the gallery were not found"
    exit 1
fi
if [ "$passed" -lt 22 ]; then
    echo "FAILED: only $passed commands were found"
    exit 1
fi
echo "$passed passed, 0 failed"
