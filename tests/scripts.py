"""What scripts get from --json, and what a mistyped word gets. Usage: scripts.py CAROM SOURCE-FOLDER

Documents are valid, have the keys of docs/json.md and no others, and say what text, tables and plan
files say.
"""

import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

carom, source = sys.argv[1:]
folder = tempfile.TemporaryDirectory()
failures = 0


def expect(what, holds):
    global failures
    if not holds:
        failures += 1
        print("FAILED:", what)


def run(*arguments):
    return subprocess.run([carom, *arguments], capture_output=True)


def ask(code, *arguments):
    """The document that a command prints."""
    done = run(*arguments, "--json")
    expect(f"{arguments}: exit code {done.returncode}, not {code}", done.returncode == code)
    document = json.loads(done.stdout.decode("utf-8"), parse_constant=lambda word: expect(word, False))
    expect(f"{arguments}: exit", document["exit"] == code)
    expect(f"{arguments}: exit code 3 has errors", (code == 3) == (document["errors"] != []))
    documents.setdefault(arguments[0], []).append(document)
    return document


def write(name, text):
    path = os.path.join(folder.name, name)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


documents = {}

# A plan says what its file says, and its replay what the plan says.
path = os.path.join(folder.name, "plan.json")
for arguments in (["bank"], ["double-bank", "--solutions", "3"], ["gate", "--set", "period=3", "--seed", "2"]):
    plan = ask(0, "plan", *arguments, "-o", path)
    with open(path) as file:
        stored = json.load(file)
    for key in ("outcome", "nodes", "steps", "attempts", "tree"):
        expect(f"{arguments}: {key} is in the file", plan[key] == stored[key])
    expect("as many solutions", len(plan["solutions"]) == len(stored["solutions"]))
    expect("found", plan["found"] >= len(plan["solutions"]))
    replay = ask(0, "replay", path, "--events")
    for one, kept, again in zip(plan["solutions"], stored["solutions"], replay["solutions"]):
        for key in ("goal", "steps", "seconds", "score", "turning", "contacts", "hash"):
            expect(f"{arguments}: {key} of a solution", one[key] == kept[key] == again[key])
        expect("branches", one["branches"] == len(kept["branches"]))
        expect("held", again["held"] is True)
    again = ask(0, *plan["repeat"].split()[1:])
    expect("the repeat line repeats", again["tree"] == plan["tree"])

# Events are those of the text, in its order.
lines = [line for line in run("replay", path, "--events").stdout.decode().splitlines() if line[0] == " "]
events = replay["solutions"][0]["events"]
expect("as many events", len(lines) == len(events))
for line, event in zip(lines, events):
    expect(f"{line}: time", f"{event['time']:8.3f}" == line[:8])
    words = event.get("touch") or [event.get("tactic") or event.get("rule") or "goal reached"]
    expect(f"{line}: {words}", all(word in line for word in words))

# A search without a solution, one that breaks a rule, one future.
ask(1, "plan", "windmill", "--steps", "100")
race = ask(0, "plan", "bank", "--portfolio", "3-5")
for chance in ("nature", "planner"):
    luck = ask(0, "plan", "penalty", "--set", "chance=" + chance)["luck"]
    expect(chance, luck["picked_by"] == chance and luck["tactics"] == ["guess"] and luck["futures"] == 200)
    expect("the share lies in its interval", luck["low"] <= luck["held"] / 200 <= luck["high"])
expect("a portfolio names its winner", race["portfolio"]["winner"] in (3, 4, 5) and race["portfolio"]["processes"] == 1
       and f"seed={race['portfolio']['winner']}" in race["repeat"])
simulated = ask(0, "simulate", "bank", "--seconds", "6", "-o", path)
expect("a simulation replays", ask(1, "replay", path)["solutions"][0]["hash"] == simulated["hash"])
ball = "{kind: passive, shape: {sphere: 0.1}, mass: 1, material: m, at: [0, 0, 1]}"
head = "materials: {m: {friction: 0.3, restitution: 0.3}}\n"
falls = write("falls.yaml", head + "bodies: {ball: %s}\nrules: [{never: {speed: [ball, above, 1]}}]\n" % ball)
broken = ask(0, "simulate", falls)
expect("a broken rule", broken["ended_by"] == "rule" and "speed" in broken["broken"]["rule"])
expect("and its event", [event for event in broken["events"] if "rule" in event] != [])
fast = write("fast.yaml", head + "gravity: 900\nbodies: {ball: %s}\n" % ball)
blown = ask(1, "simulate", fast, "-o", path), ask(1, "replay", path)["solutions"][0]
for future in blown:
    expect("a world that blows up", future["blown"] == {"why": "too_fast", "body": "ball"})
    expect("and says so", future["ended_by"] == "engine" and 'body "ball" is faster than' in future["says"])

