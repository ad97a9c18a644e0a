#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tree of two levels: sources and lines of each folder. Exit 1 when a folder outside tests/ has more than 25 sources.
# usage: tests/docs/rooms.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
git ls-files '*.c' '*.h' '*.cpp' '*.cu' '*.cuh' | grep -v '^tests/' | xargs wc -l | awk '
$2 != "total" { folder = $2; sub(/[^\/]*$/, "", folder); sources[folder]++; lines[folder] += $1 }
END { for (f in sources) print f, sources[f], lines[f] }' | sort | awk '
{ printf "%-30s %3d sources %6d lines%s\n", $1, $2, $3, ($2 > 25 ? "   above 25" : ""); all += $3; bad = bad || $2 > 25 }
END { printf "%-30s             %6d lines\n", "all", all; exit bad }'
