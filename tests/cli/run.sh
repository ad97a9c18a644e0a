#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run a table of command lines: each must end with its exit code and say its text.
#
#   tests/cli/run.sh BIN_DIR SOURCE_DIR TABLE...
#
# A line of a table is     exit code | text that must appear (fixed, case matters) | command
# The command runs in bash in a fresh empty folder with BIN_DIR first in PATH and the functions of fixtures.sh; `%` at
# the start of the text means the text must NOT appear. Beside exit code and text every line is held to this:
# a command that fails says exactly one sentence "<program>: ...", nobody crashes, and no *.part file stays behind.
# A table whose program is not in this build is skipped (exit 77), and so is a line that calls another
# program that is not, or whose command ends with 77.
# Lines that take 5 s or more are listed with their time.
set -u
bin=$(readlink -f "$1")
source=$(readlink -f "$2")
shift 2
PATH=$bin:$PATH
export SOURCE=$source BIN=$bin PATH NO_COLOR=1
unset DISPLAY
# shellcheck source=tests/cli/fixtures.sh
. "$source/tests/cli/fixtures.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 passed=0 skipped=0

# A program that this build lacks (no ITK, no VTK) makes its line one that is skipped.
incomplete=
for program in pipeline segment mesh solve post phantom; do
    # shellcheck disable=SC2016
    [ -x "$bin/$program" ] || { incomplete=1; eval "$program"'() { touch "$work/absent"; return 77; }'; }
done

trim() { local t=$1; t=${t#"${t%%[![:space:]]*}"}; printf '%s' "${t%"${t##*[![:space:]]}"}"; }

complain() {
    echo "FAILED $table:$number: $command"
    echo "    $1"
    sed 's/^/    | /' "$work/said" | tail -n 15
    failed=$((failed + 1))
}

check_line() {
    local code=$1 text=$2
    if [ "$got" = 77 ]; then
        skipped=$((skipped + 1))
        echo "skipped $table:$number: $command"
        return
    fi
    if [ "$got" != "$code" ]; then complain "exit code $got, expected $code"; return; fi
    if [ "${text#%}" != "$text" ]; then
        if grep -qF -e "${text#%}" "$work/said"; then complain "says '${text#%}', which it must not"; return; fi
    elif ! grep -qF -e "$text" "$work/said"; then complain "does not say '$text'"; return; fi
    if [ -n "$(find "$work/here" -name '*.part*' 2>/dev/null)" ]; then complain "left a .part file behind"; return; fi
    if [ "$code" != 0 ] && ! tail -n 40 "$work/said" | grep -qE '^(pipeline|segment|mesh|solve|post|phantom)( bench| devices| ends| measure| probe| plot)?: '; then
        complain "no sentence '<program>: ...' at its end"
        return
    fi
    passed=$((passed + 1))
}

run_table() {
    number=0
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        line=$(trim "$line")
        case $line in '' | '#'*) continue ;; esac
        code=$(trim "${line%%|*}")
        rest=${line#*|}
        text=$(trim "${rest%%|*}")
        command=$(trim "${rest#*|}")
        chmod -R u+w "$work/here" 2>/dev/null
        rm -rf "$work/here"
        mkdir "$work/here"
        start=$SECONDS
        (cd "$work/here" && eval "$command") >"$work/said" 2>&1 </dev/null
        got=$?
        [ ! -e "$work/absent" ] || got=77
        rm -f "$work/absent"
        [ $((SECONDS - start)) -lt 5 ] || echo "$((SECONDS - start)) s $table:$number"
        check_line "$code" "$text"
    done <"$table"
}

for table in "$@"; do
    program=$(basename "$table" .txt)
    if [ ! -x "$bin/$program" ] || [ "$program$incomplete" = pipeline1 ]; then # pipeline runs all others
        echo "$program or a stage is not in this build: skipped"
        exit 77
    fi
    run_table
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