# A table, as a table.
table = ask(0, "bench", "bank", "--seeds", "3-5")
rows = list(csv.DictReader(io.StringIO(run("bench", "bank", "--seeds", "3-5").stdout.decode())))
expect("as many runs", len(rows) == len(table["runs"]) == table["wanted"] == table["solved"] == 3)
for row, one in zip(rows, table["runs"]):
    expect("columns", list(row) == list(one))
    for key in row:
        expect(f"bench: {key}", key.endswith("seconds") or row[key] == str(one[key]))

# Each search of a varied bench has a scene of its own, and a plan of it is the same search and replays.
varied = ask(0, "bench", "bank", "--vary", "5%", "--seeds", "3-5")
expect("the share", varied["vary"] == 0.05)
expect("draws", all(one["varied"]["drawn"] == one["varied"]["refused"] + 1 for one in varied["runs"]))
expect("other scenes, other trees", all(a["tree"] != b["tree"] for a, b in zip(varied["runs"], table["runs"])))
one = ask(0, "plan", "bank", "--vary", "5%", "--vary-seed", "4", "--seed", "4", "-o", path)
expect("plan and bench", one["tree"] == varied["runs"][1]["tree"])
expect("its line", "--vary 5% --vary-seed 4" in one["repeat"])
expect("it replays", all(solution["held"] for solution in ask(0, "replay", path)["solutions"]))
expect("none", ask(0, "bench", "bank", "--vary", "0%", "--seeds", "3-3")["runs"][0]["tree"] == table["runs"][0]["tree"])
for wrong in ("5", "200%", "-1%", "nan%", "%", "inf%", "5%%", " 5%", "five%"):
    done = run("bench", "bank", "--vary", wrong, "--seeds", "3-3")
    expect(f"--vary {wrong}", done.returncode == 2 and b"--vary" in done.stderr)
expect("a race needs one scene", run("bench", "bank", "--vary", "5%", "--portfolio", "2").returncode == 2)

# Runs in a true world repeat but for times, and add up.
# Recordings are as many as there are shots; a fit says what it was made from, and a broken one breaks it.
recorded = os.path.join(folder.name, "recorded")
shots = ["--shot", "1,0,3,0", "--shot", "1,0,5,0", "--shot", "1,1,-3,-3", "--shot", "1,0.5,-5,-2.5"]
record = ask(0, "record", "bar", *shots, "--seconds", "1", "--number", "carpet.friction=0.7", "-o", recorded)
expect("as many recordings as shots", record["recordings"] == 4 == len(os.listdir(recorded)))
better = os.path.join(folder.name, "better.yaml")
wanted = ["--parameters", "carpet.friction,ball.restitution,wood.restitution"]
fit = ask(0, "fit", "bar", "--from", recorded, *wanted, "--hold-out", "4", "-o", better)
expect("recordings", (fit["recordings"], fit["held_out"]) == (4, 1))
expect("the error shrinks", fit["after"]["total"] < fit["before"]["total"])
expect("parameters", [c["name"] for c in fit["coefficients"] if c["parameter"]] == wanted[1].split(","))
expect("two restitutions that only add up", len(fit["directions"]) >= 1)
with open(better) as file:
    text = file.read()
expect("the scene has the value", f"friction: {fit['coefficients'][0]['value']:.6g}" in text and "was: friction 0.8" in text)
expect("comments are kept", "# 003, table 8.1, before fitting" in text)
ask(0, "check", better)
with open(os.path.join(recorded, "worse.csv"), "w") as file:
    file.write("time,body,x,y\n0,ball,0,0\n1,ball,nan,0\n")
os.remove(better)
bad_fit = ask(3, "fit", "bar", "--from", recorded, *wanted, "-o", better)
expect("where it is broken", bad_fit["errors"][0]["line"] == 3 and bad_fit["errors"][0]["column"] == 8)
expect("nothing is written", not os.path.exists(better))

