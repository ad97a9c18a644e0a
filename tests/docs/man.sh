#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The manual pages that the build makes: every program and command has one with a name, every option of its --help is in it, and
# groff (where it is installed) has nothing to complain of. Prints what is wrong; exit 1 then.
# usage: tests/docs/man.sh BUILD_DIR
set -euo pipefail
bin=$1/bin
bad=0
say() { echo "man: $*"; bad=1; }
n=0
for page in "$1"/share/man/man1/*.1; do
    n=$((n + 1))
    base=$(basename "$page" .1)
    read -r program command <<<"${base/-/ }"
    grep -q '^\.SH NAME$' "$page" && grep -qE '^[a-z]+(\\-[a-z]+)? \\- [a-z].{10,}' "$page" || say "$base has no line with its name"
    for option in $("$bin/$program" $command --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
        grep -qF -- "\\fB${option//-/\\-}\\fR" "$page" || say "$base does not have the option $option"
    done
    if command -v groff >/dev/null; then
        warnings=$(groff -man -ww -Tutf8 "$page" 2>&1 >/dev/null)
        [ -z "$warnings" ] || say "$base: $warnings"
    fi
done
[ $n -ge 1 ] || say "there is no page in $1/share/man/man1"
exit $bad
