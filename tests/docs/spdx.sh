#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source has a line with the identifier of its license: the first line, in scripts the line after "#!". Prints the
# sources without it, exit 1 then. With --write the line is added; a second run changes nothing. Other files (pages, pictures, data)
# have their license in .reuse/dep5. `reuse lint`, where it is installed, checks all of it.
# usage: tests/docs/spdx.sh SOURCE_DIR [--write]
set -euo pipefail
cd "$1"
mode=${2:-}
id="SPDX-License-Identifier:" # in two parts: reuse must not read this script's text as a license
license="Apache-2.0"
bad=0
while IFS= read -r -d '' file; do
    case $file in
        *.c | *.h | *.cpp | *.cu | *.cuh) line="/* $id $license */" ;;
        *.sh | *.bash | *.py | *.cmake | *CMakeLists.txt | Makefile | .ci/* | .github/*.yml | packaging/Containerfile | packaging/apptainer.def) line="# $id $license" ;;
        *) continue ;;
    esac
    head -n 2 "$file" | grep -qxF "$line" && continue
    if [ "$mode" != --write ]; then
        echo "spdx: $file has no license line (tests/docs/spdx.sh . --write adds it)"
        bad=1
        continue
    fi
    if [ "$(head -c 2 "$file")" = "#!" ]; then
        sed -i "1a $line" "$file"
    elif [ -s "$file" ]; then
        sed -i "1i $line" "$file"
    fi
done < <(git ls-files -z)
if [ "$mode" != --write ] && command -v reuse >/dev/null; then
    reuse lint >"${TMPDIR:-/tmp}/reuse.$$" 2>&1 || { cat "${TMPDIR:-/tmp}/reuse.$$"; bad=1; }
    rm -f "${TMPDIR:-/tmp}/reuse.$$"
fi
exit $bad
