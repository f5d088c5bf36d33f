#!/bin/sh
# How the program ends: exit codes, outputs that cannot be written, interrupts, time, names of strangers.
# Usage: ends.sh CAROM
set -u
carom=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    head -3 "$dir/out" "$dir/err" 2>/dev/null
}

# ended CODE WHAT: the last command ended with $got
ended() {
    if [ "$got" -eq "$1" ]; then pass; else fail "$2: exit code $got, not $1"; fi
}

# expect CODE WHAT COMMAND...: run, compare the exit code; what hangs is cut
expect() {
    code=$1 what=$2
    shift 2
    timeout 60 "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    ended "$code" "$what"
}

# says FILE TEXT WHAT: the last output contains it
says() {
    if grep -qF -- "$2" "$dir/$1"; then pass; else fail "$3: no \"$2\" in $1"; fi
}

# A search that does not end by itself.
endless="--nodes 2000000 --steps 100000000 --solutions 1000000"

"$carom" plan bank -o "$dir/bank.json" >/dev/null 2>&1

# Every command, short: "words" are split where they are used.
commands="--help
--version
help --man
help --bash
list scenes
list skills
list conditions --markdown
list parameters gate
list tactics bank
check bank
plan bank
simulate bank --quiet
replay $dir/bank.json --events
export $dir/bank.json $dir/bank.svg
bench bank --seeds 1-2
bench bank --seeds 1-2 --format ompl
drive list
drive record --tree small5
drive straight-cars --tree small5 --guess goal --seconds 0.2 --nodes 100
reach --books
experiment table-6.4 --quick --runs 1 -o $dir/experiment"

# --- Stdout is a file: full, closed, or a pipe that nobody reads.
echo "$commands" >"$dir/commands"
while read -r words; do
    # shellcheck disable=SC2086
    timeout 60 "$carom" $words >/dev/full 2>"$dir/err"
    got=$?
    ended 3 "$words > /dev/full"
    says err "stdout cannot be written: No space left" "$words > /dev/full"
    # shellcheck disable=SC2086
    timeout 60 "$carom" $words >&- 2>"$dir/err"
    got=$?
    ended 3 "$words >&-"
    # shellcheck disable=SC2086
    {
        while [ ! -e "$dir/gone" ]; do sleep 0.01; done
        timeout 60 "$carom" $words 2>"$dir/err"
        echo $? >"$dir/code"
    } | { exec <&-; : >"$dir/gone"; }
    rm -f "$dir/gone"
    got=$(cat "$dir/code")
    if [ "$got" -le 1 ] && ! grep -q "carom:" "$dir/err"; then pass; else fail "$words | :"; fi
done <"$dir/commands"

# A file that may not grow: the old one stays, nothing is left beside it.
mkdir "$dir/small"
echo old >"$dir/small/plan.json"
message=$(
    ulimit -f 0
    timeout 60 "$carom" plan bank -o "$dir/small/plan.json" 2>&1 >/dev/null
)
case $message in
*"cannot be written: File too large") pass ;;
*) fail "a plan on a full disk: $message" ;;
esac
if [ "$(cat "$dir/small/plan.json")" = old ] && [ "$(ls -A "$dir/small")" = plan.json ]; then
    pass
else
    fail "a plan on a full disk left: $(ls -A "$dir/small")"
fi
for words in "plan bank -o $dir/small/x.csv" "bench bank --seeds 1-2 --plans $dir/small" \
    "drive record --tree small5 -o $dir/small/x.svg" "reach --books -o $dir/small/x.csv" \
    "experiment table-6.4 --quick --runs 1 -o $dir/full"; do
    # shellcheck disable=SC2086
    got=$(
        ulimit -f 0
        timeout 60 "$carom" $words >/dev/null 2>&1
        echo $?
    )
    ended 3 "$words on a full disk"
done

