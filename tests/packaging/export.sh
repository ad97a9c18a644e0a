#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pipeline export of a patient with a DICOM series: the objects satisfy dciodvfy; pydicom finds the voxels inside the wall and the values in the PDF; anonymous objects and the archive hold no word of the patient. Exit 77 without python3-pydicom.
# usage: tests/packaging/export.sh BUILD_DIR
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "$1")
python=/usr/bin/python3
$python -c 'import pydicom, numpy' 2>/dev/null || { echo "export: python3-pydicom is not installed"; exit 77; }
for program in pipeline segment mesh solve post phantom; do
    [ -x "$build/bin/$program" ] || { echo "export: this build has no $program"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
PATH=$build/bin:$PATH
bad=0
say() { echo "export: $*"; bad=1; }
phantom --kind tube --out made --spacing 1.5 --cells 8 2>/dev/null
$python "$here/series.py" made/images/tube.nii.gz Zebrafink_Ottilie/images/secret_series
sed -e 's#images/tube.nii.gz#images/secret_series#; s/tube-phantom/Zebrafink Ottilie/; $a # born 1951-02-03, Zebrafink' made/case.yaml >Zebrafink_Ottilie/case.yaml
dir=Zebrafink_Ottilie
refused() { # refused CODE TEXT COMMAND..
    local code=0
    "${@:3}" >said 2>&1 || code=$?
    [ $code = "$1" ] && grep -qF "$2" said || say "'${*:3}' ends with $code: $(cat said)"
}
refused 2 "give --dicom" pipeline export $dir
refused 2 "needs --dicom" pipeline export $dir --pdf report.pdf --archive a.tar.gz
refused 2 "give it this ending" pipeline export $dir --archive a.zip
refused 3 "are not up to date" pipeline export $dir --dicom out
[ ! -e out ] || say "a refused export leaves a folder"
pipeline run $dir --quiet --set mesh.grid_levels=1 2>said || say "pipeline run fails: $(cat said)"
printf '%%PDF-1.4\n%%%%EOF\n' >report.pdf
refused 3 "is no PDF" pipeline export $dir --dicom refused --pdf said

words='Zebrafink|Ottilie|ID4711777|19510203|1951-02-03|ACC998877|20250304|Doctor|secret_series'
for kind in named anonymous; do
    flag=
    [ $kind = named ] || flag=--anonymous
    pipeline export $dir --dicom $kind $flag 2>said || say "export $kind fails: $(cat said)"
    if command -v dciodvfy >/dev/null; then
        for object in "$kind"/*.dcm; do
            dciodvfy "$object" >verdict 2>&1 || true
            if grep -q '^Error' verdict || ! grep -qE '^(SCImage|EncapsulatedPDF|Segmentation)' verdict; then say "$object: $(cat verdict)"; fi
        done
    else
        echo "export: dciodvfy is not installed (dicom3tools): objects are not validated"
    fi
    $python "$here/objects.py" $dir/images/secret_series $kind $dir/out/segment/phi.nii.gz $kind || bad=1
done
# an anonymous export into a folder with objects that name the patient leaves none of them, and lists the names to check
cp -r named both && cp named/SC0001.dcm both/SC0099.dcm && touch both/notes.dcm
pipeline export $dir --dicom both --anonymous 2>said || say "export into a used folder fails: $(cat said)"
grep -q 'check that none of them names the patient: ' said || say "the names to check are not listed: $(cat said)"
if grep -lE "$words" both/*; then say "named objects of an earlier export stay"; fi
[ -e both/notes.dcm ] || say "export removes files of others"
cp -r named again
refused 3 "is no PDF" pipeline export $dir --dicom again --pdf said
diff -r named again >/dev/null || say "a refused export changes the objects of an earlier one"
pipeline export $dir --dicom given --pdf report.pdf 2>said || say "export with a PDF fails: $(cat said)"
$python - <<'PY' || say "the PDF of the user is not in the object"
import pydicom, sys
d = pydicom.dcmread("given/DOC0001.dcm")
sys.exit(d.EncapsulatedDocument.rstrip(b"\0") != open("report.pdf", "rb").read() or d.BurnedInAnnotation != "YES")
PY
# the segmentation as a mask of our own: its smoothed wall passes the same voxels as pydicom's, of 1.5 mm, to 0.15 mm
sed -e '/^image:/d' -e '/^segment:/,/^openings:/c\segment: {method: labels, labels: {path: ../named/SEG0001.dcm}}\nopenings:' made/case.yaml >made/mask.yaml
segment --case made/mask.yaml --out mask 2>said || say "segment does not read the segmentation: $(cat said)"
$python "$here/objects.py" $dir/images/secret_series named mask/phi.nii.gz named 0.15 || bad=1
grep -qE "$words" named/SEG0001.dcm || say "the search for words of the patient finds none where they are"
if grep -lE "$words" anonymous/*; then say "anonymous objects hold words of the patient"; fi

pipeline export $dir --anonymous --archive Zebrafink.tar.gz 2>said || say "the archive fails: $(cat said)"
tar -xzf Zebrafink.tar.gz
for file in case.yaml ro-crate-metadata.json out/segment/lumen.stl out/mesh/lattice.h5 out/solve/fields.vtkhdf out/post/report.html; do
    [ -s portaflow-case/$file ] || say "the archive has no $file"
done
if grep -rlE "$words" portaflow-case || find portaflow-case | grep -E "$words"; then say "the archive holds words of the patient"; fi
[ -z "$(find . -name '*.part*' -o -name '*.gz.*')" ] || say "temporary files stay"
$python - <<'PY' || bad=1
import json, os, sys
g = {e["@id"]: e for e in json.load(open("portaflow-case/ro-crate-metadata.json"))["@graph"]}
parts = [p["@id"] for p in g["./"]["hasPart"]]
there = sorted(os.path.relpath(os.path.join(d, f), "portaflow-case") for d, _, n in os.walk("portaflow-case") for f in n)
wrong = [k for k in ("name", "description", "datePublished", "license") if k not in g["./"]]
wrong += [p for p in parts if p not in g or int(g[p]["contentSize"]) != os.path.getsize("portaflow-case/" + p)]
wrong += sorted(set(there) ^ set(parts + ["ro-crate-metadata.json"]))
print(*["export: metadata: " + w for w in wrong])
sys.exit(bool(wrong))
PY
# settings with a path are not recorded: an export after such a run needs them again
cp made/truth/mask.nii.gz $dir/images/
settings=(--set mesh.grid_levels=1 --set segment.method=labels --set segment.labels.path=images/mask.nii.gz)
pipeline run $dir --quiet "${settings[@]}" 2>said || say "pipeline run of the mask fails: $(cat said)"
refused 3 "give the --fast and --set of the run" pipeline export $dir --dicom masked
pipeline export $dir --dicom masked --archive masked.tar.gz "${settings[@]}" 2>said || say "export with settings fails: $(cat said)"
[ -s masked/SEG0001.dcm ] && [ -s masked.tar.gz ] || say "export with settings writes nothing"

[ $bad = 0 ] && echo "export: objects and archive are right"
exit $bad
