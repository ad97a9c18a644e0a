#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two threads that mesh and solve at once, for ThreadSanitizer: steady flow and a pulse. Both threads have one result.
# usage: tests/library/threads.sh PROGRAM SOURCE_DIR
set -euo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/cli/fixtures.sh
. "$2/tests/cli/fixtures.sh"
export OMP_NUM_THREADS=1 # the solvers set it to 1; the programs of tests/sanitize/threads.sh test the loops over threads
both() {
    "$program" - case.yaml "$1" "$1" "$2"
    cmp "$2_0" "$2_1"
}
pipe_case
both "solve.tolerance=1e-3" steady
pulse_case
both "solve.cycles=1" pulse
