#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `pipeline treat` on tubes with known resistances: a stenosis dilated and a branch closed give the plain tube, a shunt
# gives parallel resistances, a stent to a new opening (TIPS) shares the flow with the liver; wrong treatments are refused.
#   treat.sh BIN
set -uo pipefail
bin=$(cd "$1" && pwd)
for program in segment mesh solve post pipeline; do
    [ -x "$bin/$program" ] || { echo "skipped: $program is not there"; exit 77; }
done
PATH=$bin:$PATH
export NO_COLOR=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# tubes FILE NX NY NZ TUBE..: a mask with voxels of 0.5 mm, 1 in each tube "x1 y1 z1 x2 y2 z2 radius [waist z]": with z
# the tube is half as wide there.
tubes() {
    local file=$1 nx=$2 ny=$3 nz=$4
    shift 4
    {
        printf 'NRRD0004\ntype: uint8\ndimension: 3\nspace: left-posterior-superior\nsizes: %d %d %d\n' "$nx" "$ny" "$nz"
        printf 'space directions: (0.5,0,0) (0,0.5,0) (0,0,0.5)\nspace origin: (0,0,0)\nencoding: text\n\n'
        printf '%s\n' "$@" | awk -v nx="$nx" -v ny="$ny" -v nz="$nz" '
            { for (a = 1; a <= 8; a++) t[NR, a] = $a; waist[NR] = NF > 7 }
            function inside(x, y, z,    k, s, d, r, l) {
                for (k = 1; k <= NR; k++) {
                    l = (t[k,4]-t[k,1])^2 + (t[k,5]-t[k,2])^2 + (t[k,6]-t[k,3])^2
                    s = ((x-t[k,1])*(t[k,4]-t[k,1]) + (y-t[k,2])*(t[k,5]-t[k,2]) + (z-t[k,3])*(t[k,6]-t[k,3])) / l
                    s = s < 0 ? 0 : s > 1 ? 1 : s
                    d = (x-t[k,1]-s*(t[k,4]-t[k,1]))^2 + (y-t[k,2]-s*(t[k,5]-t[k,2]))^2 + (z-t[k,3]-s*(t[k,6]-t[k,3]))^2
                    r = t[k,7] * (waist[k] ? 1 - 0.5 * exp(-((z-t[k,8])/2)^2) : 1)
                    if (d < r^2) return 1
                }
                return 0
            }
            END { for (k = 0; k < nz; k++) for (j = 0; j < ny; j++) { for (i = 0; i < nx; i++) printf "%d ", inside(i/2, j/2, k/2); print "" } }'
    } >"$file"
}

# start_case FOLDER OPENINGS_AND_SECTIONS
start_case() {
    mkdir -p "$1"
    cat >"$1/case.yaml" <<CASE
name: tube
space: LPS
segment: {method: labels, labels: {path: mask.nrrd}}
blood: {viscosity: 10 mPa s}
mesh: {spacing: 0.5 mm, grid_levels: 1}
$2
CASE
}

fail() { echo "FAILED: $*"; failed=1; }

# compute FOLDER: the flow in a segmented lumen, without pictures
compute() {
    mesh --case "$1/case.yaml" --in "$1/out/segment" --out "$1/out/mesh" >"$1/log" 2>&1 &&
        solve --case "$1/case.yaml" --in "$1/out/mesh" --out "$1/out/solve" --device cpu >>"$1/log" 2>&1 &&
        post --no-pictures --case "$1/case.yaml" --in "$1/out" --out "$1/out/post" >>"$1/log" 2>&1 || {
        fail "$1: $(tail -1 "$1/log")"
        exit 1
    }
}

# value FOLDER PLACE KEY: a number of readouts.json, the first KEY in the last object or list PLACE
value() {
    tr -d '\n\t ' <"$1/out/post/readouts.json" | sed "s/.*\"$2\":\[\{0,1\}{//; s/\"$3\":/\n/" | sed -n 2p | sed 's/[,}].*//'
}

# close_to WHAT VALUE EXPECTED PERCENT
close_to() {
    [ -z "${VERBOSE:-}" ] || echo "$*" >&2
    awk -v a="$2" -v b="$3" -v p="$4" 'BEGIN { exit !(a != "" && (a - b)^2 <= (p / 100 * b)^2) }' || fail "$1: $2, expected $3 within $4 %"
}

says() { # says WHAT CODE TEXT COMMAND..
    local what=$1 code=$2 text=$3
    shift 3
    "$@" >said 2>&1
    local got=$?
    [ $got = "$code" ] && grep -qF -- "$text" said || { fail "$what: exit $got, expected $code with: $text"; sed 's/^/    | /' said; }
}