# --- An output that cannot be written is found before the work, which would not end.
track="sharp --nodes 2000000 --horizon 10000"
for path in "$dir/x.txt" "$dir/no/folder/x.csv" "$dir" /proc/x.csv "$dir/bank.json/x.csv"; do
    # shellcheck disable=SC2086
    for words in "plan double-bank $endless" "drive $track" "reach --books --tasks 100000" "simulate windmill"; do
        expect 3 "$words -o $path" "$carom" $words -o "$path"
        if [ -s "$dir/out" ]; then fail "$words -o $path worked before it failed"; else pass; fi
    done
done
for path in "$dir/x.txt" "$dir/no/folder/x.csv" /proc/x.csv; do
    expect 3 "drive record -o $path" "$carom" drive record -o "$path"
    expect 3 "export to $path" "$carom" export "$dir/bank.json" "$path"
done
# shellcheck disable=SC2086
expect 3 "bench --plans" "$carom" bench double-bank $endless --plans "$dir/no/folder"
expect 3 "reach --tables -o" "$carom" reach --tables -o "$dir/no/folder/x.csv"
expect 3 "reach --cache-file" "$carom" reach --books --tasks 100000 --bred --cache-file "$dir/no/folder/x"
expect 3 "experiment -o" "$carom" experiment all -o "$dir/no/folder"
expect 2 "experiment without a name that is known" "$carom" experiment nothing -o "$dir/never"
if [ -e "$dir/never" ]; then fail "an unknown experiment made a folder"; else pass; fi

# A scene without goal, score and Tactic.
cat >"$dir/plain.yaml" <<'SCENE'
materials: {m: {friction: 0.3, restitution: 0.8}}
bodies:
  floor: {kind: static, shape: {box: [4, 4, 0.2]}, material: m, at: [0, 0, -0.1]}
  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, material: m, at: [0, 0, 1]}
SCENE

# --- Interrupts: from the first moment on, by any of the three signals.

program=$(readlink -f "$carom") # timeout listens as well, until it is the program

# interrupt SIGNAL SECONDS COMMAND...: send it once the program listens and so much time has passed
interrupt() {
    signal=$1 pause=$2
    shift 2
    timeout 60 "$@" >"$dir/out" 2>"$dir/err" &
    wrapper=$!
    pid=''
    while kill -0 $wrapper 2>/dev/null; do # timeout's child
        pid=$(tr -d ' ' 2>/dev/null <"/proc/$wrapper/task/$wrapper/children")
        [ -n "$pid" ] && [ "$(readlink "/proc/$pid/exe")" = "$program" ] &&
            grep -q '^SigCgt:.*[2367abef]$' "/proc/$pid/status" 2>/dev/null && break
        sleep 0.02
    done
    sleep "$pause"
    kill -s "$signal" "$pid" 2>/dev/null
    wait $wrapper
    got=$?
}

for signal in INT TERM HUP; do
    # shellcheck disable=SC2086
    interrupt $signal 0.3 "$carom" plan double-bank $endless -o "$dir/cut.json"
    ended 130 "plan, $signal"
    says err "interrupted" "plan, $signal"
    says out "--set attempts=" "plan, $signal"
    timeout 60 "$carom" replay "$dir/cut.json" >"$dir/out" 2>"$dir/err"
    got=$?
    if [ "$got" -le 1 ]; then pass; else fail "replay of a plan cut by $signal: $got"; fi
