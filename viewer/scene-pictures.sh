#!/bin/sh
# Pictures of every scene that comes with carom, of a drive and of a reach: plan, write the page, take screenshots at two
# sizes, light and dark. Usage: viewer/scene-pictures.sh FOLDER [CAROM]
set -eu
folder=$1
carom=${2:-build/carom}
mkdir -p "$folder"
pages=""
# add NAME: four pictures of that page, at a moment at which something happens
add() {
    if [ -f "$folder/$1.html" ]; then
        pages="$pages $folder/$1.html#at=${2:-0.45}&every"
    fi
}
for scene in $("$carom" list scenes | cut -d' ' -f1); do
    name=$(basename "$scene")
    # 1: the goal was not reached; the page then shows the best so far.
    "$carom" plan "$scene" -o "$folder/$name.html" >/dev/null 2>&1 || [ $? -eq 1 ]
    add "$name"
done
"$carom" drive sharp --tree large -o "$folder/drive.html" >/dev/null 2>&1
add drive
"$carom" reach --books -o "$folder/reach.html" >/dev/null 2>&1
add reach
# shellcheck disable=SC2086
node "$(dirname "$0")/screenshots.mjs" "$folder" $pages
# A strip of the four for each, as in docs/looks.md.
if command -v ffmpeg >/dev/null; then
    mkdir -p "$folder/strips"
    for light in "$folder"/*-phone-light.jpg; do
        name=${light%-phone-light.jpg}
        ffmpeg -v error -y -i "$name-light.jpg" -i "$name-dark.jpg" -i "$light" -i "$name-phone-dark.jpg" -filter_complex \
            "[0]scale=-2:240[a];[1]scale=-2:240[b];[2]scale=-2:240[c];[3]scale=-2:240[d];[a][b][c][d]hstack=4" -q:v 5 \
            "$folder/strips/$(basename "$name").jpg"
    done
fi
