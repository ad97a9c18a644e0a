#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a stage refuses, `pipeline check` finds before it runs. Each line of the table: "text of check | fixture". In a fresh folder
# `check` ends with exit code 3, says the text and writes nothing; then `run` fails, too (in whichever stage), so that no line
# is of something that works.
#
#   tests/cli/refused.sh BIN_DIR SOURCE_DIR TABLE
set -u
bin=$(readlink -f "$1")
source=$(readlink -f "$2")
table=$3
PATH=$bin:$PATH
export SOURCE=$source BIN=$bin PATH NO_COLOR=1
for program in segment mesh solve post; do
    [ -x "$bin/$program" ] || { echo "$program is not in this build: skipped"; exit 77; }
done
# shellcheck source=tests/cli/fixtures.sh
. "$source/tests/cli/fixtures.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 passed=0 number=0

complain() {
    echo "FAILED $table:$number: $fixture"
    echo "    $1"
    sed 's/^/    | /' "$work/said" | tail -n 8
    failed=$((failed + 1))
}

while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in '' | '#'*) continue ;; esac
    text=${line%% | *} fixture=${line#* | }
    rm -rf "$work/here"
    mkdir "$work/here"
    cd "$work/here" || exit 1
    eval "$fixture" >"$work/said" 2>&1 || { complain "the fixture failed"; continue; }
    find . | sort >"$work/before"
    pipeline check . >"$work/said" 2>&1 </dev/null
    code=$?
    if [ $code != 3 ]; then complain "check ended with exit code $code, expected 3"; continue; fi
    if ! grep -qF -e "$text" "$work/said"; then complain "check does not say '$text'"; continue; fi
    if ! find . | sort | cmp -s - "$work/before"; then complain "check wrote something"; continue; fi
    if pipeline run . >"$work/said" 2>&1 </dev/null; then complain "run works, check refuses it"; continue; fi
    passed=$((passed + 1))
done <"$table"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