done
# shellcheck disable=SC2086
interrupt INT 0 "$carom" plan double-bank $endless -o "$dir/cut.json"
ended 130 "plan, at once"
expect_cut() { # WHAT: 130, and both stdout and stderr say so
    ended 130 "$1"
    says err "interrupted" "$1"
    if grep -qi "interrupted" "$dir/out"; then pass; else fail "$1: the table looks whole"; fi
}
interrupt INT 0.3 "$carom" bench bank --seeds 1-1000000
expect_cut "bench"
rows=$(grep -c '^[0-9]' "$dir/out")
says out "# interrupted: $rows of 1000000 searches" "bench"
says err "of $rows solved" "bench"
if grep -q stopped "$dir/out"; then fail "bench counts the search that was cut"; else pass; fi
interrupt TERM 0.3 "$carom" bench bank --seeds 1-1000000 --format ompl
expect_cut "bench --format ompl"
interrupt INT 0.3 "$carom" reach --tables
expect_cut "reach --tables"
interrupt HUP 0.3 "$carom" reach --books --tasks 100 --seeds 1000000
expect_cut "reach --books"
interrupt INT 0.1 "$carom" drive tables
expect_cut "drive tables"
interrupt INT 0 "$carom" drive sharp --tree small5 --nodes 200000 -o "$dir/cut.svg"
ended 130 "drive"
says err "interrupted" "drive"
if grep -q "</svg>" "$dir/cut.svg"; then pass; else fail "an interrupted drive is not saved"; fi
interrupt INT 0.2 "$carom" experiment all -o "$dir/cut"
ended 130 "experiment"
says err "goes on from there" "experiment"
if [ -s "$dir/cut/runs.csv" ]; then pass; else fail "an interrupted experiment has no runs.csv"; fi
interrupt INT 0.1 "$carom" simulate "$dir/plain.yaml" --seconds 33000 --quiet -o "$dir/cut.json"
ended 130 "simulate"
says err "interrupted" "simulate"
expect 0 "replay of what was simulated" "$carom" replay "$dir/cut.json"
interrupt INT 0.1 "$carom" replay "$dir/cut.json"
if [ "$got" -eq 130 ] || [ "$got" -eq 0 ]; then pass; else fail "replay, interrupted: $got"; fi

# --- Fewer than asked for, and never nothing to see.
expect 1 "fewer solutions than asked for" "$carom" plan double-bank --solutions 12 --nodes 3000 -o "$dir/some.json"
says err "of 12 solutions were found" "fewer solutions"
for words in "break --attempts 2" "attack-1v2-reactive --start 7" "windmill --steps 100" "u-shape --nodes 50"; do
    # shellcheck disable=SC2086
    timeout 60 "$carom" plan $words -o "$dir/failed.json" >"$dir/out" 2>"$dir/err"
    timeout 60 "$carom" replay "$dir/failed.json" >"$dir/out" 2>"$dir/err"
    got=$?
    if [ "$got" -le 1 ]; then pass; else fail "replay of plan $words"; fi
    if grep -q "replayed 0 steps" "$dir/out"; then fail "plan $words shows nothing"; else pass; fi
    # shellcheck disable=SC2086
    timeout 60 "$carom" plan $words -o "$dir/failed.csv" >"$dir/out" 2>"$dir/err"
    for ending in svg glb; do
        expect 0 "export of plan $words" "$carom" export "$dir/failed.json" "$dir/failed.$ending"
    done
    if [ "$(cut -d, -f1 "$dir/failed.csv" | sort -u | wc -l)" -gt 2 ]; then pass; else fail "plan $words: one frame"; fi
done
timeout 60 "$carom" plan attack-1v2-reactive --start 7 -o "$dir/failed.json" >"$dir/out" 2>"$dir/err"
got=$?
ended 1 "a plan that failed"
says out "failed: breaks the rule always {inside: [ball, pitch]} at 2.783 s" "a plan that failed"
expect 1 "replay of a plan that failed" "$carom" replay "$dir/failed.json"
says out "failed: breaks the rule always" "replay of a plan that failed"
expect 0 "export of a plan that failed" "$carom" export "$dir/failed.json" "$dir/failed.csv"
if tail -1 "$dir/failed.csv" | grep -q "failed: breaks the rule"; then pass; else fail "a table does not say that it failed"; fi
sed 's/"broken": {"step": [0-9]*/"broken": {"step": 3/' "$dir/failed.json" >"$dir/forged.json"
expect 3 "a rule broken at another step" "$carom" replay "$dir/forged.json"
sed 's/"ended_by": "rule"/"ended_by": "engine"/' "$dir/failed.json" >"$dir/forged.json"
expect 3 "a world that does not blow up" "$carom" replay "$dir/forged.json"

