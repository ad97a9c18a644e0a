#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The GPU backends of solve and segment on a machine that has a CUDA compiler and a GPU, and none of the imaging libraries: build, tests on
# every device, compute-sanitizer on short runs, speed against the copy bandwidth. One call, exit 0 when all is well.
#
#   solve/gpu_check.sh [--quick | --large | --ranks] [BUILD]
#       --quick: no sanitizer, short measurements; --large: only lattices of more than 2^31 and 2^32 values (32 GB of
#       host memory, 17 GB on the GPU); --ranks: one rank a GPU by mpirun, weak and strong scaling (BUILD/bin is taken as it is where it
#       is there)
set -euo pipefail
cd "$(dirname "$0")/.."
quick=
large=
[ "${1:-}" = --quick ] && { quick=1; shift; }
ranks=
[ "${1:-}" = --large ] && { large=1; shift; }
[ "${1:-}" = --ranks ] && { ranks=1; shift; }
build=${1:-build-gpu}

if [ -n "$ranks" ] && [ -x "$build/bin/solve-bench" ]; then
    gpus=$(nvidia-smi -L | wc -l)
    "$build/tests/test_parts" --gpu # several parts on one GPU, in one process
    if [ -x "$build/bin/solve" ]; then tests/cli/ranks.sh "$build/bin" cuda; fi # files of 1, 2, 3 and 5 ranks
    launch() { # launch N ARGUMENT..: MLUPS
        local n=$1 run=()
        shift
        [ "$n" = 1 ] || run=(mpirun -q --oversubscribe --bind-to none --allow-run-as-root -n "$n")
        "${run[@]}" "$build/bin/solve-bench" --device cuda --seconds 5 "$@"
    }
    for n in 1 2 3 4 8; do
        [ "$n" -le "$gpus" ] || break
        echo "== weak scaling, 25 million cells a GPU, $n GPUs"
        launch "$n" --geometry shang-portal-1 --cells "$((n * 25))e6"
        launch "$n" --geometry shang-portal-1 --cells "$((n * 25))e6" --lattice d3q27
        echo "== strong scaling, the box 586x532x442, $n GPUs"
        launch "$n" --geometry hepatic-portal --longest 586 --wall vlbm
    done
    exit
fi

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_ARCHITECTURES=native >"$build.log" 2>&1 ||
    { tail -20 "$build.log"; exit 1; }
cmake --build "$build" -j "$(nproc)" --target test_backend test_segment_backend test_large solve-bench >>"$build.log" 2>&1 ||
    { grep -E "error|FAILED" "$build.log" | head -20; exit 1; }

if [ -n "$large" ]; then
    "$build/tests/test_large" 1.5e8 float
    "$build/tests/test_large" 2.4e8 half
    "$build/tests/test_large" 2.4e8 half two
    exit
fi

status=0
"$build/tests/test_backend" || status=1
"$build/tests/test_segment_backend" || status=1

if [ -z "$quick" ]; then
    sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
    for tool in memcheck racecheck initcheck; do
        echo "== compute-sanitizer $tool"
        "$sanitizer" --tool "$tool" --error-exitcode 9 "$build/tests/test_backend" --short | tail -4 || status=1
        "$sanitizer" --tool "$tool" --error-exitcode 9 "$build/tests/test_segment_backend" --short | tail -4 || status=1
    done
fi

bench() { "$build/bin/solve-bench" --device cuda --seconds ${quick:+0.}5 "$@"; }
echo "== speed"
bench --geometry shang-portal-1 --cells 1.2e7
bench --geometry shang-portal-1 --cells 1.2e7 --slabs 1
bench --geometry shang-portal-1 --cells 1.2e7 --precision half
bench --geometry shang-portal-1 --cells 1.2e7 --precision half --slabs 1
bench --geometry shang-portal-1 --cells 1.2e7 --wall vlbm
bench --geometry shang-portal-1 --cells 1.2e7 --precision double
bench --geometry shang-portal-1 --cells 1.2e7 --lattice d3q27 # 216 bytes per update
bench --geometry shang-portal-1 --cells 1.2e7 --lattice d3q27 --slabs 1
bench --geometry shang-portal-1 --cells 1.2e7 --lattice d3q27 --precision double
bench --geometry shang-portal-1 --cells 1e6 --lattice d3q27
bench --geometry shang-portal-1 --cells 1e6
bench --geometry shang-portal-1 --cells 1e5
bench --geometry shang-portal-1 --cells 1e6 --precision half
bench --heat --geometry cube --cells 8e6 # two rows: without and with a temperature
bench --heat --geometry shang-portal-1 --cells 1.2e7
bench --heat --geometry cube --cells 4e6 --precision double
exit $status
