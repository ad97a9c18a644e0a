#!/usr/bin/env bash
# An item whose cases may fail still tells of each how it ended: exit 0, or 5 with criteria missed, and that many rows, each with an end
# that solve gave. Whether the criteria are met is the item's own business.
#   ends.sh BIN OUT ITEM SCALE ROWS
set -uo pipefail
bin=$1 out=$2 item=$3 scale=$4 rows=$5
"$bin/pipeline" reproduce "$item" --scale "$scale" --out "$out"
code=$?
page=$out/${item/:/-}.md
[ $code = 0 ] || [ $code = 5 ] || { echo "ends: exit $code"; exit 1; }
n=$(grep -cE '^\| [0-9].*\| (settled|unsteady|not converged|diverged \(exit 5\)) \|' "$page")
[ "$n" = "$rows" ] || { echo "ends: $n of $rows cases say how they ended, in $page"; exit 1; }
[ $code = 0 ] || grep -q '\*\*missed\*\*' "$page" || { echo "ends: exit 5 without a criterion missed"; exit 1; }