treat() { says "treat $1" 0 "next: pipeline run $2" pipeline treat "$1" --out "$2" --plan "$3" --threads 2; }

# A plain tube of 60 mm, and a tube of 30 mm with a stenosis and a side branch.
start_case plain 'openings:
  - {name: IN, role: inlet, point: [6, 6, 3], flow: 0.02 L/min}
  - {name: OUT, role: outlet, point: [6, 6, 59], pressure: 0 mmHg}
sections:
  - {name: A, point: [6, 6, 6]}
  - {name: M, point: [6, 6, 31]}
  - {name: B, point: [6, 6, 56]}
readouts:
  - {pressure_drop: {from: A, to: B}}'
tubes plain/mask.nrrd 52 24 124 '6 6 2 6 6 60 2.6'
start_case fork 'openings:
  - {name: IN, role: inlet, point: [6, 6, 3], flow: 0.02 L/min}
  - {name: OUT, role: outlet, point: [6, 6, 33], pressure: 0 mmHg}
  - {name: SIDE, role: outlet, point: [19, 6, 10], pressure: 0.01 mmHg}
sections:
  - {name: A, point: [6, 6, 6]}
  - {name: B, point: [6, 6, 30]}
readouts:
  - {pressure_drop: {from: A, to: B}}
  - {ppg: {portal: A, measured: 9 mmHg, liver: {model: resistance, value: 60 mmHg min/L}}}'
tubes fork/mask.nrrd 44 24 72 '6 6 2 6 6 34 2.6 22' '6 6 10 20 6 10 2'
for p in plain fork; do
    segment --case $p/case.yaml --out $p/out/segment >$p.log 2>&1 || fail "$p: $(tail -1 $p.log)"
    compute $p
done
plain=$(value plain pressure_drops value_pa)

# The stenosis dilated and the side branch closed: a plain tube.
width=$(awk -v a="$(value plain M area_mm2)" 'BEGIN { printf "%.4g", 2 * sqrt(a / 3.14159265) }')
cat >restore.yaml <<PLAN
treat:
  - dilate: {branch: OUT, from: 20 %, to: 80 %, diameter: $width mm}
  - close: {branch: SIDE, at: 60 %}
PLAN
treat fork restored restore.yaml
share=$(awk -v o="$(value fork OUT flow_ml_s)" -v s="$(value fork SIDE flow_ml_s)" 'BEGIN { printf "%.4g", 100 * s / (o + s) }')
grep -q "warning: close 'SIDE': the part of the liver that the closed branches supplied gets no portal blood.*Assumed: the time right after" said ||
    fail "no word of the lost part of the liver: $(cat said)"
grep -q "SERIOUS\|resistance of the whole liver is kept" said && fail "a warning of the whole liver beside its lost share"
grep -q "liver: {model: resistance, value: 60 mmHg min/L, lost_share: $share %}" restored/case.yaml || fail "no lost share of $share %: $(grep ppg restored/case.yaml)"
grep -q '^# Assumed: the part of the liver' restored/case.yaml || fail "the case names no assumption: $(head -3 restored/case.yaml)"
says "check of a lost share" 0 "liver: lost_share " pipeline check restored
grep -q '"closed_branch":[^"]*"SIDE"' restored/out/segment/segment.json || fail "the closed branch counts as a branch without blood"
grep -q 'add an opening\|place an opening\|correct the segmentation' restored/out/segment/segment.json && fail "a warning contradicts the treatment"
grep -q SIDE restored/case.yaml && grep -q 'name: SIDE' restored/case.yaml && fail "the closed branch keeps its opening"
compute restored
grep -q "the treatment closes 'SIDE'" restored/out/post/readouts.json && fail "post warns of the whole liver beside its lost share"
grep -q 'of the liver gets no portal blood' restored/out/post/report.html || fail "the report names no lost share"
close_to "resistance of the rest" "$(value restored parameters resistance_mmhg_min_per_l)" "$(awk -v s="$share" 'BEGIN { print 60 / (1 - s / 100) }')" 0.01
close_to "gradient of the rest" "$(value restored ppg value_mmhg)" \
    "$(awk -v s="$share" -v q="$(value restored OUT flow_ml_s)" -v d="$(value restored A pressure_mmhg)" 'BEGIN { print d + 0.06 * 60 / (1 - s / 100) * q }')" 0.1
