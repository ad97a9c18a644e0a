#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Solves every lattice below FOLDER that has no solution yet: for a machine with a GPU on which nothing but `solve` is built. What
# was solved or has failed there is not tried again; a run that was killed goes on from its checkpoint.
#
#   pipeline reproduce verify:cohort --to mesh --out O                                     here: the lattices
#   solve_elsewhere.sh build/bin/solve O/cases/verify-cohort --device cuda                 there (copy the folder)
#   pipeline reproduce verify:cohort --to mesh --out O                                     here, copied back: the tables
#
# FIELDS=no deletes each fields.vtkhdf, which fills most of the disk: drop and split need none, wall shear stress does.
set -uo pipefail
[ $# -ge 2 ] || { echo "usage: $0 SOLVE FOLDER [options of solve]" >&2; exit 2; }
solve=$(realpath "$1") folder=$2
shift 2
for lattice in "$folder"/*/out/mesh/lattice.h5; do
    case=${lattice%/out/mesh/lattice.h5} log=$case/out/log/solve.log set=()
    [ -e "$lattice" ] || { echo "$0: no lattice below '$folder'" >&2; exit 3; }
    [ "$log" -nt "$lattice" ] && grep -q '^# ended with exit code' "$log" && continue
    mkdir -p "$case/out/solve" "$case/out/log"
    while IFS= read -r line; do set+=(--set "$line"); done <"$case/set.txt"
    [ -e "$case/out/solve/checkpoint.h5" ] && set+=(--resume)
    (cd "$case" && "$solve" --case case.yaml --in out/mesh --out out/solve "${set[@]}" "$@") >"$log" 2>&1
    code=$?
    [ $code -ge 128 ] && exit $code
    echo "# ended with exit code $code" >>"$log"
    [ "${FIELDS:-yes}" = no ] && rm -f "$case/out/solve/fields.vtkhdf"
    echo "$(basename "$case"): exit $code, $(tail -2 "$log" | head -1)"
done
exit 0
