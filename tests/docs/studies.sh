#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The table in pipeline/reproduce/README.md against studies.c: every study has its row; its files, its case files and
# its page are there (the page not where the row says "not computed yet"). Prints what is not; exit 1 then.
# usage: tests/docs/studies.sh SOURCE_DIR
set -euo pipefail
cd "$1"
bad=0
say() { echo "studies: $*"; bad=1; }
names=$(tr '\n' ' ' <pipeline/reproduce/studies.c | grep -oE '\{"[^"]+",( *("[^"]*"|[A-Z]+|-?[0-9]+),?)+ *study_[a-z_]+(, *true)?\}' | sed 's/^{"\([^"]*\)".*/\1/')
[ "$(wc -l <<<"$names")" -ge 20 ] || say "fewer than 20 studies were found in studies.c"
for name in $names; do
    row=$(grep -F "| \`$name\` |" pipeline/reproduce/README.md) || { say "'$name' has no row in pipeline/reproduce/README.md"; continue; }
    for file in $(cut -d'|' -f3 <<<"$row" | tr -d '\`,'); do
        [ -f "pipeline/$file" ] || say "'$name': there is no pipeline/$file"
    done
    path=${name/:/-}
    [ -d "data/reproduce/$path" ] || say "'$name': there are no case files in data/reproduce/$path"
    [ -f "data/verification/$path.md" ] || [[ $row = *"not computed yet"* ]] ||
        say "'$name': there is no page data/verification/$path.md, and its row does not say \"not computed yet\""
done
for name in $(grep -oE '^\| `[a-z0-9]+:[a-z0-9-]+`' pipeline/reproduce/README.md | tr -d '|\` '); do
    grep -qxF "$name" <<<"$names" || say "pipeline/reproduce/README.md has '$name', studies.c has not"
done
exit $bad