# --- A world that blows up: who, why and when.
cat >"$dir/falls.yaml" <<'EOF'
gravity: 900
bodies:
  crate: {kind: passive, shape: {box: [1, 1, 1]}, mass: 1, at: [0, 0, 0]}
EOF
for engine in lanes ode; do
    expect 1 "a world that blows up" "$carom" simulate "$dir/falls.yaml" --engine $engine -o "$dir/falls.json"
    # 1000 m/s / 900 m/s2 = 1.11 s
    says out 'failed: the world blows up: body "crate" is faster than 1000 m/s at 1.117 s' "simulate, blown up"
    expect 1 "replay of a world that blows up" "$carom" replay "$dir/falls.json"
    says out 'body "crate" is faster than 1000 m/s at 1.117 s' "replay, blown up"
    for change in s/too_fast/spin/ s/too_fast/sleepy/ 's/"body": "crate"/"body": "box"/'; do
        sed "$change" "$dir/falls.json" >"$dir/forged.json"
        expect 3 "blown up in another way ($change)" "$carom" replay "$dir/forged.json"
    done
done
cat >>"$dir/falls.yaml" <<'EOF'
  robot: {kind: controlled, shape: {sphere: 0.1}, mass: 2, at: [9, 0, 0]}
regions: {far: {box: [1, 1, 1], at: [50, 0, 0]}}
tactics: {t: {controls: robot, skills: {wait: {do: wait, seconds: {uniform: [1, 5]}}}}}
goal: {inside: [robot, far]}
EOF
expect 1 "a search that blows up" "$carom" plan "$dir/falls.yaml" --attempts 20
says out 'the last one blew up because body "crate" is faster than 1000 m/s' "plan, blown up"
says out 'failed: the world blows up: body "crate" is faster than 1000 m/s at 1.117 s' "plan, blown up"

# --- Simulate.
expect 0 "a scene without goal, score and Tactic" "$carom" simulate "$dir/plain.yaml" --seconds 2 -o "$dir/plain.json"
says out "floor touches ball" "simulate"
says out "simulated 2.000 s, 120 steps" "simulate"
expect 0 "it replays" "$carom" replay "$dir/plain.json"
expect 0 "twice the same" "$carom" simulate windmill --seed 5 -o "$dir/a.json"
repeat=$(sed -n 's/^repeat: carom //p' "$dir/out")
# shellcheck disable=SC2086
expect 0 "and by its repeat line" "$carom" $repeat -o "$dir/b.json"
if cmp -s "$dir/a.json" "$dir/b.json"; then pass; else fail "the same seed, another future"; fi
expect 2 "until nothing" "$carom" simulate windmill --until never
expect 2 "until a goal that is not there" "$carom" simulate "$dir/plain.yaml" --until goal
expect 0 "behind a broken rule" "$carom" simulate attack-1v2-reactive --start 7 --until horizon -o "$dir/rule.json"
says out "breaks the rule" "behind a broken rule"
expect 1 "it replays behind its broken rule" "$carom" replay "$dir/rule.json"
says out "failed: breaks the rule" "behind a broken rule"

# --- Time: --seconds bounds ranking and writing too, and is repeated by its attempts.
# shellcheck disable=SC2086
expect 1 "--seconds" "$carom" plan double-bank $endless --seconds 0.4 -o "$dir/timed.json"
says out "--set attempts=" "--seconds"
repeat=$(sed -n 's/^repeat: carom //p' "$dir/out")
# shellcheck disable=SC2086
timeout 60 "$carom" $repeat -o "$dir/again.json" >"$dir/out" 2>"$dir/err"
for key in nodes attempts tree; do
    if [ "$(grep "^  \"$key\"" "$dir/timed.json")" = "$(grep "^  \"$key\"" "$dir/again.json")" ]; then
        pass
    else
        fail "the repeat line of --seconds gives other $key"
    fi
