#!/usr/bin/env bash
# One golden run: the commands of a list, then its numbers.
#
#   tests/golden/golden.sh BIN_DIR GOLDEN_PROGRAM LIST
#
# Lines that start with '$' run in bash in a fresh folder, BIN_DIR first in PATH; each must end with 0. golden.c says
# how the other lines are read. The folder is kept, and named, when something fails.
set -u
bin=$(readlink -f "$1") golden=$(readlink -f "$2") list=$(readlink -f "$3")
export PATH=$bin:$PATH NO_COLOR=1
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
    if ! eval "${line#'$ '}" </dev/null >run.log 2>&1; then
        tail -n 30 run.log
        echo "FAILED: ${line#'$ '}   (in $work)"
        exit 1
    fi
done <"$list"
if "$golden" "$list"; then
    rm -rf "$work"
else
    echo "in $work"
    exit 1
fi