# A Tactic that is tuned: held-out searches are told, the scene as tuned compiles, and it repeats.
tuned = os.path.join(folder.name, "tuned.yaml")
small = ["--equal", "--candidates", "12", "--runs", "1", "--held-out", "2"]
tune = ask(0, "tune", "attack-1v3", *small, "-o", tuned)
expect("candidates", tune["candidates"] == 12)
expect("held out", tune["held_after"]["runs"] == 2 and tune["after"]["runs"] == 1)
names = [p["name"] for p in tune["parameters"]]
expect("weights, ranges and mu", {"attack.next.get.kick", "attack.kick.speed.low", "plan.mu"} <= set(names))
expect("no foreign Tactic", not any(name.startswith(("steal", "keep", "guard")) for name in names))
ask(0, "check", tuned)
again = ask(0, "tune", "attack-1v3", *small, "--threads", "1", "-o", tuned)
expect("it repeats on one thread", again == tune)
ask(3, "tune", "attack-1v3", "--parameters", "nothing.*", *small)

trials = ask(0, "run", "bank", "--trials", "2")
again = ask(0, "run", "bank", "--trials", "2", "--threads", "2")
for one, other in zip(trials["trials"], again["trials"]):
    for key in one:
        expect(f"run: {key}", key.endswith("seconds") and key != "seconds" or one[key] == other[key])
expect("trials", [one["trial"] for one in trials["trials"]] == [1, 2])
expect("reached", trials["reached"]["count"] == sum(one["goal"] for one in trials["trials"]))
expect("of two", trials["reached"]["of"] == 2 and 0 <= trials["reached"]["low"] < 1)

# Lists have what the text has.
for what in ("scenes", "skills", "conditions", "quantities", "selects", "ranks", "engines", "parameters"):
    names = [item["name"] for item in ask(0, "list", what)[what]]
    text = run("list", what).stdout.decode()
    first = re.findall(r"^[\w/-]+", text, re.M)
    logic = ("all", "count", "once", "stays", "times", "skill") if what == "conditions" else ()
    first = [name for name in first if name not in logic]
    expect(f"list {what}: {names}, {first}", names == first)
own = ask(0, "list", "parameters", "gate")["scene_parameters"]
expect("a scene's own", {"name": "period", "value": "5"} in own)

# Errors have their place; a document comes with every one of them.
ask(0, "check", "windmill")
bad = write("bad.yaml", head + "bodies:\n  ball: %s\n" % ball.replace("mass: 1", "mass: -1"))
error = ask(3, "check", bad)["errors"][0]
expect("where and why", (error["status"], error["line"]) == ("range", 3) and "mass" in error["message"])
torn = write("torn.yaml", "bodies: {ball: [")
for arguments in (["plan", bad], ["bench", bad], ["simulate", bad], ["plan", "no-such-scene"], ["replay", bad],
                  ["replay", "no-such-plan"], ["plan", "bank", "--set", "mue=3"], ["list", "parameters", torn],
                  ["plan", "bank", "-o", os.path.join(folder.name, "no", "such.json")]):
    ask(3, *arguments)
with open(path) as file:
    text = file.read()
cut = write("cut.json", re.sub(r'"hash": "[0-9a-f]*"', '"hash": "0123456789abcdef"', text))
ask(3, "replay", cut)

# Wrong usage has no document, and help is help.
for arguments in (["plan", "--json"], ["plan", "bank", "--json", "--no-such"], ["list", "tactics", "bank", "--json"],
                  ["bench", "bank", "--json", "--format", "csv"], ["list", "skills", "--json", "--markdown"]):
    done = run(*arguments)
    expect(f"{arguments}: usage", done.returncode == 2 and done.stdout == b"")
done = run("plan", "--json", "--help")
expect("help", done.returncode == 0 and done.stdout.startswith(b"usage: carom plan"))

# Names of all sorts come out as they went in.
for name in ('a "quoted" \\ name', "tab\\there", "dé \U0001f3b1", "</script>", "\\u0001\\e[31m"):
    scene = write("name.yaml", 'name: "%s"\n' % name.replace('"', '\\"').replace(" \\ ", " \\\\ ") + head +
                  "bodies: {ball: %s}\n" % ball)
    wanted = name.replace("\\t", "\t").replace("\\u0001\\e", "\1\x1b")
    got = ask(0, "simulate", scene, "--seconds", "0.1")["scene"]
    expect(f"the name {wanted!r}, not {got!r}", got == wanted)
