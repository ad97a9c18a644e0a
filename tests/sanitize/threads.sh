#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The loops over threads (solve's CPU backend, the level set's relaxation, mesh), and two solvers of libportaflow, under ThreadSanitizer.
# usage: tests/sanitize/threads.sh [BUILD_DIR, default build-thread] [JOBS]
# clang with LLVM's OpenMP (libomp-dev): its tool archer tells the sanitizer of parallel regions, barriers and reductions.
# gcc's libgomp does not, and every loop would be reported. Libraries that are not built here are left out.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build-thread} jobs=${2:-$(nproc)}
tests='(test_(backend|state|anderson|lbm_threads|voxelize|redistance|section|potential_flow|shape_grid|spline|wall_surface)|library_threads)'
archer=$(find /usr/lib/llvm-*/lib -name libarcher.so 2>/dev/null | sort -V | tail -n 1)
if ! command -v clang >/dev/null || [ -z "$archer" ]; then
    echo "sanitize: clang with archer is missing: apt-get install clang libomp-dev" >&2
    exit 1
fi
CC=clang CXX=clang++ cmake -S . -B "$build" -G Ninja -DSANITIZE=thread -DCUDA=OFF >/dev/null
mapfile -t targets < <(ctest --test-dir "$build" -N -R "^($tests)\$" | sed -n 's/^ *Test *#[0-9]*: //p')
cmake --build "$build" -j "$jobs" --target "${targets[@]}" >/dev/null
export OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=$archer TSAN_OPTIONS="ignore_noninstrumented_modules=1 exitcode=66 ${TSAN_OPTIONS:-}"
ctest --test-dir "$build" --output-on-failure -R "^($tests)\$"
