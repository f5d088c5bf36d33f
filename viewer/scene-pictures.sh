#!/bin/sh
# Pictures of every scene that comes with carom, of a drive and of a reach: plan, write the page, take screenshots at two
# sizes, light and dark. Usage: viewer/scene-pictures.sh FOLDER [CAROM [NAME...]], the names of some of them.
set -eu
folder=$1
carom=${2:-build/carom}
mkdir -p "$folder"
[ $# -lt 2 ] || shift
shift
wanted=" $* "
# Whether it is asked for; without names everything is.
asked() {
    [ "$wanted" = "  " ] || case $wanted in *" $1 "*) ;; *) return 1 ;; esac
}
pages=""
# add NAME: four pictures of that page, at a moment at which something happens
add() {
    if [ -f "$folder/$1.html" ]; then
        pages="$pages $folder/$1.html#at=${2:-0.45}&every"
    fi
}
for scene in $("$carom" list scenes | cut -d' ' -f1); do
    name=$(basename "$scene")
    asked "$name" || continue
    # 1: the goal was not reached; the page then shows the best so far.
    "$carom" plan "$scene" -o "$folder/$name.html" >/dev/null 2>&1 || [ $? -eq 1 ]
    add "$name"
done
# The moment of its largest skid.
if asked drive; then
    "$carom" drive sharp --tree large -o "$folder/drive.html" >/dev/null 2>&1
    add drive 0.703
fi
if asked reach; then
    "$carom" reach --books -o "$folder/reach.html" >/dev/null 2>&1
    add reach
fi
# shellcheck disable=SC2086
node "$(dirname "$0")/screenshots.mjs" "$folder" $pages
# A strip of the four for each, as in docs/looks.md.
if command -v ffmpeg >/dev/null; then
    mkdir -p "$folder/strips"
    for light in "$folder"/*-phone-light.jpg; do
        name=${light%-phone-light.jpg}
        asked "$(basename "$name")" || continue
        ffmpeg -v error -y -i "$name-light.jpg" -i "$name-dark.jpg" -i "$light" -i "$name-phone-dark.jpg" -filter_complex \
            "[0]scale=-2:240[a];[1]scale=-2:240[b];[2]scale=-2:240[c];[3]scale=-2:240[d];[a][b][c][d]hstack=4" -q:v 5 \
            "$folder/strips/$(basename "$name").jpg"
    done
fi
