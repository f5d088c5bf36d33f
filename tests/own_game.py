# docs/own-game.md, gone through block by block. Usage: own_game.py CAROM PAGE
#
# A block of yaml replaces the sections that it has in room.yaml, or adds them at the end. A block of console is a list of
# commands with what they print, on either stream; "..." stands for anything.
import os
import re
import subprocess
import sys
import tempfile


def sections(text):
    """The top-level keys of a text with all that stands under each, in order."""
    found = {}
    for line in text.splitlines():
        match = re.match(r'(\w+):', line)
        if match:
            key = match.group(1)
            found[key] = []
        found[key].append(line)
    return found


def matches(pattern, text):
    parts = [re.escape(part) for part in pattern.rstrip().split('...')]
    return re.fullmatch('.*'.join(parts), text.rstrip(), re.DOTALL) is not None


def main(carom, page):
    text = open(page, encoding='utf-8').read()
    blocks = re.findall(r'^```(\w+)\n(.*?)^```', text, re.DOTALL | re.MULTILINE)
    folder = tempfile.mkdtemp()
    scene, ran, failed = {}, 0, 0
    open(os.path.join(folder, 'room.yaml'), 'w').close()
    for kind, body in blocks:
        if kind == 'yaml':
            scene.update(sections(body))
            with open(os.path.join(folder, 'room.yaml'), 'w') as file:
                file.write('\n'.join('\n'.join(lines) for lines in scene.values()) + '\n')
            continue
        for command, expected in re.findall(r'^\$ (.*)\n((?:[^$].*\n)*)', body, re.MULTILINE):
            words = command.split()
            assert words[0] == 'carom', command
            run = subprocess.run([carom] + words[1:], cwd=folder, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, check=False)
            ran += 1
            if not matches(expected, run.stdout):
                failed += 1
                print('FAILED: %s\n--- the page says\n%s--- it prints\n%s' % (command, expected, run.stdout))
    subprocess.run(['rm', '-r', folder], check=False)
    print('%d passed, %d failed' % (ran - failed, failed))
    return 1 if failed or ran < 10 else 0


sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
