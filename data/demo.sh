#!/usr/bin/env bash
# The demo: a synthetic patient from its MR image to readouts and report.
#
#   data/demo.sh BIN_DIR EXAMPLE_DIR PATIENT_DIR
#
# Copies the example (case.yaml, flow/) to PATIENT_DIR unless it is there already, draws its image once, and runs the
# pipeline, which skips what is up to date and prints times, readouts and where the report lies.
set -euo pipefail
if [ $# != 3 ]; then
    echo "demo: usage: data/demo.sh BIN_DIR EXAMPLE_DIR PATIENT_DIR" >&2
    exit 2
fi
bin=$1 example=$2 patient=$3
mkdir -p "$patient"
[ -e "$patient/case.yaml" ] || cp -R "$example/case.yaml" "$example/flow" "$patient/"
if [ ! -e "$patient/images/portal.nii.gz" ]; then
    "$bin/phantom" --kind portal --out "$patient" --keep-case --spacing 1x1x1.5 --snr 15 --bias 0.2 --seed 1
fi
exec "$bin/pipeline" run "$patient"
