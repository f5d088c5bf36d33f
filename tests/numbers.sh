#!/bin/sh
# No number passes through the locale. Usage: numbers.sh SOURCE-FOLDER
# Of the library only base/number.c reads numbers from text, writes them, or deals with locales: everybody else calls
# cri_number_read, and cri_format, cri_text_add or cri_fail. snprintf remains for texts without a floating point number.
# Nor does anybody ask the C library what a letter or a blank is, which in other locales are more.
# The command line may print as it likes, because it stays in the C locale.
set -u
source=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# offences FILE...: FILE:LINE: CALL, for each call that would depend on the locale
offences() {
    awk '
    # The text of a call from its name to the parenthesis that closes it; quoted ones do not count.
    function call_text(text,    i, c, depth, quoted) {
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "\\") { i++; continue }
            if (c == "\"") quoted = !quoted
            if (!quoted && c == "(") depth++
            if (!quoted && c == ")" && --depth == 0) break
        }
        return substr(text, 1, i)
    }
    function wrong(call,    name) {
        name = call
        sub(/[ (].*/, "", name)
        if (name !~ /^[^v]*printf$/) return 1
        gsub(/%%/, "", call)
        return call !~ /"/ || call ~ /%([0-9]+\$)?[-+ #0]*([0-9]+|\*)?(\.([0-9]+|\*)?)?[lL]?[aAeEfFgG]/
    }
    function look(    rest, line, at, call, before) {
        rest = text; line = 1
        while (match(rest, /[A-Za-z_0-9]+ ?\(/)) {
            before = substr(rest, 1, RSTART - 1); line += gsub(/\n/, "", before)
            rest = substr(rest, RSTART)
            if (rest ~ /^(strto(d|f|ld)|atof|v?[asfdw]*n?w?printf|v?[sfw]*scanf|(set|new|use)locale|localeconv) ?\(/ ||
                rest ~ /^(is(al(num|pha)|blank|cntrl|x?digit|graph|lower|print|punct|space|upper)|to(upp|low)er) ?\(/ ||
                rest ~ /^str(coll|xfrm|n?casecmp|ftime) ?\(/) {
                call = call_text(rest)
                if (wrong(call)) { gsub(/\n */, " ", call); print name ":" line ": " call }
            }
            sub(/^[A-Za-z_0-9]+/, "", rest)
        }
    }
    FNR == 1 { if (name) look(); text = ""; name = FILENAME }
    { if ($0 !~ /^ *\/\//) text = text $0; text = text "\n" }
    END { if (name) look() }' "$@"
}

# The check itself: every line but the first four is an offence.
cat >"$folder/sample.c" <<'END'
    snprintf(text, size, "100%% full (%d) %s", 1, "e");
    // strtod would be wrong here
    cri_format(text, size, "%g", x);
    n = strtol(text, &end, 10);
    x = strtod(text, &end);
    x = (double)strtof (text, &end);
    x = atof(text);
    sscanf(text, "%d", &n);
    vsnprintf(text, size, format, arguments);
    snprintf(text, size, format, x);
    snprintf(text, size, "%s)\"" "%-8.3f", name, x);
    fprintf(file, "%.*e", 3, x); setlocale(LC_ALL, "");
    printf("%d %*Lg", n,
        7, x);
    n = isspace((unsigned char)*text) + tolower(*text);
    n = strncasecmp(a, b, 3);
END
found=$(offences "$folder/sample.c" | cut -d: -f2 | tr '\n' ' ')
if [ "$found" != "5 6 7 8 9 10 11 12 12 13 15 15 16 " ]; then
    echo "FAILED: the check finds offences in lines $found"
    exit 1
fi
bad=$({
    find "$source/src" -name '*.[ch]' ! -path '*/base/number.c' | sort | while read -r file; do offences "$file"; done
    grep -nE '(set|new|use)locale *\(' "$source"/cli/*.[ch] "$source"/lab/*.[ch] "$source"/terminal/*.[ch]
})
if [ -n "$bad" ]; then
    echo "FAILED: calls that depend on the locale; base/number.h has those that do not:"
    echo "$bad"
    exit 1
fi
echo "2 passed, 0 failed"