done

# --- Files keep their rights, one writer a folder.
echo old >"$dir/private.json"
chmod 600 "$dir/private.json"
ln -s private.json "$dir/link.json"
expect 0 "over a private file" "$carom" plan bank -o "$dir/link.json"
case $(ls -l "$dir/private.json") in
-rw-------*) pass ;;
*) fail "a private file is no more: $(ls -l "$dir/private.json")" ;;
esac
if [ -h "$dir/link.json" ]; then pass; else fail "a link was replaced"; fi
timeout 60 "$carom" experiment all -o "$dir/one" >/dev/null 2>&1 &
wrapper=$!
until [ -s "$dir/one/runs.csv" ] || ! kill -0 $wrapper 2>/dev/null; do sleep 0.05; done
expect 3 "a second experiment in a folder" "$carom" experiment table-6.4 --quick -o "$dir/one"
says err "another experiment writes to" "a second experiment"
kill $wrapper
wait $wrapper 2>/dev/null
expect 0 "the folder is free again" "$carom" experiment table-6.4 --quick --runs 1 -o "$dir/one"

# --- Names of strangers: every place of a scene that holds one, in every command.
# The names end up as \e[31m (an escape), \u009b (the same in one character), a line that looks like ours, and a turn of the
# writing direction.
evil='"\\e[31m\\u009b2J\\nsolved: \\u202eevil"'
names='NAME ABOUT MATERIAL FLOOR BALL ROBOT REGION TACTIC SKILL PARAMETER'
cat >"$dir/names.txt" <<'SCENE'
name: NAME
about: ABOUT
parameters: {PARAMETER: 1}
materials: {MATERIAL: {friction: 0.3, restitution: 0.3}}
bodies:
  FLOOR: {kind: static, shape: {plane: [0, 0, 1]}, material: MATERIAL, at: [0, 0, 0]}
  BALL: {kind: passive, shape: {sphere: 0.1}, mass: 1, material: MATERIAL, at: [0, 0, 0.5]}
  ROBOT: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.1}}, mass: 1, material: MATERIAL, upright: true, at: [1, 0]}
regions: {REGION: {box: [1, 1], at: [3, 0]}}
tactics:
  TACTIC:
    controls: ROBOT
    start: SKILL
    skills:
      SKILL: {do: wait, seconds: {uniform: [0.1, 0.4]}}
      stand: {do: stand}
    next: {SKILL: {stand: 1}}
goal: {inside: [ROBOT, REGION]}
rules: [{never: {inside: [BALL, REGION]}}]
plan: {nodes: 200, horizon: 1}
SCENE
plain() { # WHAT: nothing in the last output that a terminal obeys, no line of a stranger, all of it UTF-8
    cat "$dir/out" "$dir/err" >"$dir/all"
    if LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|^solved: .*evil' "$dir/all" ||
        ! iconv -f UTF-8 -t UTF-8 "$dir/all" >/dev/null 2>&1; then
        fail "$1: raw names"
    else
        pass
    fi
}
sed 's/FLOOR/floor/g' "$dir/names.txt" >"$dir/tame.yaml"
expect 0 "the scene with tame names" "$carom" check "$dir/tame.yaml"
for name in $names; do
    folder="$dir/hostile"
    rm -rf "$folder"
    mkdir -p "$folder/plans" "$folder/scenes/x"
    script="s/\\b$name\\b/$(echo "$evil" | sed 's/\\/\\\\/g')/g"
    sed -e "$script" "$dir/names.txt" >"$folder/scenes/x/a.yaml"
    for other in $names; do
        sed -i "s/\\b$other\\b/$(echo "$other" | tr '[:upper:]' '[:lower:]')/g" "$folder/scenes/x/a.yaml"
    done
    scene="$folder/scenes/x/a.yaml"
    echo "check $scene
