#!/bin/sh
# Pages say what is the case: those that the program prints, code, exit codes, folders, the version. Usage: docs.sh CAROM
# SOURCE-FOLDER
set -u
carom=$1 source=$2
sorts='skills conditions quantities selects ranks engines'
renew="for s in $sorts; do build/carom list \$s --markdown; done >docs/skills.md"
if ! for s in $sorts; do "$carom" list "$s" --markdown || exit 1; done | diff "$source/docs/skills.md" -; then
    echo "FAILED: docs/skills.md is not what the program has. Renew it: $renew"
    exit 1
fi
# The C code of docs/adding.md is that of the examples, which are compiled and run.
missing=$(awk '/^```/ {code = $0 == "```c"; next} code && NF' "$source/docs/adding.md" | sed 's/^ *//' |
    while IFS= read -r line; do grep -qF -- "$line" "$source"/examples/own/*.c || echo "$line"; done)
if [ -n "$missing" ]; then
    echo "FAILED: lines of docs/adding.md that are not in examples/own/:"
    echo "$missing"
    exit 1
fi
# What the library needs is named wherever somebody has to know it.
packages=$(sed -n 's/^set(CAROM_NEEDS_NAMES \(.*\))$/\1/p' "$source/install/needs.cmake")
for package in ${packages:-"(no packages in install/needs.cmake)"}; do
    if ! grep -qiw -- "$package" "$source/docs/library.md"; then
        echo "FAILED: docs/library.md does not name $package"
        exit 1
    fi
done
# The exit codes of docs/command-line.md are those of the man page, which are the program's.
missing=$("$carom" help --man |
    awk '/^\.SH/ {on = /EXIT/} on && /^\.B/ {code = $2; getline; print "| " code " | " $0 " |"}' | sed 's/\\-/-/g' |
    while IFS= read -r line; do grep -qF -- "$line" "$source/docs/command-line.md" || echo "$line"; done)
if [ -n "$missing" ]; then
    echo "FAILED: exit codes that docs/command-line.md does not have:"
    echo "$missing"
    exit 1
fi
# The folders of CONTRIBUTING.md are those that there are.
told=$(sed -n 's/^| .\([a-z/]*\)\/. |.*/\1/p' "$source/CONTRIBUTING.md" | sort)
there=$(cd "$source" && find . src -mindepth 1 -maxdepth 1 -type d | sed 's/^\.\///' |
    grep -vx '\..*\|build.*\|out\|src' | sort)
if [ "$told" != "$there" ]; then
    echo "FAILED: CONTRIBUTING.md tells of these folders:" $told
    echo "but there are:" $there
    exit 1
fi
# The version is in the changelog, and the library's name in its page.
version=$("$carom" --version | cut -d ' ' -f 2)
case $version in
0.*) compatible=${version%.*} ;;
*) compatible=${version%%.*} ;;
esac
# has FILE TEXT
has() {
    grep -qF -- "$2" "$source/$1" || { echo "FAILED: no \"$2\" in $1"; exit 1; }
}
has CHANGELOG.md "## $version - "
has docs/library.md "| \`lib/libcarom.so.$compatible\`, "
has docs/library.md "find_package(carom ${version%.*} REQUIRED)"
echo "5 passed, 0 failed"
