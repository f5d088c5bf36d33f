#!/bin/sh
# A picture of every scene that comes with carom: plan it, write its page, take a screenshot.
# Usage: viewer/scene-pictures.sh FOLDER [CAROM]
set -eu
folder=$1
carom=${2:-build/carom}
mkdir -p "$folder"
pages=""
for scene in $("$carom" list scenes | cut -d' ' -f1); do
    page="$folder/$(basename "$scene").html"
    # 1: the goal was not reached; the page then shows the best so far.
    "$carom" plan "$scene" -o "$page" >/dev/null 2>&1 || [ $? -eq 1 ]
    [ -f "$page" ] && pages="$pages $page#t=2"
done
# shellcheck disable=SC2086
node "$(dirname "$0")/screenshots.mjs" "$folder" $pages
