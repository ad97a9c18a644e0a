#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The papers' tables of speed, measured on this machine's GPU: build (CMake and a CUDA compiler are enough), check every
# scheme under compute-sanitizer on a small box, then measure every table.
#
#   solve/bench/papers.sh [--quick] [OUT [BUILD [ITEM...]]]     OUT: <item>/measured.csv go there (data/reproduce)
# --quick: no sanitizer, no serial programs.
# measured-cards.csv: shang2023:table5 on 1, 2, 3, 4 GPUs, where there are so many and mpirun.
# measured.csv: the GPU; measured-cpu.csv (wang2015, rinaldi2012, shang2023 tables 2 and 4): one core, as the papers' serial programs.
set -euo pipefail
cd "$(dirname "$0")/../.."
quick=
[ "${1:-}" = --quick ] && { quick=1; shift; }
out=$(realpath -m "${1:-data/reproduce}")
build=$(realpath -m "${2:-build-gpu}")
items=("${@:3}")
[ ${#items[@]} -gt 0 ] || items=(rinaldi2012:table2 gallagher2022:table2 wang2015:table1 cyclic2020:table5
    shang2023:table4 shang2023:table2 shang2023:table5)

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_ARCHITECTURES=native >"$build.log" 2>&1 ||
    { tail -20 "$build.log"; exit 1; }
cmake --build "$build" -j "$(nproc)" --target solve-bench >>"$build.log" 2>&1 ||
    { grep -E "error|FAILED" "$build.log" | head -20; exit 1; }

status=0
schemes() { "$build/bin/solve-bench" --schemes "$@" || status=1; }

schemes --device cuda --check --geometry eye --longest 61 --precision double
schemes --device cuda --check --geometry shang-portal-1 --longest 60 --wall vlbm
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
for tool in memcheck racecheck; do
    [ -z "$quick" ] || break
    "$sanitizer" --tool $tool --error-exitcode 9 "$build/bin/solve-bench" --schemes --device cuda --check \
        --geometry eye --longest 32 2>&1 | tail -3 || status=1
done

serial() { # ITEM SCHEME: one core, as the papers' serial programs
    [ -n "$quick" ] || schemes --device cpu --threads 1 --paper "$1" --only "$2,ours" --seconds 0.4 \
        --csv "$folder/measured-cpu.csv" 2>/dev/null
}

cards() { # 1 to 4 GPUs, as many as there are; the notes but card and date stay as they are
    local file=$folder/measured-cards.csv gpus n row=$folder/row.csv run
    gpus=$(nvidia-smi -L | wc -l)
    [ "$gpus" -ge 2 ] && command -v mpirun >/dev/null || return 0
    { grep -E '^# (item|link|command|limit):' data/reproduce/shang2023-table5/measured-cards.csv
        echo "# card: $(sed -n 's/^# card: //p' "$folder/measured.csv")"
        echo "# date: $(date +%F)"
        echo "ranks,cells,values,MLUPS"
        for n in 1 2 3 4; do
            [ "$n" -le "$gpus" ] || break
            run=()
            [ "$n" = 1 ] || run=(mpirun -q --bind-to none --allow-run-as-root -n "$n")
            "${run[@]}" "$build/bin/solve-bench" --device cuda --geometry hepatic-portal --longest 586 --wall vlbm --csv "$row" >&2
            tail -1 "$row" | awk -F, '{print $(NF-1) "," $5 "," $NF "," $7}'
        done; } >"$file.part" && mv "$file.part" "$file" || status=1
    rm -f "$row"
}

for item in "${items[@]}"; do
    folder=$out/${item/:/-}
    mkdir -p "$folder"
    schemes --device cuda --paper "$item" --seconds 0.4 --csv "$folder/measured.csv" 2>/dev/null
    case $item in
    wang2015*) serial "$item" dense-two-kernels ;;
    rinaldi2012*) serial "$item" dense ;;
    shang2023:table5) cards ;;
    shang2023:table[24]) serial "$item" dense,sparse ;;
    cyclic2020:table5) # table 6 is the memory of the same runs
        mkdir -p "$out/cyclic2020-table6"
        cp "$folder/measured.csv" "$out/cyclic2020-table6/"
        ;;
    esac
done
schemes --device cuda --geometry shang-portal-1 --longest 294 --seconds 0.4 --csv "$out/all-schemes.csv" 2>/dev/null
exit $status