plan $scene -o $folder/a.json
replay $folder/a.json --events
simulate $scene -o $folder/b.json
list tactics $scene
list parameters $scene
list scenes
bench $scene --seeds 1-2 --plans $folder/plans
bench $scene --seeds 1-2 --format ompl
export $folder/a.json $folder/a.skills.csv" >"$dir/words"
    while read -r words; do
        # shellcheck disable=SC2086
        CAROM_SCENES="$folder/scenes" timeout 60 "$carom" $words >"$dir/out" 2>"$dir/err"
        got=$?
        plain "$name in ${words%% *}"
        if [ "$got" -gt 3 ]; then fail "$name in ${words%% *}: exit code $got"; fi
        # Names other than the scene's are refused: once by check, once by plan.
        if [ "$got" -eq 3 ] && [ "${words%% *}" = plan ]; then break; fi
    done <"$dir/words"
    case $name in
    NAME | ABOUT) if [ "$got" -eq 0 ]; then pass; else fail "$name is refused"; fi ;;
    esac
done
# A file's name, in a message and in a repeat line; a track's, a robot's.
strange=$(printf '%s/\033[31m\302\2332J\377.csv' "$dir")
echo "0,0,5,5" >"$strange"
for words in "drive" "plan" "replay" "check" "export $dir/bank.json" "reach --books --cache-file" "simulate"; do
    # shellcheck disable=SC2086
    timeout 60 "$carom" $words "$strange" >"$dir/out" 2>"$dir/err"
    plain "a file's name in $words"
done
expect 2 "an option" "$carom" plan "$(printf -- '--\033[31m')"
plain "an option"
sed 's/"name": "bank"/"name": "\\u001b[31m\\u009b"/; s/"repeat": "/&\\u001b[31m/' "$dir/bank.json" >"$dir/strange.json"
expect 0 "a strange plan" "$carom" replay "$dir/strange.json" --events
plain "a strange plan"
sed -i 's/"skill": "[^"]*"/"skill": "\\u001b[31m"/; s/"tactic": "[^"]*"/"tactic": "\\u009b"/' "$dir/strange.json"
expect 3 "a strange Skill" "$carom" replay "$dir/strange.json" --events
plain "a strange Skill"
evil_link='\&#x9b;31m\&#x202e;'
cat >"$dir/robot.urdf" <<'ROBOT'
<robot name="NAME"><link name="base"/><link name="LINK"/>
<joint name="JOINT" type="TYPE"><parent link="base"/><child link="CHILD"/></joint></robot>
ROBOT
for name in NAME LINK JOINT TYPE CHILD; do
    sed "s/$name/$evil_link/" "$dir/robot.urdf" >"$dir/evil.urdf"
    printf 'robot_state: {joint_state: {name: ["\\e[31m"], position: [0]}}\n' >"$dir/evil.yaml"
    timeout 60 "$carom" reach --urdf "$dir/evil.urdf" --scene "$dir/evil.yaml" >"$dir/out" 2>"$dir/err"
    plain "$name of a robot"
    [ -s "$dir/err" ] || fail "$name of a robot: no message"
done
# A name does not lead out of the folder.
mkdir -p "$dir/inner/plans"
for name in ../../x /tmp/x .. . '' a/b; do
    sed "s|^name: .*|name: \"$name\"|" "$dir/plain.yaml" >"$dir/lead.yaml"
    grep -q '^name:' "$dir/lead.yaml" || sed -i "1i name: \"$name\"" "$dir/lead.yaml"
    echo 'goal: {near: [ball, floor, 100]}' >>"$dir/lead.yaml"
    timeout 60 "$carom" bench "$dir/lead.yaml" --seeds 1-1 --plans "$dir/inner/plans" >"$dir/out" 2>"$dir/err"
done
if [ -z "$(find "$dir" /tmp -maxdepth 3 -name 'x-1.plan.json' 2>/dev/null)" ]; then
    pass
else
    fail "a scene's name led out of the folder"
fi
if [ "$(find "$dir/inner" -name '*.plan.json' | wc -l)" -gt 0 ]; then pass; else fail "no plan in the folder"; fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
