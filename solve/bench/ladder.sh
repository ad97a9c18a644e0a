#!/usr/bin/env bash
# What mesh.grid_levels saves. The same steady flow three times: on one lattice from rest in plain steps (lattice velocity 0.1,
# tolerance 1e-6); by the ladder of three lattices with nothing set; and, for the pressure drop that this should find, by
# the ladder in plain steps to 1e-6 (the step and the collision are those of the ladder, which the run from rest has not).
# Prints for each vessel updates of cells (10^6; all lattices and corrections) and seconds of the first two, how many times
# fewer the ladder took, the drop between the openings on its finest lattice, and how far that is from the settled one.
#
#   solve/bench/ladder.sh [--cells N] [--bin DIR] [--keep DIR] [KIND...]
# KIND: of `phantom`; tube curved stenosis. N: cells across, 12 (three minutes on two cores; two lattices are all that 12
# allow in the stenosis); 16 is what solve/STEADY.md quotes. --keep: the cases stay there, and what was solved is taken.
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
    sed '/"ladder"/q' "$1/out/solve/solve.json" | awk -F: '/"pressure_pa"/ { gsub(/[^0-9.e+-]/, "", $2); if (!n++ || $2 > high) high = $2; if (n == 1 || $2 < low) low = $2 } END { printf "%.6g", high - low }'
}
row='%-10s %8s | %10s %7s | %10s %7s | %6s | %10s %9s\n'
printf "$row" vessel cells 'rest, 10^6' s ladder s times 'drop, Pa' 'off by, %'
for kind in "$@"; do
    at=$kind-$cells
    for folder in "$at-rest" "$at-ladder" "$at-settled"; do
        [ -e "$folder/case.yaml" ] || phantom --kind "$kind" --out "$folder" --exact --cells "$cells" >"$folder.log" 2>&1
    done
    pipeline run "$at-rest" --to solve --set 'solve={acceleration: none, max_lattice_velocity: 0.1, tolerance: 1e-6}' >>"$at-rest.log" 2>&1
    pipeline run "$at-ladder" --to solve --set mesh.grid_levels=3 >>"$at-ladder.log" 2>&1
    pipeline run "$at-settled" --to solve --set mesh.grid_levels=3 --set 'solve={acceleration: none, tolerance: 1e-6}' >>"$at-settled.log" 2>&1
    read -r updates seconds <<<"$(sum "$at-rest")"
    read -r fewer sooner <<<"$(sum "$at-ladder")"
    found=$(drop "$at-ladder") settled=$(drop "$at-settled")
    printf "$row" "$kind" "$(number "$at-rest/out/solve/solve.json" cells)" "$updates" "$seconds" "$fewer" "$sooner" \
        "$(awk "BEGIN { printf \"%.1f\", $updates / $fewer }")" "$found" "$(awk "BEGIN { printf \"%.3f\", 100 * ($found / $settled - 1) }")"
done
