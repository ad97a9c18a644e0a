#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Saving by mesh.grid_levels. Each vessel is computed three times:
#   rest     one lattice from rest, no acceleration, lattice velocity 0.1, tolerance 1e-6
#   levels   grid sequence of three levels, default settings but collision trt
#   settled  grid sequence of three levels, no acceleration, tolerance 1e-6: the reference of the pressure drop
# Prints for each vessel the cell updates (10^6, all lattices and corrections) and seconds of the first two, their ratio, the
# pressure drop between the openings on the finest lattice of `levels`, and its difference from `settled`.
#
#   solve/bench/grid_sequence.sh [--cells N] [--bin DIR] [--keep DIR] [KIND...]
# KIND: of `phantom`; default tube curved stenosis. N: cells per diameter, default 12 (three minutes on two cores; the
# stenosis then has two levels). --keep DIR: the cases stay in DIR, and finished ones are not computed again.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
cells=12 bin=$here/build/bin work=''
while [ $# -gt 0 ]; do
    case $1 in
    --cells) cells=$2 && shift 2 ;;
    --bin) bin=$(realpath "$2") && shift 2 ;;
    --keep) work=$(realpath -m "$2") && shift 2 ;;
    -*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" && exit 2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || set -- tube curved stenosis
[ -n "$work" ] || { work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT; }
export PATH=$bin:$PATH
mkdir -p "$work" && cd "$work"

# the first value of a key in a file of JSON, 0 where there is none
number() { # FILE KEY
    awk -F: -v key="\"$2\"" 'index($0, key ":") { gsub(/[^0-9.e+-]/, "", $2); print $2; found = 1; exit } END { if (!found) print 0 }' "$1"
}
# updates (10^6) and seconds of all runs of a case
sum() { # FOLDER
    local file
    for file in "$1"/out/solve/level?.json "$1"/out/solve/solve.json; do
        [ ! -e "$file" ] || echo "$(number "$file" steps) $(number "$file" cells) $(number "$file" correction_cell_updates) $(number <(sed '1,/"result"/d' "$file") seconds)"
    done | awk '{ all += ($1 * $2 + $3) / 1e6; s += $4 } END { printf "%.1f %.1f", all, s }'
}
# largest difference of the openings' pressures on the finest lattice
drop() { # FOLDER
    sed '/"grid_sequence"/q' "$1/out/solve/solve.json" | awk -F: '/"pressure_pa"/ { gsub(/[^0-9.e+-]/, "", $2); if (!n++ || $2 > high) high = $2; if (n == 1 || $2 < low) low = $2 } END { printf "%.6g", high - low }'
}
row='%-10s %8s | %10s %7s | %10s %7s | %6s | %10s %9s\n'
printf "$row" vessel cells 'rest, 10^6' s levels s times 'drop, Pa' 'error, %'
for kind in "$@"; do
    at=$kind-$cells
    for folder in "$at-rest" "$at-levels" "$at-settled"; do
        [ -e "$folder/case.yaml" ] || phantom --kind "$kind" --out "$folder" --exact --cells "$cells" >"$folder.log" 2>&1
    done
    pipeline run "$at-rest" --to solve --set 'solve={collision: trt, acceleration: none, max_lattice_velocity: 0.1, tolerance: 1e-6}' >>"$at-rest.log" 2>&1
    pipeline run "$at-levels" --to solve --set mesh.grid_levels=3 --set solve.collision=trt >>"$at-levels.log" 2>&1
    pipeline run "$at-settled" --to solve --set mesh.grid_levels=3 --set 'solve={collision: trt, acceleration: none, tolerance: 1e-6}' >>"$at-settled.log" 2>&1
    read -r updates seconds <<<"$(sum "$at-rest")"
    read -r fewer sooner <<<"$(sum "$at-levels")"
    found=$(drop "$at-levels") settled=$(drop "$at-settled")
    printf "$row" "$kind" "$(number "$at-rest/out/solve/solve.json" cells)" "$updates" "$seconds" "$fewer" "$sooner" \
        "$(awk "BEGIN { printf \"%.1f\", $updates / $fewer }")" "$found" "$(awk "BEGIN { printf \"%.3f\", 100 * ($found / $settled - 1) }")"
done
