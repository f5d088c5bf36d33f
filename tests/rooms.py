"""The rooms are in order, and what would break the order is found. Usage: rooms.py SOURCE-FOLDER"""
import importlib.machinery
import importlib.util
import os
import re
import sys
import tempfile

source = os.path.abspath(sys.argv[1])
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("rooms", os.path.join(source, "tools/rooms"))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("rooms", loader))
loader.exec_module(tool)
failed = 0


def rooms(verb, folder):
    wrong = tool.run(verb, folder)
    return len(wrong) > 0, "\n".join(wrong)


def expect(what, good, said):
    global failed
    if not good:
        failed += 1
        print(f"FAILED: {what}:\n{said}")


def write(folder, files):
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


# A house in order: each room has a file, and each but the lowest includes one below it.
HOUSE = {
    "CONTRIBUTING.md": "| `src/base/` | errors |\n",
    "include/carom/base.h": "typedef struct cr_thing cr_thing;\n",
    "include/carom/carom.h": '#include "base.h"\n',
    "src/base/base.h": '#include "carom/base.h"\nstruct cr_thing { int x; };\ntypedef struct cri_leaf { int x; } cri_leaf;\n',
    "src/geom/geom.h": '#include "base/base.h"\n',
    "src/scene/scene.c": '#include "geom/geom.h"\ntypedef struct row { int x; } row;\n',
    "src/engine/engine.c": '#include "scene/model.h"\ntypedef struct row { int x; } row; // a file\'s own\n',
    "src/behavior/skills/standing.c": '#include "behavior/behavior.h"\n',
    "src/plan/grow.c": '#include "behavior/behavior.h"\n',
    "src/drive/drive.c": '#include "base/base.h"\n',
    "src/reach/arm.c": '#include "base/base.h"\n',
    "src/export/html.c": '#include "base/base.h"\n',
    "src/library/library.c": '#include "scene/lookup.h"\n',
    "terminal/terminal.h": "#include <carom/carom.h>\n",
    "lab/tables.c": '#include "terminal/terminal.h"\n',
    "cli/commands.h": '#include "terminal/terminal.h"\n',
    "cli/plan.c": '#include "commands.h"\n#include "lab/tables.h"\n',
    "examples/own.c": "#include <carom/carom.h>\n",
    "docs/index.md": "",
}

# What must not be, and what is said of it.
BROKEN = [
    ("src/base/up.c", '#include "scene/model.h"\n', "src/base/up.c:1: includes scene/model.h: scene stands above base"),
    ("src/scene/up.c", '\n#include "plan/planner.h"\n', "src/scene/up.c:2: includes plan/planner.h: plan stands above scene"),
    ("src/behavior/skills/up.c", '#include "plan/tree.h"\n', "plan stands above behavior"),
    ("src/plan/up.c", '#include "library/built_in.h"\n', "library stands above plan"),
    ("src/plan/beside.c", '#include "drive/car.h"\n', "plan and drive stand beside each other"),
    ("src/reach/beside.c", '#  include "drive/car.h"\n', "reach and drive stand beside each other"),
    ("src/geom/lost.c", '#include "nowhere/x.h"\n', "leads to no room"),
    ("src/geom/lost.c", '#include "x.h"\n', "leads to no room"),
    ("src/base/program.c", '#include "terminal/terminal.h"\n', "terminal stands above base"),
    ("cli/inside.c", '#include "plan/planner.h"\n', "cli sees the public headers only"),
    ("lab/inside.c", '#include "base/base.h"\n', "lab sees the public headers only"),
    ("lab/up.c", '#include "cli/commands.h"\n', "cli stands above lab"),
    ("examples/inside.c", '#include "base/base.h"\n', "which is not public"),
    ("include/carom/inside.h", '#include "base/base.h"\n', "which is not public"),
    ("src/cellar/x.c", "", "src/cellar is a room that tools/rooms does not know"),
    ("src/reach/twice.h", "typedef struct cri_leaf { int y; } cri_leaf;\n",
     "type cri_leaf is defined in src/base/base.h and in src/reach/twice.h"),
    ("src/reach/twice.c", "struct cri_leaf {\n    int y;\n};\n", "type cri_leaf is defined in"),
    ("src/reach/twice.c", "typedef enum { A, B\n} cri_leaf;\n", "type cri_leaf is defined in"),
    ("src/reach/twice.c", "typedef double cri_leaf;\n", "type cri_leaf is defined in"),
    ("src/reach/twice.c", "typedef int (*cri_leaf)(void);\n", "type cri_leaf is defined in"),
    ("src/export/arrow.c", '#include "geom/geom.h"\n', "docs/rooms.svg is not what the includes say"),
    ("src/export/arrow.c", '#include "geom/geom.h"\n', "docs/rooms.md is not what the includes say"),
    ("docs/rooms.svg", "", "docs/rooms.svg is not what the includes say"),
]

wrong, said = rooms("check", source)
expect("the rooms", not wrong, said)

for name, text, complaint in BROKEN:
    with tempfile.TemporaryDirectory() as house:
        write(house, HOUSE)
        rooms("draw", house)
        wrong, said = rooms("check", house)
        expect("a house in order", not wrong, said)
        write(house, {name: text})
        wrong, said = rooms("check", house)
        expect(f"{name} with {text!r} wants {complaint!r}", wrong and complaint in said, said)

# What is no definition: a comment, a text, a declaration, a macro that goes on.
with tempfile.TemporaryDirectory() as house:
    write(house, HOUSE)
    write(house, {"src/reach/once.c": '// struct cri_leaf {\nconst char *a = "struct cri_leaf {";\nstruct cri_leaf;\n'
                                      "typedef struct cri_leaf cri_leaf;\n/* typedef int cri_leaf; */\n"})
    rooms("draw", house)
    wrong, said = rooms("check", house)
    expect("a declaration is no definition", not wrong, said)

# The numbers of the contact method stand once: no other file of the engines names one again.
def named_again(name, text):
    return re.search(rf"#define\s+{name}\b|\b(?:float|double|int)\s+(?:[^;(){{]*,\s*)?{name}\s*=|\benum\s*{{[^}}]*\b{name}\s*[=,}}]", text)


with open(os.path.join(source, "src/engine/contact.h"), encoding="utf-8") as file:
    numbers = re.findall(r"^#define\s+(\w+)\s+\(?NUMBER|^enum {\s*(\w+)\s*=", file.read(), flags=re.M)
numbers = [one or other for one, other in numbers]
expect("the numbers of contact.h are found", {"SLOP", "THERE", "CUTS_MAX"} <= set(numbers), numbers)
expect("a number is found where it stands again",
       all(named_again("SLOP", text) for text in ("#define SLOP 1e-5f\n", "static const double A = 1, SLOP = 1e-5;\n",
                                                  "enum { B, SLOP = 3 };\n")), "")
for path in tool.sources(os.path.join(source, "src/engine")):
    with open(path, encoding="utf-8") as file:
        text = tool.bare(file.read())
    if not path.endswith("engine/contact.h"):
        again = [name for name in numbers if named_again(name, text)]
        expect(f"{os.path.relpath(path, source)} takes its numbers from contact.h", not again, again)

print(f"{2 * len(BROKEN) + 4 - failed} passed, {failed} failed")
sys.exit(failed > 0)