says "what the gradient of the rest rests on" 0 "(modelled: given resistance without the lost share" pipeline run restored --threads 2
says "table of a lost share" 0 "lost share of the liver assumed" pipeline table restored
# A second closed branch takes its share of the rest; a share that nobody knows stays a serious warning.
cp -r fork lost
sed -i 's/value: 60 mmHg min.L/value: 60 mmHg min\/L, lost_share: 50 % +- 20 %/' lost/case.yaml
post --case lost/case.yaml --in lost/out --out lost/out/post --no-pictures >lost.log 2>&1 || fail "lost: $(tail -1 lost.log)"
treat lost twice restore.yaml
close_to "the share lost before" "$(sed -n 's/.*lost_share: \([0-9.]*\) % +- .*/\1/p' twice/case.yaml)" "$(awk -v s="$share" 'BEGIN { print 50 + s / 2 }')" 0.02
rm -r lost/out/post
treat lost unknown restore.yaml
grep -q "warning: close 'SIDE': the resistance of the whole liver is kept.*by about 1 / (1 - their share of the liver)" said ||
    fail "no warning of an unknown share: $(cat said)"
# The planes of the kept openings are those before the treatment, bit for bit.
for o in IN OUT; do
    for p in fork restored; do
        tr -d '\n\t ' <$p/out/mesh/mesh.json | grep -o "\"$o\":{\"role\"[^}]*}" | grep -o 'plane_point_mm.*' >$p.plane
    done
    grep -q plane_normal fork.plane && cmp -s fork.plane restored.plane || fail "another plane of $o: $(cat fork.plane restored.plane)"
done
close_to "drop of the restored tube" "$(value restored pressure_drops value_pa)" "$(awk -v p="$plain" 'BEGIN { print p * 24 / 50 }')" 6
close_to "flow of the restored tube" "$(value restored OUT flow_ml_s)" 0.3333 1

# A closed branch that leaves the image is named; a branch without an opening elsewhere keeps its serious warning.
start_case twig "$(sed -n '/^openings:/,/SIDE/p' fork/case.yaml | sed 's/19, 6, 10/20.4, 6, 10/')"
tubes twig/mask.nrrd 44 24 72 '6 6 2 6 6 34 2.6' '6 6 10 40 6 10 2' '6 6 24 20 6 24 2'
segment --case twig/case.yaml --out twig/out/segment >twig.log 2>&1 || fail "twig: $(tail -1 twig.log)"
printf 'treat:\n  - close: {branch: SIDE, at: 60 %%}\n' >ligate.yaml
treat twig cut ligate.yaml
grep -q "without an opening: the treatment closes the branch 'SIDE'" said || fail "the closed branch is not named: $(cat said)"
grep -q 'leaves the image near LPS 21.7, 6.0, 24.0 mm .*place an opening there' said || fail "no warning of the other branch: $(cat said)"
compute cut
grep -q "1 end of branches that the treatment closes" cut/out/post/report.html || fail "the report does not name the closed end"

# A closed inlet: its flow is lost, and that is said.
cp -r fork joined
sed -i "s/name: SIDE, role: outlet, point: \[19, 6, 10\], pressure: 0.01 mmHg/name: SIDE, role: inlet, point: [19, 6, 10], flow: 0.01 L\/min/" joined/case.yaml
segment --case joined/case.yaml --out joined/out/segment >joined.log 2>&1 || fail "joined: $(tail -1 joined.log)"
compute joined
says "a closed inlet" 0 "close 'SIDE': the inflow falls from 0.03 to 0.02 L/min" pipeline treat joined --out ligated --plan ligate.yaml --threads 2
compute ligated
says "compare a closed inlet" 0 "the inflow (the inlet 'SIDE' is closed by the treatment)" pipeline compare joined ligated
cp -r ligated absent
sed -i 's/close: {branch: SIDE, at: 60 %}/dilate: {branch: OUT, from: 30 %, to: 60 %, diameter: 6 mm}/' absent/case.yaml
says "compare an absent inlet" 0 "the inflow (the inlet 'SIDE' is absent)" pipeline compare joined absent
says "the same liver before and after" 0 "before and after a treatment of one image" pipeline compare fork restored
grep -q 'the resistance of the liver' said && fail "a lost share counts as another liver: $(cat said)"
sed -i 's/value: 60 mmHg/value: 70 mmHg/' absent/case.yaml
says "another liver" 0 "the resistance of the liver" pipeline compare joined absent

# A shunt: parallel resistances L / r^4. The tube is as wide as its area says; the shunt begins at its wall.
cat >shunt.yaml <<'PLAN'
treat:
  - stent: {from: {branch: IN-OUT, at: 20 %}, via: [[17, 6, 20], [20, 6, 31], [17, 6, 42]], to: {branch: IN-OUT, at: 80 %}, diameter: 4 mm}
