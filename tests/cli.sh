#!/bin/sh
# The program as a user meets it. Usage: cli.sh CAROM
set -u
carom=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

# expect CODE WHAT COMMAND...: run, compare the exit code
expect() {
    code=$1 what=$2
    shift 2
    "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    if [ "$got" -eq "$code" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: exit code $got, not $code"
        head -5 "$dir/out" "$dir/err"
    fi
}

# says FILE TEXT: the last output contains it
says() {
    if grep -qF -- "$2" "$dir/$1"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: no \"$2\" in:"
        head -5 "$dir/$1"
    fi
}

same() {
    if cmp -s "$1" "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1 and $2 differ"
    fi
}

absent() {
    if [ -z "$(ls "$1"* 2>/dev/null)" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: left behind: $(ls "$1"*)"
    fi
}

# Runs.
expect 0 "a run" "$carom" run bank --threads 1
says out "goal reached: 1 of 1"
says out "repeat: carom run bank"
cp "$dir/out" "$dir/first"
expect 0 "the line that repeats it" sh -c "$(sed -n 's/^repeat: carom/"$0"/p' "$dir/first")" "$carom"
grep '^trial' "$dir/first" >"$dir/a"
grep '^trial' "$dir/out" >"$dir/b"
same "$dir/a" "$dir/b"
expect 1 "a run by the clock" "$carom" run hallway --threads 1 --interval 0.3 --seconds 1 --realtime 4 --predict linear
says out " --set predict=linear "
cp "$dir/out" "$dir/first"
expect 1 "the line that repeats it" sh -c "$(sed -n 's/^repeat: carom/"$0"/p' "$dir/first")" "$carom"
grep '^trial' "$dir/first" >"$dir/a"
grep '^trial' "$dir/out" >"$dir/b"
same "$dir/a" "$dir/b"
expect 2 "searches that are no numbers" "$carom" run bank --searches 3,x
expect 0 "a run as JSON" "$carom" run bank --json --threads 1 --exact --disturb kick_aim=0.1
says out '"reached": {'
expect 0 "a run as a drawing" "$carom" run bank --threads 1 -o "$dir/run.svg"
expect 1 "a run that misses" "$carom" run bank --threads 1 --seconds 0.5
expect 0 "a robust plan" "$carom" plan bank --solutions 2 --robust 10 --threads 1
says out "of 10 disturbed futures"
expect 0 "a robust run" "$carom" run bank --solutions 2 --robust 10 --threads 1
says out "as predicted from disturbed futures: "
expect 2 "an unknown disturbance" "$carom" run bank --disturb angel=1
says err 'did you mean "angle"?'
expect 2 "a strategy that is none" "$carom" run bank --strategy luck
expect 3 "a true world without an engine" "$carom" run bank --truth none

# Help.
expect 0 "help" "$carom" --help
expect 2 "no command" "$carom"
expect 2 "unknown command" "$carom" plam
expect 0 "help of a command" "$carom" help plan
says out "usage: carom plan"
expect 2 "help of no command" "$carom" help plam
expect 0 "man page" "$carom" help --man
says out ".SH COMMANDS"
expect 0 "completion" "$carom" help --bash
says out "_carom_commands="
for command in plan simulate replay check list bench; do
    expect 0 "$command --help" "$carom" $command --help
    says out "usage: carom $command"
    expect 2 "$command without arguments" "$carom" $command
    expect 2 "$command with an unknown option" "$carom" $command x --no-such-option
done

# From a scene to a plan that replays, with any number of threads.
expect 0 "plan" "$carom" plan bank -o "$dir/one.json" --threads 1
says out "solved"
says out "repeat: carom plan bank"
expect 0 "plan with 2 threads" "$carom" plan bank -o "$dir/two.json" --threads 2
expect 0 "plan with 8 threads" "$carom" plan bank -o "$dir/eight.json" --threads 8
same "$dir/one.json" "$dir/two.json"
same "$dir/one.json" "$dir/eight.json"
expect 0 "replay" "$carom" replay "$dir/one.json" --events
says out "goal reached"
says out "golfer: putt"
says out "touches"
expect 2 "replay of a solution that is not there" "$carom" replay "$dir/one.json" --solution 9
expect 0 "the settings reach the plan" "$carom" plan gate --set distance=2.4 --set period=3 --seed 2 -o "$dir/gate.json"
says out "--set distance=2.4"
expect 0 "replay with settings" "$carom" replay "$dir/gate.json"
expect 1 "no plan within the budget" "$carom" plan windmill --steps 100 -o "$dir/best.json"
expect 1 "the best so far is a plan" "$carom" replay "$dir/best.json"
says out "goal not reached"

# A drive writes what drives it again.
expect 1 "a drive that is cut off" "$carom" drive sharp --tree small7 --seconds 20 -o "$dir/drive.inputs.csv"
expect 0 "drive replay" "$carom" drive replay "$dir/drive.inputs.csv"
says out "replayed 500 frames (20.00 s)"
expect 0 "a drive's table as inputs" "$carom" drive record --inputs "$dir/drive.inputs.csv" --threshold 0.5
sed 's/^\([0-9.]*\),[^,]*,/\1,9,/' "$dir/drive.inputs.csv" >"$dir/steered.inputs.csv"
expect 1 "drive replay of other inputs" "$carom" drive replay "$dir/steered.inputs.csv"
expect 3 "drive replay of a plan" "$carom" drive replay "$dir/one.json"
expect 3 "a plan has no inputs" "$carom" export "$dir/one.json" "$dir/one.inputs.csv"
says err "there are no inputs to write here"

# Stopping by hand writes the best so far.
"$carom" plan double-bank --nodes 10000000 --solutions 1000000 -o "$dir/stopped.json" >"$dir/out" 2>"$dir/err" &
pid=$!
# A background job ignores Ctrl-C until it says that it listens; on a busy machine that takes a while.
until grep -q '^SigCgt:.*[2367abef]$' "/proc/$pid/status" || ! kill -0 $pid 2>/dev/null; do
    sleep 0.1
done
sleep 1
kill -INT $pid
wait $pid
says out "stopped"
says out "--set attempts="
expect 0 "replay of a stopped search" "$carom" replay "$dir/stopped.json" --solution 1

# Tables and lists.
expect 0 "bench" "$carom" bench bank --seeds 1-3
says out "seed,select,engine,outcome,nodes,steps,attempts,seconds,select_seconds,behavior_seconds,engine_seconds,tree"
says err "3 of 3 solved"
expect 0 "bench for OMPL" "$carom" bench bank --seeds 1-3 --format ompl
says out "Experiment bank"
says out "carom_bgt"
cp "$dir/out" "$dir/bench.log"
if command -v ompl_benchmark_statistics >/dev/null; then
    expect 0 "OMPL reads the log" ompl_benchmark_statistics -d "$dir/bench.db" "$dir/bench.log"
    says out "Parsing data for carom_bgt"
    if [ -s "$dir/err" ]; then
        failed=$((failed + 1))
        echo "FAILED: OMPL complains:"
        cat "$dir/err"
    fi
else
    echo "skipped: no ompl_benchmark_statistics (package ompl-demos) to read the log with"
fi
expect 2 "bench in no format" "$carom" bench bank --format xml
expect 2 "bench with a bad range" "$carom" bench bank --seeds 3-1
for what in scenes skills conditions parameters; do
    expect 0 "list $what" "$carom" list $what
done
expect 0 "list parameters of a scene" "$carom" list parameters gate
says out "period"
expect 2 "list of nothing known" "$carom" list zebras
expect 0 "list skills as markdown" "$carom" list skills --markdown
says out "| parameter |"
expect 2 "scenes are not listed as markdown" "$carom" list scenes --markdown
expect 0 "check" "$carom" check windmill

# Bad input: a located message, exit code 3, nothing written.
bad() {
    name=$1 message=$2
    expect 3 "$name" "$carom" plan "$dir/$name.yaml" -o "$dir/never.json"
    says err "$message"
    absent "$dir/never.json"
}
body='ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, material: m, at: [0, 0]}'
material='materials: {m: {friction: 0.3, restitution: 0.3}}'
expect 3 "missing file" "$carom" plan "$dir/missing.yaml"
says err "missing.yaml: cannot be opened"
mkdir "$dir/folder.yaml"
bad folder "is a folder"
: >"$dir/empty.yaml"
bad empty "empty.yaml"
truncate -s 100M "$dir/zeros.yaml"
bad zeros "at most"
printf '%0100000d' 0 | tr 0 '[' >"$dir/deep.yaml"
bad deep "deep.yaml:1:"
printf '%s\nbodies:\n  %s\n' "$material" "$(echo "$body" | sed 's/mass: 1/mass: .nan/')" >"$dir/nan.yaml"
bad nan "nan.yaml:3:"
printf '%s\nbodies:\n  %s\n' "$material" "$(echo "$body" | sed 's/mass: 1/mass: 1e999/')" >"$dir/infinite.yaml"
bad infinite "infinite.yaml:3:"
printf '%s\nbodies:\n  %s\n' "$material" "$(echo "$body" | sed 's/mass: 1/mass: -1/')" >"$dir/negative.yaml"
bad negative "mass must be"
printf '%s\nbodies:\n  %s\ntactics: {t: {controls: ball, start: a, skills: {a: {do: wiat, seconds: 1}}}}\n' "$material" "$body" >"$dir/skill.yaml"
bad skill 'did you mean "wait"?'
printf '%s\nbodies:\n  %s\ngoal: {speed: [bal, below, 1]}\n' "$material" "$body" >"$dir/goal.yaml"
bad goal 'did you mean "ball"?'
printf '%s\nbodies:\n  %s\n  %s\n' "$material" "$body" "$(echo "$body" | sed 's/ball/box/; s/\[0, 0\]/[0.1, 0]/')" >"$dir/inside.yaml"
bad inside "inside"
# What speaks against a search is said by check and plan alike, with its line.
printf '%s\nbodies:\n  %s\nregions: {r: {sphere: 3}}\nrules: [{never: {inside: [ball, r]}}]\n' "$material" "$body" >"$dir/futile.yaml"
for word in "futile.yaml:5:9: the start breaks the rule" 'needs a "goal:" or a "score:"' "needs somebody to act"; do
    bad futile "$word"
    expect 3 "checking futile" "$carom" check "$dir/futile.yaml"
    says err "$word"
done
expect 0 "rrt without a sample" "$carom" check break --select rrt
says err 'warning: select rrt without a "sample:"'
expect 3 "an unknown parameter" "$carom" plan bank --set mue=3
says err 'did you mean "mu"?'
expect 3 "a parameter out of range" "$carom" plan bank --mu -3
sed 's/"version": 1/"version": 99/' "$dir/one.json" >"$dir/version.json"
expect 3 "a plan of another version" "$carom" replay "$dir/version.json"
says err "version 99"
head -c 2000 "$dir/one.json" >"$dir/truncated.json"
expect 3 "a truncated plan" "$carom" replay "$dir/truncated.json"
says err "truncated.json:"
expect 3 "an output that cannot be written" "$carom" plan bank -o "$dir/no/such/folder/plan.json"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
