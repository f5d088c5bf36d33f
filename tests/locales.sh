#!/bin/sh
# Locales with other decimal points than ".", for test_locale, which finds them through LOCPATH. Usage: locales.sh FOLDER
# Where they cannot be made (no localedef, or not the Debian package locales), test_locale says what it skips.
set -u
mkdir -p "$1"
# German as a whole; and U+066B, a point of two bytes, for numbers alone, which is made faster than all of Pashto.
cat >"$1/long" <<'END'
LC_NUMERIC
decimal_point "<U066B>"
thousands_sep "<U066C>"
grouping 3;3
END LC_NUMERIC
END
[ -d "$1/comma.UTF-8" ] || localedef --no-archive -i de_DE -f UTF-8 "$1/comma.UTF-8"
[ -d "$1/long.UTF-8" ] || localedef --no-archive --force --quiet -i "$1/long" -f UTF-8 "$1/long.UTF-8"
[ -d "$1/comma.UTF-8" ] && [ -d "$1/long.UTF-8" ] || echo "not all are made: the package locales is not installed"