PLAN
treat plain shunted shunt.yaml
compute shunted
length=$(tr -d '\n\t ' <shunted/out/segment/segment.json | sed 's/.*"kind":"stent"//; s/.*"length_mm":\([0-9.]*\).*/\1/; q')
area=$(value plain M area_mm2)
read -r drop flow <<<"$(awk -v p="$plain" -v l="$length" -v a="$area" 'BEGIN {
    r = sqrt(a / 3.14159265); main = 33.6 / r^4; shunt = (l - 2 * r) / 2^4; share = shunt / (main + shunt)
    print p * (50 - 33.6 * (1 - share)) / 50, share / 3 }')"
close_to "drop with a shunt" "$(value shunted pressure_drops value_pa)" "$drop" 5
close_to "flow beside a shunt" "$(value shunted M flow_ml_s)" "$flow" 5

# TIPS: the liver becomes a resistance at each outlet; the gradient is the same product of resistance and flow.
cat >tips.yaml <<'PLAN'
treat:
  - stent: {from: {branch: OUT, at: 60 %}, to: [14, 6, 27], diameter: 3.2 mm, opening: HV, pressure: 5 mmHg}
inflow: constant
PLAN
treat fork tips tips.yaml
compute tips
grep -q 'name: HV, role: outlet, point: \[14, 6, 27\], pressure: 5 mmHg' tips/case.yaml || fail "TIPS: no opening HV"
# Behind the liver: mean pressure of the outlets minus R Q; each outlet gets (p - that) / flow.
read -r r_out r_side <<<"$(awk -v o="$(value fork OUT flow_ml_s)" -v s="$(value fork SIDE flow_ml_s)" 'BEGIN {
    behind = 0.01 * s / (o + s) - 60 * 0.06 * (o + s); print -behind / (0.06 * o), (0.01 - behind) / (0.06 * s) }')"
close_to "resistance at OUT" "$(sed -n 's/.*name: OUT,.*value: \([0-9.]*\) .*/\1/p' tips/case.yaml)" "$r_out" 0.05
close_to "resistance at SIDE" "$(sed -n 's/.*name: SIDE,.*value: \([0-9.]*\) .*/\1/p' tips/case.yaml)" "$r_side" 0.05
close_to "the liver behind OUT" "$(value tips OUT pressure_mmhg)" \
    "$(awk -v q="$(value tips OUT flow_ml_s)" -v r="$r_out" 'BEGIN { print 5 + 0.06 * r * q }')" 1
grep -q 'measured:' tips/case.yaml && fail "a gradient measured before the treatment is one after it"
# A collateral takes no part in the liver: the resistance of the only branch is that of the liver.
cp -r fork past
sed -i 's/pressure: 0.01 mmHg/pressure: 0.01 mmHg, collateral: true/' past/case.yaml
post --case past/case.yaml --in past/out --out past/out/post --no-pictures >past.log 2>&1 || fail "past: $(tail -1 past.log)"
treat past past_tips tips.yaml
close_to "resistance at OUT beside a collateral" "$(sed -n 's/.*name: OUT,.*value: \([0-9.]*\) .*/\1/p' past_tips/case.yaml)" 60 0.05
close_to "pressure at a collateral" "$(sed -n 's/.*name: SIDE,.*collateral: true.* pressure: \([0-9.]*\) .*/\1/p' past_tips/case.yaml)" \
    "$(awk -v o="$(value fork OUT flow_ml_s)" 'BEGIN { print 5.01 + 60 * 0.06 * o }')" 0.05
says "what the gradient rests on" 0 "(from assumptions: resistance of the outlets, pressure of the hepatic vein, inflow)" \
    pipeline run tips --threads 2
# The case after a treatment has the cells of the case before it, and the command after it has the settings of that run.
grep -q 'mesh: {spacing: 0.5 mm, grid_levels: 1, before: {spacing: 0.5 mm, low: \[' tips/case.yaml || fail "no lattice: $(grep mesh tips/case.yaml)"
cp -r fork across
sed -i 's/spacing: 0.5 mm/cells_per_diameter: 7/' across/case.yaml
compute across
sed 's/diameter: 3.2 mm/diameter: 3.6 mm/' tips.yaml >wide.yaml
treat across across_tips wide.yaml
compute across_tips
says "the same cells" 0 "before and after a treatment of one image" pipeline compare across across_tips
grep -q 'the lattices differ' said && fail "compare: the cells differ: $(grep 'lattices differ' said)"
sed -i 's/, before: {[^}]*}//' across_tips/case.yaml
compute across_tips
says "other cells" 0 "the lattices differ (spacing" pipeline compare across across_tips
cp -r fork quick_fork
for s in mesh solve post; do
    $s --case quick_fork/case.yaml --in quick_fork/out/$([ $s = mesh ] && echo segment || { [ $s = solve ] && echo mesh; }) \
        --out quick_fork/out/$s --set mesh.fast=true >quick.log 2>&1 || fail "quick: $(tail -1 quick.log)"
