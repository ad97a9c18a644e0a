#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every name in the code column of common/GLOSSARY.md exists: `type`, `function`, `type.field`, `key.of.case` or a path. Prints
# each missing name; exit 1 then.
# usage: tests/docs/glossary.sh SOURCE_DIR
set -euo pipefail
cd "$1"
bad=0
exists() { grep -rqwF --include='*.[ch]' --include='*.cpp' --include='*.cu' --include='*.cuh' -- "$1" common segment mesh solve post pipeline data; }
while read -r name; do
    [ -e "$name" ] && continue
    for part in ${name//[.\/]/ }; do
        exists "$part" || { echo "common/GLOSSARY.md: '$name': there is no '$part' in the code"; bad=1; }
    done
done < <(awk -F'|' '/^## Words/ { exit } /^\| / && $4 ~ /`/ { print $4 }' common/GLOSSARY.md | grep -o '`[^`]*`' | tr -d '\`' | grep -v '^--' | sort -u)
exit $bad
