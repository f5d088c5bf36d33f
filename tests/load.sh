#!/bin/sh
# Extensions through the program. Usage: load.sh CAROM OWN.SO FOLDER-OF-BAD-ONES SCENE PROGRAM
set -u
carom=$1 own=$2 bad=$3 scene=$4 program=$5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
. "$(dirname "$0")/expect.sh"

# refuses CODE WHAT COMMAND...
refuses() {
    code=$1 what=$2
    shift 2
    expect "$what: exit code $code" sh -c '"$@"; test $? -eq '"$code" sh "$@"
}

# One of each: found, planned with, replayed, and the same bytes again.
plan="$dir/frog.json"
expect "check" "$carom" check "$scene" --load "$own"
expect "plan" "$carom" plan "$scene" --load "$own" --threads 1 -o "$plan"
says "solved"
says "--load $own"
says "select=least_tried"
expect "the plan says what it was made with" grep -qF '"extensions": [{"name": "own", "version": "1.0"}]' "$plan"
expect "replay" "$carom" replay "$plan" --load "$own" --events
says "goal reached"
expect "plan with threads" "$carom" plan "$scene" --load "$own" --threads 3 -o "$dir/again.json"
expect "same bytes" cmp "$plan" "$dir/again.json"
expect "export" "$carom" export "$plan" "$dir/frog.csv" --load "$own"
expect "simulate" "$carom" simulate "$scene" --load "$own"
expect "bench" "$carom" bench "$scene" --seeds 1-2 --load "$own"
says "least_tried,bouncer,solved"
expect "the program does the same" "$program" "$scene"
says "solved"
# Built-in and own ones go together.
expect "own select, built-in engine" "$carom" plan "$scene" --load "$own" --engine lanes --rank time
expect "own rank, built-in select" "$carom" plan "$scene" --load "$own" --select rrt --engine ode

# Each is listed, and only where it is loaded.
for pair in skills:hop conditions:above quantities:energy selects:least_tried ranks:gentle engines:bouncer; do
    expect "list ${pair%:*}" "$carom" list "${pair%:*}" --load "$own"
    says "${pair#*:}: "
    expect "list ${pair%:*} as JSON" "$carom" list "${pair%:*}" --json --load "$own"
    says "\"name\": \"${pair#*:}\""
    expect "${pair#*:} is not built in" sh -c "! '$carom' list ${pair%:*} | grep -q '^${pair#*:}:'"
done
expect "parameters" "$carom" list parameters --load "$own"
says "(uniform|rrt|bgt|hybrid|least_tried)"

# Without it nothing of it is known, and the plan is refused where it says what it needs.
refuses 3 "plan without it" "$carom" plan "$scene"
says 'unknown Skill type "hop"'
says 'unknown select "least_tried"'
refuses 3 "replay without it" "$carom" replay "$plan"
says 'frog.json:5:18: the plan was made with the extension "own" 1.0, which is not loaded'
says '--load FILE'
refuses 3 "export without it" "$carom" export "$plan" "$dir/frog.csv"
refuses 3 "replay with another version" "$carom" replay "$plan" --load "$bad/second.so"
says 'version 1.0 of the extension "own", and version 2.0 is loaded'
refuses 3 "a mistyped select" "$carom" plan "$scene" --load "$own" --select least_tired
says 'did you mean "least_tried"?'
refuses 3 "an engine that does not know the shapes" "$carom" plan minigolf/windmill --load "$own" --engine bouncer
says 'is neither a ball nor a plane'

# What is no extension, or none for this carom.
refuses 3 "another version" "$carom" list skills --load "$bad/old.so"
says 'old.so: was compiled for carom'
refuses 3 "another symbol" "$carom" list skills --load "$bad/other.so"
says 'its carom_extension is something else'
refuses 3 "no symbol" "$carom" list skills --load "$bad/nothing.so"
says 'it has no symbol carom_extension'
refuses 3 "a name that is taken" "$carom" list skills --load "$bad/taken.so"
says 'skill "wait": the name is taken'
refuses 3 "no name" "$carom" list skills --load "$bad/unnamed.so"
says 'an extension must have a name'
refuses 3 "a function that carom does not have" "$carom" list skills --load "$bad/lost.so"
says 'undefined symbol: cr_not_there; was it made for another version of carom?'
refuses 3 "twice" "$carom" list skills --load "$own" --load "$own"
says 'the extension "own" is there already'
refuses 3 "no file" "$carom" list skills --load "$dir/none.so"
says 'none.so: cannot be opened: No such file'
refuses 3 "a folder" "$carom" list skills --load "$dir"
echo 'not a library' >"$dir/text.so"
refuses 3 "a text" "$carom" list skills --load "$dir/text.so"
head -c 2000 "$own" >"$dir/cut.so"
refuses 3 "a part of it" "$carom" list skills --load "$dir/cut.so"
refuses 2 "no value" "$carom" list skills --load

# The file of the present folder, not one of the system.
cp "$own" "$dir/libm.so.6"
expect "a name without a slash" sh -c "cd '$dir' && '$(realpath "$carom")' list skills --load libm.so.6"
says "hop: "
# A scene cannot load: there is no such key.
sed 's/^name:/load: own.so\nname:/' "$scene" >"$dir/loads.yaml"
refuses 3 "a scene that loads" "$carom" check "$dir/loads.yaml" --load "$own"
says 'unknown key "load"'
conclude