done
says "the same settings" 0 "next: pipeline run quick_tips --fast, then pipeline compare quick_fork quick_tips" \
    pipeline treat quick_fork --out quick_tips --plan tips.yaml
compute quick_tips
says "other settings" 0 "differ too, so a difference is not due to the treatment alone: the settings (--fast, --set) of the runs" \
    pipeline compare quick_fork quick_tips
# A liver by its label, with two compartments and by the lobule law: its resistance is a result.
cp -r fork perfused
{
    printf 'NRRD0004\ntype: uint8\ndimension: 3\nspace: left-posterior-superior\nsizes: 8 8 8\n'
    printf 'space directions: (8,0,0) (0,8,0) (0,0,8)\nspace origin: (-16,-22,-10)\nencoding: text\n\n'
    yes 1 | head -511
    echo 0
} >perfused/liver.nrrd
cp -r perfused labelled
sed -i 's/{model: resistance, value: 60 mmHg min.L}/{model: compartments, labels: {path: liver.nrrd}, stage: healthy, hepatic_pressure: 0 mmHg}/' perfused/case.yaml
sed -i 's/{model: resistance, value: 60 mmHg min.L}/{model: lobules, labels: {path: liver.nrrd}, stage: healthy}/' labelled/case.yaml
for of in perfused labelled; do
    post --case "$of"/case.yaml --in "$of"/out --out "$of"/out/post --no-pictures >"$of".log 2>&1 || fail "$of: $(tail -1 "$of.log")"
    treat "$of" "$of"_tips tips.yaml
    liver=$(sed -n 's/.*"resistance_mmhg_min_per_l":[^0-9]*\([0-9.]*\).*/\1/p' "$of"/out/post/readouts.json)
    with_liver=$(awk -v r="$liver" -v o="$(value fork OUT flow_ml_s)" -v s="$(value fork SIDE flow_ml_s)" 'BEGIN {
        print -(0.01 * s / (o + s) - r * 0.06 * (o + s)) / (0.06 * o) }')
    close_to "resistance at OUT, $of" "$(sed -n 's/.*name: OUT,.*value: \([0-9.]*\) .*/\1/p' "$of"_tips/case.yaml)" "$with_liver" 0.05
done
# A closed branch: the lobule law loses its share; compartments lead blood around it, so their label image must.
treat labelled labelled_closed restore.yaml
grep -q "stage: healthy, lost_share: $share %}" labelled_closed/case.yaml || fail "no lost share beside a label: $(grep ppg labelled_closed/case.yaml)"
treat perfused perfused_closed restore.yaml
grep -q "multiplies this resistance by about .*; take their part out of the label image" said || fail "compartments: $(cat said)"
# Without a given spacing, mesh expects the flow that solve finds: the resistances keep it from the outlets.
mesh --case tips/case.yaml --in tips/out/segment --out free --set mesh.spacing= >free.log 2>&1 || fail "$(tail -1 free.log)"
close_to "flow that mesh expects" "$(tr -d '\n\t ' <free/mesh.json | sed 's/.*"fastest":{//; s/.*"flow_ml_s":\([0-9.]*\),.*"error_bound.*/\1/')" \
    "$(awk -v a="$(value tips HV flow_ml_s)" -v b="$(value tips OUT flow_ml_s)" 'BEGIN { print a + b }')" 10
