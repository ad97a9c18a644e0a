#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An installation that was moved to another folder: the programs find each other, the MPI module and their data; the manual
# pages, the completion and the documentation are there. Exit 77 when a program is missing from this build.
# usage: tests/packaging/install.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$(readlink -f "$1") source=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "install: $*"; bad=1; }
for program in pipeline segment mesh solve post phantom; do
    [ -x "$build/bin/$program" ] || { echo "install: this build has no $program"; exit 77; }
done
cmake --install "$build" --prefix "$work/first" >"$work/log"
mv "$work/first" "$work/moved"
at=$work/moved
unset PORTAFLOW_REPRODUCE_DIR
export OMP_NUM_THREADS=2
cd "$work"

# stages and the MPI module
# shellcheck source=tests/cli/fixtures.sh
. "$source/tests/cli/fixtures.sh"
pipe_case pipe
env -i PATH=/usr/bin:/bin "$at/bin/pipeline" run pipe --quiet 2>"$work/said" || say "pipeline run fails: $(cat "$work/said")"
[ -s pipe/out/post/readouts.json ] || say "pipeline run writes no readouts"
if command -v mpirun >/dev/null && [ -e "$build/bin/solve-mpi.so" ]; then
    [ -e "$at/lib/portaflow/solve-mpi.so" ] || say "the MPI module is missing"
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        "$at/bin/pipeline" run pipe --quiet --from solve --to solve --force --ranks 2 2>"$work/said" || say "two ranks fail: $(cat "$work/said")"
fi

# data: the case of the demo (its stages are tested elsewhere: an image that is no image stops it), the cases of studies
mkdir -p demo/images
echo nothing >demo/images/portal.nii.gz
"$at/bin/pipeline" demo demo >"$work/said" 2>&1 && say "the demo accepts a damaged image"
cmp -s demo/case.yaml "$source/data/portal-demo/case.yaml" || say "the demo has not copied its case"
cmp -s demo/flow/smv.csv "$source/data/portal-demo/flow/smv.csv" || say "the demo has not copied its waveforms"
if command -v python3 >/dev/null; then # the module of 3D Slicer finds the programs beside which it is installed
    found=$(cd "$at/share/portaflow/slicer" && PATH=/usr/bin:/bin python3 -B -c 'from PortaflowLib import patient; print(patient.find_program())')
    [ "$(readlink -f "$found")" = "$(readlink -f "$at/bin/pipeline")" ] || say "the module of 3D Slicer finds '$found'"
fi
diff -r "$source/data/reproduce" "$at/share/portaflow/reproduce" >/dev/null || say "the cases of the studies differ"
mv "$at/share/portaflow" "$work/hidden"
code=0
"$at/bin/pipeline" demo other >"$work/said" 2>&1 || code=$?
[ $code = 6 ] && grep -q "installation is incomplete" "$work/said" || say "without data the demo ends with $code: $(cat "$work/said")"

# manual pages, completion
for page in pipeline pipeline-run pipeline-demo solve segment-ends; do
    gzip -dc "$at/share/man/man1/$page.1.gz" 2>/dev/null | grep -q '^\.SH NAME' || say "no manual page of $page"
done
complete_words() { # complete_words WORDS..: what bash proposes for the last word
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _portaflow_complete "$1" "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
        echo "${COMPREPLY[*]}"' bash "$at/share/bash-completion/completions/$1" "$@"
}
expect() { # expect WORDS_PROPOSED WORDS..
    local got
    got=$(complete_words "${@:2}")
    [ "$got" = "$1" ] || say "completion of '${*:2}' is '$got', not '$1'"
}
expect "run" pipeline ru
expect "--device" pipeline run --dev
expect "cpu cuda" pipeline run --device c
expect "cpu cuda" pipeline run -d c
expect "demo" pipeline de
expect "devices" solve dev
expect "pipe" pipeline run pi
touch lumen.file
expect "lumen.file" segment --case lum
expect "" segment --threads lum
expect "mr-t2" phantom --scanner mr-t
for file in copyright changelog.gz; do
    [ -s "$at/share/doc/portaflow/$file" ] || say "$file is missing"
done
words() { sed 's/^ \.$//' "$1" | tr -s '[:space:]' ' '; }
for package in vtk.js uplot; do # inside view.html; slim images keep of share/doc the file `copyright` alone
    license=$build/view/node_modules/$package/LICENSE
    [ -e "$license" ] || continue
    text=$(words "$license" | sed 's/.*\(Redistribution and use\|Permission is hereby\)/\1/; s/ $//')
    [[ $(words "$at/share/doc/portaflow/copyright") == *"$text"* ]] || say "copyright lacks the licence of $package"
done
[ $bad = 0 ] && echo "install: the moved installation works"
exit $bad
