#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every fuzz target for a while, under the sanitizers (clang); what breaks one stays in build-fuzz/found/<target>, exit 1 then.
# usage: tests/fuzz/nightly.sh [SECONDS a target, default 600] [TARGET ...]
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-600}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cd tests/fuzz && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
CC=clang CXX=clang++ cmake -S . -B build-fuzz -G Ninja -DFUZZ=ON -DSANITIZE=ON -DCUDA=OFF >/dev/null # nvcc's linker has no libFuzzer
failed=0
for target in "${targets[@]}"; do
    cmake --build build-fuzz --target "fuzz_$target" >/dev/null || { echo "$target: not in this build"; failed=1; continue; }
    found=build-fuzz/found/$target
    mkdir -p "$found/new"
    if build-fuzz/tests/fuzz_"$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -artifact_prefix="$found/" \
        "$found/new" tests/fuzz/corpus_"$target" >"$found/log" 2>&1; then
        echo "$target: $(grep -c . <(ls "$found/new")) new inputs, $(sed -n 's/^Done \([0-9]*\) runs.*/\1 runs/p' "$found/log"), nothing found"
    else
        echo "$target: FOUND, see $found (log and input)"
        failed=1
    fi
done
exit $failed