awk -v n="$(sed -n 's/.* \([0-9]*\) cells in a box.*/\1/p' free.log)" 'BEGIN { exit !(n > 3e4 && n < 3e5) }' || fail "cells: $(cat free.log)"
pipeline compare fork tips >said 2>&1 || fail "compare: $(tail -1 said)"
grep -q 'HV share of inflow' said || fail "compare shows no share of the stent"
grep -q 'A PPG' said || fail "compare shows no gradient"
grep -q '^branch [0-9]' said && fail "compare shows branches whose numbers mean other branches"
grep -q '^HV pressure' said && fail "compare shows a given pressure as a result"
# the stent adds 0.07 mL; the wall error of 0.2 mL is that of both vessels and counts once
grep -q '^vessel volume .* 0\.07[0-9]* +- 0\.0[0-9]*  ' said || fail "compare counts the wall error of the vessel twice: $(grep 'vessel volume' said)"
grep -q 'HV-stent wall shear stress  *Pa  *-  *0\.[0-9]*[1-9]' said || fail "compare shows no wall shear stress in the stent"
grep -q 'HV-stent Reynolds number  *1  *-  *[0-9.]*[1-9]' said || fail "compare shows no Reynolds number in the stent"
close_to "gradient after TIPS" "$(value tips ppg value_mmhg)" "$(awk -v a="$(value tips A pressure_mmhg)" 'BEGIN { print a - 5 }')" 1
grep -q 'assumed: resistance of the outlets, pressure of the hepatic vein' tips/out/post/report.html || fail "the report names no assumption"
grep -q '<tr class="modelled"><td>portal vein to hepatic vein.*<b>from assumptions</b>' tips/out/post/report.html || fail "the gradient looks computed"
grep -q '<td>HV</td><td>outlet</td>.*<td class="n modelled">667</td><td class="n modelled">5.00' tips/out/post/report.html || fail "a given pressure looks computed"
grep -q '<td>OUT</td><td>outlet</td>.*modelled' <(grep -o '<td>OUT</td>.*' tips/out/post/report.html | sed 's/<.tr>.*//') && fail "a computed value looks given"
grep -q '#d9ead9' tips/out/post/report.html && fail "the assumed gradient has a coloured scale"
sed 's/constant/constant-pressure/' tips.yaml >pressure.yaml
treat fork kept pressure.yaml
grep -q 'name: IN, role: inlet, point: \[6, 6, 3\], found_normal: .*, pressure: ' kept/case.yaml || fail "constant-pressure: no pressure at IN"

# A resistance at the end of the stent: the gradient ends behind it.
sed 's/pressure: 5 mmHg/pressure: 5 mmHg, resistance: 50 mmHg min\/L +- 30 %/' tips.yaml >tract.yaml
treat fork tract tract.yaml
grep -q 'name: HV.*, resistance: {value: 50 mmHg min/L +- 30 %, distal: 5 mmHg}, collateral: true' tract/case.yaml || fail "no resistance: $(grep HV tract/case.yaml)"
compute tract
close_to "pressure in front of the resistance" "$(value tract HV pressure_mmhg)" "$(awk -v q="$(value tract HV flow_ml_s)" 'BEGIN { print 5 + 0.06 * 50 * q }')" 0.1
close_to "share beside a resistance" "$(value tract HV flow_ml_s)" \
    "$(awk -v o="$r_out" -v s="$r_side" 'BEGIN { print 0.33333 / 50 / (1 / 50 + 1 / o + 1 / s) }')" 10
close_to "gradient with a resistance" "$(value tract ppg value_mmhg)" "$(awk -v a="$(value tract A pressure_mmhg)" 'BEGIN { print a - 5 }')" 0.1

grep -q 'cava: HV, liver: {model: outlets}' tips/case.yaml || fail "TIPS: the gradient does not end at HV"
grep -q 'before and after a treatment of one image' <(pipeline compare fork tips) || fail "compare names no treatment"
sed -i 's/viscosity: 10 mPa s/viscosity: 9 mPa s/; s/flow: 0.02 L/flow: 0.03 L/' tips/case.yaml
pipeline compare fork tips >said 2>&1
grep -q "differ too.*: the blood, the inflow at 'IN'" said || fail "compare does not name other differences: $(cat said)"

# An inlet with a pressure gets its flow before the treatment.
mkdir driven
sed "s/flow: 0.02 L.min/pressure: $(value fork IN pressure_mmhg) mmHg/" fork/case.yaml >driven/case.yaml
cp -r fork/mask.nrrd driven
segment --case driven/case.yaml --out driven/out/segment >driven.log 2>&1 || fail "driven: $(tail -1 driven.log)"
compute driven
treat driven flowing tips.yaml
flow=$(sed -n 's/.*name: IN, role: inlet.* flow: \([0-9.]*\) mL.s}.*/\1/p' flowing/case.yaml)
close_to "constant inflow at a pressure" "$flow" "$(value driven IN flow_ml_s)" 0.1
close_to "constant inflow" "$flow" 0.3333 3

