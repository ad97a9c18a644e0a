#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One golden run: the commands of a list, then its numbers.
#
#   tests/golden/golden.sh BIN_DIR GOLDEN_PROGRAM LIST [DATA_DIR]
#
# Lines that start with '$' run in bash in a fresh folder, BIN_DIR first in PATH; each must end with 0. golden.c says
# how the other lines are read. The folder is kept, and named, when something fails. "# needs: FILE" skips the list
# where DATA_DIR has no such file; commands know the folders as $DATA and, of the list itself, $HERE.
set -u
bin=$(readlink -f "$1") golden=$(readlink -f "$2") list=$(readlink -f "$3")
HERE=$(dirname "$list") DATA=$(readlink -m "${4:-.}")
export PATH=$bin:$PATH NO_COLOR=1 HERE DATA
for file in $(sed -n 's/^# needs: //p' "$list"); do
    if [ ! -e "$DATA/$file" ]; then
        echo "$file is not there (research data, not part of the repository): skipped"
        exit 77
    fi
done
unset DISPLAY
for program in phantom segment mesh solve post pipeline; do
    if [ $program = segment ] && grep -q -- --exact "$list"; then
        continue
    fi
    if [ ! -x "$bin/$program" ]; then
        echo "$program is not in this build: skipped"
        exit 77
    fi
done
work=$(mktemp -d)
cd "$work" || exit 1
while IFS= read -r line; do
    case $line in '$ '*) ;; *) continue ;; esac
    echo "$line"
    start=$SECONDS
    if ! eval "${line#'$ '}" </dev/null >run.log 2>&1; then
        tail -n 30 run.log
        echo "FAILED: ${line#'$ '}   (in $work)"
        exit 1
    fi
    [ $((SECONDS - start)) -lt 2 ] || echo "  $((SECONDS - start)) s"
done <"$list"
if "$golden" "$list"; then
    rm -rf "$work"
else
    echo "in $work"
    exit 1
fi