odd = os.fsencode(folder.name) + b"/\xff\xc3(.json"
done = subprocess.run([carom.encode(), b"plan", b"bank", b"--json", b"-o", odd], capture_output=True)
expect("bytes that are no text", json.loads(done.stdout.decode("utf-8"))["wrote"].endswith("/\ufffd\ufffd(.json"))


# The page has the keys that there are. Its section of a command is made of blocks; "..." stands for a solution's keys.
def keys_of(value):
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if isinstance(value, dict):
        return set(value) | keys_of(list(value.values()))
    return set()


def keys_in(page):
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", page, re.M | re.S)
    return set(re.findall(r'"(\w+)":', "".join(text for kind, text in blocks if not kind)))


with open(os.path.join(source, "docs", "json.md")) as file:
    sections = re.split(r"^## ", file.read(), flags=re.M)
pages = {page.split("\n")[0]: keys_in(page) for page in sections[1:]}
solution = pages.pop("A solution")
frame = keys_in(sections[0])
expect("commands of the page", set(pages) == set(documents))
pages["simulate"] |= pages["replay"] - {"solution", "solutions", "held"}  # "as in replay"
for command, keys in pages.items():
    told = frame | keys | (solution if command in ("plan", "simulate", "replay") else set())
    seen = keys_of(documents[command])
    rare = {"broken", "step", "rule", "blown", "why", "body", "wrote", "predicted"} | frame  # not of every command's documents here
    expect(f"{command}: not in docs/json.md: {seen - told}", seen <= told)
    expect(f"{command}: only in docs/json.md: {told - seen - rare}", told - seen <= rare)


# ---------------------------------------------------------------------------------------------
# A mistyped word gets the nearest one.
def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]


def suggests(known, typed, *arguments):
    """Whatever is suggested is as near as anything; and something is."""
    done = run(*arguments)
    found = re.search(rb'did you mean "([^"]*)"\?', done.stderr)
    near = min(distance(typed, word) for word in known)
    best = [word for word in known if distance(typed, word) == near]
    expect(f"{arguments}: {done.stderr.decode()!r}, not one of {best}",
           done.returncode in (2, 3) and found is not None and found[1].decode().lstrip("-") in best)


def slips(word, known):
    """A letter left out, two exchanged, one doubled; of words that are long enough to be recognised then."""
    at = len(word) // 2
    made = (word[:at] + word[at + 1:], word[:at - 1] + word[at] + word[at - 1] + word[at + 1:],
            word[:at] + word[at] + word[at:])
    return [slip for slip in made if len(word) > 2 and slip not in known and "//" not in slip]


tables = run("help", "--bash").stdout.decode()
commands = re.search(r"^_carom_commands='(.*)'", tables, re.M)[1].split("|")
for command in commands:
    for slip in slips(command, commands):
        suggests(commands, slip, slip)
        suggests(commands, slip, "help", slip)
for command, options in re.findall(r"^    (\w+)\)\n.*\n        options='(.*)'$", tables, re.M):
    names = [name.rstrip("=")[2:] for name in options.split() if name.startswith("--")]
    for at, name in enumerate(names):
        for slip in slips(name, names)[at % 2::2]:
            suggests(names, slip, command, "--" + slip)
shipped = [item["name"] for item in documents["list"][0]["scenes"]]
known = shipped + [name.split("/")[1] for name in shipped]
for name in known:
    for slip in slips(name, known):
        suggests(known, slip, "check", slip)
suggests(known, "windmil", "list", "parameters", "windmil")
suggests(["scenes", "skills", "conditions", "parameters", "tactics"], "skils", "list", "skils")
beside = os.path.join(folder.name, "bed.yaml")
expect("a file beside", b'did you mean "' + bad.encode() + b'"?' in run("check", beside).stderr)
for arguments in (["zzzzzz"], ["plan", "--zzzzzz"], ["plan", "zzzzzz"], ["plan", "bank", "-z"]):
    expect(f"nothing is near {arguments}", b"did you mean" not in run(*arguments).stderr)

print("failed" if failures else "all passed")
sys.exit(failures != 0)