# An inlet behind a resistance keeps it: the inflow is between that of a constant flow and that of a constant pressure.
mkdir sourced
sed "s/flow: 0.02 L.min/resistance: {value: 40 mmHg min\/L, source: 1 mmHg}/" fork/case.yaml >sourced/case.yaml
cp -r fork/mask.nrrd sourced
segment --case sourced/case.yaml --out sourced/out/segment >sourced.log 2>&1 || fail "sourced: $(tail -1 sourced.log)"
compute sourced
sed 's/constant/source/' tips.yaml >source.yaml
treat sourced sourced_tips source.yaml
close_to "source after TIPS" "$(sed -n 's/.*name: IN,.*value: 40 mmHg min.L, source: \([0-9.]*\) mmHg.*/\1/p' sourced_tips/case.yaml)" \
    "$(awk -v o="$(value sourced OUT flow_ml_s)" -v s="$(value sourced SIDE flow_ml_s)" 'BEGIN {
        print 1 + 5 - (0.01 * s / (o + s) - 60 * 0.06 * (o + s)) }')" 0.05
says "no source" 3 "the inlet 'IN' has none" pipeline treat fork --out wrong --plan source.yaml

# Results of another case, and a liver given twice.
mkdir other
cp -r fork/mask.nrrd fork/case.yaml fork/out other
sed -i 's/viscosity: 10 mPa s/viscosity: 9 mPa s/' other/case.yaml
says "results of another case" 3 "has no valid results (mesh stale)" pipeline treat other --out wrong --plan tips.yaml
sed -i 's/pressure: 0.* mmHg/resistance: {value: 9 mmHg min\/L, distal: 0 mmHg}/' other/case.yaml
says "two livers" 3 "only one of them can be the liver" pipeline treat other --out wrong --plan tips.yaml

start_case hasty 'openings:
  - {name: IN, role: inlet, point: [6, 6, 3], flow: 0.02 L/min}
  - {name: OUT, role: outlet, point: [6, 6, 59], pressure: 0 mmHg}
solve: {max_steps: 40, accept_unconverged: true}
readouts:
  - {ppg: {portal: IN, liver: {model: resistance, value: 60 mmHg min/L}}}'
cp plain/mask.nrrd hasty
segment --case hasty/case.yaml --out hasty/out/segment >hasty.log 2>&1 || fail "hasty: $(tail -1 hasty.log)"
compute hasty
cp -r hasty quick
sed -i 's/flow: 0.02/flow: 5.5/; s/spacing: 0.5/spacing: 0.25/' quick/case.yaml
compute quick
says "a Reynolds number above 2000" 0 "quick: unsteady flow, IN Reynolds number" pipeline compare hasty quick
says "results that did not converge" 3 "NOT CONVERGED" pipeline treat hasty --out wrong --plan tips.yaml

# A treatment of a treatment without an image: the stent may not enlarge the grid without limit.
sed 's/to: \[14, 6, 27\]/to: [9e4, 6, 27]/' tips.yaml >far.yaml
sed '/^inflow/d; s/, opening.*mmHg//; s/to: \[9e4, 6, 27\]/via: [[9e4, 6, 27]], to: {branch: OUT, at: 80 %}/' far.yaml >around.yaml
says "stent far away" 3 "enlarge the grid of the lumen" pipeline treat restored --out wrong --plan around.yaml

# A lumen without openings has no names of branches.
start_case bare ''
cp plain/mask.nrrd bare
segment --case bare/case.yaml --out bare/out/segment >bare.log 2>&1 || fail "bare: $(tail -1 bare.log)"
mkdir closed
cat >closed/case.yaml <<'CASE'
space: LPS
segment: {method: treated, before: ../bare}
treat:
  - close: {branch: X, at: 50 %}
CASE
says "no openings" 3 "has no openings" segment --case closed/case.yaml --out closed/out/segment

# Points in voxels of labels, which the case after the treatment has not.
mkdir voxels
sed 's/space: LPS/space: voxel/' plain/case.yaml | sed 's/\[6, 6, \([0-9]*\)\]/[12, 12, \1]/' >voxels/case.yaml
cp -r plain/mask.nrrd voxels
segment --case voxels/case.yaml --out voxels/out/segment >voxels.log 2>&1 || fail "voxels: $(tail -1 voxels.log)"
says "points in voxels" 3 "gives its points in voxels" pipeline treat voxels --out voxels2 --plan shunt.yaml
[ ! -e voxels2/case.yaml ] || fail "a refused treatment leaves a case"

# A shunt between two pieces, such as portal vein and cava.
start_case pair 'openings:
  - {name: PV, role: inlet, point: [6, 6, 3], flow: 0.02 L/min}
  - {name: LIVER, role: outlet, point: [6, 6, 29], pressure: 0 mmHg}
  - {name: HEPATIC, role: inlet, point: [18, 6, 3], flow: 0.02 L/min}
  - {name: CAVA, role: outlet, point: [18, 6, 29], pressure: 0 mmHg}'
tubes pair/mask.nrrd 48 24 64 '6 6 2 6 6 30 2.6' '18 6 2 18 6 30 2.6'
segment --case pair/case.yaml --out pair/out/segment >pair.log 2>&1 || fail "pair: $(tail -1 pair.log)"
cat >join.yaml <<'PLAN'
treat:
  - stent: {from: {branch: PV, at: 50 %}, to: {branch: CAVA, at: 50 %}, diameter: 3 mm}
PLAN
says "shunt of two pieces" 3 "two separate vessels of the lumen" pipeline treat pair --out wrong --plan join.yaml

# Another segmentation before the treatment makes the treated lumen stale.
says "unchanged" 0 "segment   done" pipeline status restored
tubes fork/mask.nrrd 44 24 72 '6 6 2 6 6 34 2.4 22' '6 6 10 20 6 10 2'
says "changed upstream" 3 "run segment again" segment --case restored/case.yaml --out restored/out/segment
segment --case fork/case.yaml --out fork/out/segment >fork.log 2>&1
says "segmented again upstream" 0 "segment   stale" pipeline status restored

# Wrong treatments: one sentence each.
refused() { # refused TEXT ENTRY
    printf 'treat:\n  - %s\n' "$2" >wrong.yaml
    says "refused: $2" 3 "$1" pipeline treat plain --out wrong/case --plan wrong.yaml
    [ ! -e wrong ] || fail "a refused treatment leaves a folder: $2"
}
refused "no branch 'X'" 'close: {branch: X, at: 50 %}'
refused "diameter" 'dilate: {branch: IN-OUT, from: 20 %, to: 60 %, diameter: 0 mm}'
refused "diameter" 'dilate: {branch: IN-OUT, from: 20 %, to: 60 %, diameter: 31 mm}'
refused "below two voxels" 'dilate: {branch: IN-OUT, from: 20 %, to: 60 %, diameter: 0.3 mm}'
refused "already has the given diameter" 'dilate: {branch: IN-OUT, from: 20 %, to: 60 %, diameter: 3 mm}'
refused "must be before" 'dilate: {branch: IN-OUT, from: 60 %, to: 20 %, diameter: 8 mm}'
refused "from the opening 'OUT'" 'dilate: {branch: IN-OUT, from: 20 %, to: 97 %, diameter: 6 mm}'
refused "leaves the image" 'stent: {from: {branch: IN-OUT, at: 30 %}, via: [[40, 6, 31]], to: {branch: IN-OUT, at: 70 %}, diameter: 4 mm}'
refused "does not reach the vessel" 'stent: {from: [15, 6, 30], to: {branch: IN-OUT, at: 50 %}, diameter: 4 mm}'
refused "does not reach the vessel" 'stent: {from: {branch: IN-OUT, at: 50 %}, to: [15, 6, 30], diameter: 4 mm}'
refused "name and its pressure" 'stent: {from: {branch: IN-OUT, at: 50 %}, to: [15, 6, 30], diameter: 4 mm, opening: HV}'
refused "the resistance is between" 'stent: {from: {branch: IN-OUT, at: 30 %}, to: {branch: IN-OUT, at: 60 %}, diameter: 4 mm, resistance: 5 mmHg min/L}'
refused "separates the openings 'IN' and 'OUT'" 'close: {branch: IN-OUT, at: 50 %}'
cp wrong.yaml separates.yaml
refused "no resistance of the liver" 'stent: {from: {branch: IN-OUT, at: 50 %}, to: [15, 6, 30], diameter: 4 mm, opening: HV, pressure: 5 mmHg}'
# A refusal keeps the case and the lumen of an earlier treatment.
cp shunted/case.yaml kept.yaml
says "another treatment" 3 "'shunted' keeps its case" pipeline treat plain --out shunted --plan separates.yaml
says "no liver" 3 "no resistance of the liver" pipeline treat plain --out shunted --plan wrong.yaml
cmp -s shunted/case.yaml kept.yaml || fail "a refused treatment changes the case"
says "kept lumen" 0 "segment   done" pipeline status shunted
says "kept case" 3 "is not from pipeline treat" pipeline treat fork --out plain --plan restore.yaml
says "own folder" 2 "--out is the folder of the patient itself" pipeline treat fork --out fork --plan restore.yaml
exit $failed
