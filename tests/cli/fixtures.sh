# SPDX-License-Identifier: Apache-2.0
# Functions for the command-line tests: small inputs, made in the current folder. Sourced by run.sh, which sets SOURCE.

# case.yaml of a short straight pipe without an image, and what its stages need: a few seconds from mesh to post.
pipe_case() { # pipe_case [FOLDER]
    mkdir -p "${1:-.}"
    cat >"${1:-.}/case.yaml" <<'CASE'
name: pipe
space: LPS
openings:
  - {name: IN, role: inlet, point: [0, 0, -4], normal: [0, 0, -1], flow: 0.05 L/min}
  - {name: OUT, role: outlet, point: [0, 0, 4], normal: [0, 0, 1], pressure: 0 mmHg}
blood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}
mesh:
  spacing: 0.5 mm
  shape: {type: cylinder, from: [0, 0, -4], to: [0, 0, 4], radius: 3 mm}
  box: {low: [-4, -4, -5], high: [4, 4, 5]}
solve: {mode: steady, tolerance: 1e-4, collision: trt}
readouts:
  - {pressure_drop: {from: IN, to: OUT}}
CASE
}

# liver_case [KEYS]: pipe_case with 0.2 L/min into a liver of 262 mL with two equal lobes; KEYS: further keys of the liver.
liver_case() {
    pipe_case
    retype '0.05 L/min' '0.2 L/min'
    sed -i '/pressure_drop/d' case.yaml
    retype 'readouts:' "readouts: [ppg: {portal: IN, liver: {model: compartments, labels: {path: liver.nrrd}, stage: healthy${1:-, hepatic_pressure: 5 mmHg}}}]"
    {
        printf 'NRRD0004\ntype: uchar\ndimension: 3\nspace: left-posterior-superior\nsizes: 20 20 20\n'
        printf 'space directions: (4,0,0) (0,4,0) (0,0,4)\nspace origin: (-38,-38,-3)\nencoding: ascii\n'
        printf 'Segment0_LabelValue:=5\nSegment0_Name:=right lobe\nSegment1_LabelValue:=6\nSegment1_Name:=left lobe\n\n'
        awk 'BEGIN { for (k = 0; k < 20; k++) for (j = 0; j < 20; j++) for (i = 0; i < 20; i++)
            print (i < 2 || i > 17 || j < 2 || j > 17 || k < 2 || k > 17 ? 0 : (i < 10 ? 5 : 6)) }'
    } >liver.nrrd
}

# lobule_label_case [VALUES]: liver_case with the lobule law.
lobule_label_case() {
    liver_case
    sed -i "s/model: compartments/model: lobules/; s/path: liver.nrrd/&${1:-}/; s/, hepatic_pressure: 5 mmHg//" case.yaml
}

# pipe_case, wider, with the flow of the portal vein that setup.html proposes, into a liver of 4 mmHg min/L.
liver_term_case() {
    pipe_case
    retype '0.05 L/min' '0.96 L/min +- 26 %'
    sed -i 's/radius: 3 mm/radius: 6 mm/; s/-4, -4, -5/-7, -7, -5/; s/4, 4, 5/7, 7, 5/; s/, collision: trt//; /pressure_drop/d' case.yaml
    retype 'readouts:' 'readouts: [ppg: {portal: IN, liver: {model: resistance, value: 4 mmHg min/L}}]'
}

# pipe_case at 28 degrees to the grid, between a pressure and the flow that leaves.
slanted_outflow_case() {
    pipe_case
    retype 'flow: 0.05 L/min' 'pressure: 5 mmHg'
    retype 'pressure: 0 mmHg' 'flow: 0.2 L/min'
    retype 1e-4 1e-6
    sed -i 's/\[0, 0, -4\]/[-1.9, 0, -3.5]/g; s/\[0, 0, 4\]/[1.9, 0, 3.5]/g; s/\[0, 0, -1\]/[-0.477, 0, -0.879]/
        s/\[0, 0, 1\]/[0.477, 0, 0.879]/; s/\[-4, -4, -5\]/[-6, -4, -7]/; s/\[4, 4, 5\]/[6, 4, 7]/' case.yaml
}

# blood_case RADIUS CONDITION: a tube (radius in mm, condition of its inlet) whose blood model is unknown, from case.yaml to readouts.json.
# blood_part LIST KEY: part of the blood model in the interval of the first value KEY of LIST in readouts.json.
blood_case() {
    awk -v r="$1" -v inlet="$2" 'BEGIN {
        print "name: tube\nspace: LPS\nblood: {model: unknown}"
        print "openings:\n  - {name: IN, role: inlet, point: [0, 0, " (-2 * r) "], normal: [0, 0, -1], " inlet "}"
        print "  - {name: OUT, role: outlet, point: [0, 0, " 2 * r "], normal: [0, 0, 1], pressure: 0 mmHg}"
        print "mesh:\n  cells_per_diameter: 16\n  grid_levels: 2"
        print "  shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 1], radius: " r " mm}"
        print "  box: {low: [" (-1.2 * r) ", " (-1.2 * r) ", " (-2.3 * r) "], high: [" 1.2 * r ", " 1.2 * r ", " 2.3 * r "]}"
        print "readouts:\n  - {pressure_drop: {from: IN, to: OUT}}"
        print "  - {ppg: {portal: IN, liver: {model: resistance, value: 4 mmHg min/L}}}"
    }' >case.yaml
    mesh --case case.yaml --out mesh && solve --case case.yaml --in mesh --out solve &&
        post --case case.yaml --in solve --out post --no-pictures
}
# drop_interval: the interval of the first pressure drop in readouts.json, with all its parts known, against its value.
drop_interval() {
    awk '
        /"pressure_drops"/ { on = 1 }
        on && /"value_pa"/ && !v { v = $2 + 0 }
        on && /"total"/ { t = $2 + 0; exit }
        END { if (t > 0 && t < 0.25 * v) print "interval small"; else print "interval", t, "of", v }
    ' post/readouts.json
}
blood_part() {
    awk -v list="\"$1\"" -v key="\"$2\"" '
        index($0, list) { on = 1 }
        on && index($0, key ":") && !v { v = $2 + 0 }
        on && /"blood_model"/ { b = $2 + 0; exit }
        END {
            if (b > v) print "blood part above the value"
            else if (b > 0.2 * v) print "blood part large"
            else if (b > 0 && b < 0.04 * v) print "blood part small"
            else print "blood part", b, "of", v
        }
    ' post/readouts.json
}

# A pipe that closes on itself, driven by a force: 0.1 m/s in the middle once it is steady.
force_case() {
    cat >case.yaml <<'CASE'
name: closed
space: LPS
blood: {density: 1060 kg/m3, viscosity: 3.498 mPa s}
mesh:
  spacing: 0.5 mm
  shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 1], radius: 8 mm}
  box: {low: [-10, -10, 0], high: [10, 10, 1]}
  periodic: [z]
solve: {collision: trt, force: {vector: [0, 0, 0.020625], unit: m/s2}}
CASE
}

# pipe_case with a second outlet at its side, which takes a flow or, without a word, has a pressure above that inside.
side_outlet_case() { # side_outlet_case [FLOW]
    pipe_case
    local side="pressure: 2 Pa"
    [ -z "${1:-}" ] || side="flow: $1"
    retype 'pressure: 0 mmHg}' "pressure: 0 mmHg}
  - {name: SIDE, role: outlet, point: [5, 0, 0], normal: [1, 0, 0], $side}"
    retype '{type: cylinder, from: [0, 0, -4], to: [0, 0, 4], radius: 3 mm}' "
    type: tree
    segments:
      - {from: [0, 0, -9], to: [0, 0, 9], radius_from: 3 mm, radius_to: 3 mm}
      - {from: [0, 0, 0], to: [9, 0, 0], radius_from: 2 mm, radius_to: 2 mm}"
    retype '[4, 4, 5]' '[6, 4, 5]'
}

# A T-junction at an angle to all planes of the grid, on two lattices: half of the flow is taken out of its branch.
turned_junction_case() {
    pipe_case
    retype '0.05 L/min' '4.6679 mL/s'
    retype '[0, 0, -4], normal: [0, 0, -1]' '[-10.3746, -9.0272, 5.9898], normal: [-0.6916, -0.6018, 0.3993]'
    retype '[0, 0, 4], normal: [0, 0, 1], pressure: 0 mmHg}' "[10.3746, 9.0272, -5.9898], normal: [0.6916, 0.6018, -0.3993], pressure: 0 mmHg}
  - {name: SIDE, role: outlet, point: [-7.8178, 11.9795, 4.5136], normal: [-0.5212, 0.7986, 0.3009], flow: 2.3339 mL/s}"
    retype '{type: cylinder, from: [0, 0, -4], to: [0, 0, 4], radius: 3 mm}' "
    type: tree
    segments:
      - {from: [-13.8328, -12.0363, 7.9864], to: [13.8328, 12.0363, -7.9864], radius_from: 3 mm, radius_to: 3 mm}
      - {from: [0, 0, 0], to: [-10.4237, 15.9727, 6.0182], radius_from: 2.7 mm, radius_to: 2.7 mm}"
    retype '[-4, -4, -5], high: [4, 4, 5]' '[-18.83, -17.04, -12.99], high: [18.83, 20.97, 12.99]'
    retype 'spacing: 0.5 mm' 'spacing: 0.4 mm
  grid_levels: 2'
    retype ', tolerance: 1e-4' ''
}

# A square filled with air between a warm and a cold wall, Rayleigh number 1e4, 16 cells wide.
heat_case() {
    cat >case.yaml <<'CASE'
name: square
space: LPS
mesh:
  spacing: 0.625 mm
  shape: {type: box, low: [0, 0, -100], high: [10, 10, 100]}
  box: {low: [0, 0, 0], high: [10, 10, 1.25]}
  periodic: [z]
walls:
  - {name: warm, part: x-low, temperature: 31 degC}
  - {name: cold, part: x-high, temperature: 29 degC}
  - {name: sides, insulated: true}
blood: {density: 1000 kg/m3, viscosity: 0.71 mPa s}
solve:
  tolerance: 1e-5
  heat: {diffusivity: 1e-6 m2/s, expansion: 0.000361875 1/K, gravity: [0, -9.81, 0]}
CASE
}

# warm.stl, two triangles in the plane x = X, and the warm wall of heat_case found by it.
warm_surface() { # warm_surface X
    local t
    {
        echo solid warm
        for t in "-1 -9 11 -9 11 9" "-1 -9 11 9 -1 9"; do
            echo facet normal -1 0 0
            echo outer loop
            # shellcheck disable=SC2086
            printf "vertex $1 %s %s\n" $t
            echo endloop
            echo endfacet
        done
        echo endsolid warm
    } >warm.stl
    retype 'part: x-low' 'surface: {path: warm.stl, frame: LPS}'
}

# A pulsating jet into a wide tube, too fast to repeat itself on this lattice, a little off the middle.
jet_case() {
    pipe_case
    retype 'flow: 0.05 L/min' 'flow: {waveform: in.csv}'
    retype '[0, 0, -4], normal' '[0, 0, -6], normal'
    retype '[0, 0, 4], normal' '[0, 0, 30], normal'
    retype '{type: cylinder, from: [0, 0, -4], to: [0, 0, 4], radius: 3 mm}' "
    type: tree
    segments:
      - {from: [0, 0, -12], to: [0, 0, 0], radius_from: 2 mm, radius_to: 2 mm}
      - {from: [0.3, 0.2, 4.8], to: [0.3, 0.2, 40], radius_from: 5 mm, radius_to: 5 mm}"
    retype 'spacing: 0.5' 'spacing: 0.6'
    retype '[-4, -4, -5], high: [4, 4, 5]' '[-6, -6, -8], high: [6, 6, 32]'
    retype 'mode: steady' 'mode: pulsatile, cycles: 2, stores: 3'
    printf 't_s,flow_ml_s\n0,3.5\n0.1,4.5\n0.2,3.5\n' >in.csv
}

# The same in steady flow, which does not become steady: averaged after 31,000 steps.
steady_jet() {
    retype 'mode: pulsatile, cycles: 2, stores: 3' 'mode: steady'
    retype 'flow: {waveform: in.csv}' 'flow: 4 mL/s'
}

# The pipe between two pressures.
two_pressures() {
    retype 'role: inlet' 'role: outlet'
    retype 'flow: 0.05 L/min' 'pressure: 2 Pa'
    retype 1e-4 1e-5
}

# case.yaml for an image and a seed; the image is made by another function.
image_case() { # image_case [FOLDER]
    mkdir -p "${1:-.}/images"
    cat >"${1:-.}/case.yaml" <<'CASE'
name: image
space: LPS
image: {path: images/a.nii}
segment: {method: level-set, seeds: [[8, 8, 8]]}
openings:
  - {name: IN, role: inlet, point: [8, 8, 2], flow: 0.05 L/min}
  - {name: OUT, role: outlet, point: [8, 8, 14], pressure: 0 mmHg}
mesh: {spacing: 0.5 mm}
CASE
}

# case.yaml for a surface, a cube of 10 mm whose title is given; the case says more of the surface in the second word.
surface_case() { # surface_case [TITLE [", KEY: VALUE"]]
    cat >cube.vtk <<CUBE
# vtk DataFile Version 3.0
${1:-cube}
ASCII
DATASET POLYDATA
POINTS 8 float
1 2 3 11 2 3 11 12 3 1 12 3 1 2 13 11 2 13 11 12 13 1 12 13
POLYGONS 6 30
4 0 3 2 1 4 4 5 6 7 4 0 1 5 4 4 1 2 6 5 4 2 3 7 6 4 3 0 4 7
CUBE
    cat >case.yaml <<CASE
segment: {method: surface, surface: {path: cube.vtk, unit: mm${2:-}}}
openings:
  - {name: IN, role: inlet, point: [-6, -7, 3], flow: 0.05 L/min}
  - {name: OUT, role: outlet, point: [-6, -7, 13], pressure: 0 mmHg}
mesh: {spacing: 0.45 mm}
CASE
}

# Little-endian bytes of numbers.
i16() { for n in "$@"; do printf "\\x$(printf %02x $((n & 255)))\\x$(printf %02x $((n >> 8 & 255)))"; done; }
i32() { for n in "$@"; do i16 $((n & 65535)) $((n >> 16 & 65535)); done; }
f32() { for n in "$@"; do case $n in 0) i32 0 ;; 1) i32 $((0x3f800000)) ;; 352) i32 $((0x43b00000)) ;; esac; done; }

# A NIfTI-1 image of 16^3 voxels of 1 mm (uint8, LPS origin 0), its voxels from stdin.
nifti() { # nifti FILE < voxels
    {
        i32 348
        head -c 36 /dev/zero
        i16 3 16 16 16 1 1 1 1 # dim
        head -c 14 /dev/zero
        i16 2 8 0 # uint8
        f32 1 1 1 1 1 1 1 1 352 1 0
        head -c 132 /dev/zero
        i16 0 1 # sform code
        head -c 24 /dev/zero
        i32 $((0xbf800000)) 0 0 0 0 $((0xbf800000)) 0 0
        f32 0 0 1 0
        head -c 16 /dev/zero
        printf 'n+1\0'
        i32 0
        cat
    } >"$1"
}

# Labels as 3D Slicer writes them: a vessel along z and an organ beside it, 12 x 12 x 30 voxels of 1 mm.
labels_nrrd() { # labels_nrrd FILE
    {
        printf 'NRRD0004\ntype: uchar\ndimension: 3\nspace: left-posterior-superior\nsizes: 12 12 30\n'
        printf 'space directions: (1,0,0) (0,1,0) (0,0,1)\nspace origin: (0,0,0)\nencoding: ascii\n'
        printf 'Segment0_LabelValue:=3\nSegment0_Name:=liver\nSegment1_LabelValue:=7\nSegment1_Name:=Portal vein\n\n'
        awk 'BEGIN { for (k = 0; k < 30; k++) for (j = 0; j < 12; j++) for (i = 0; i < 12; i++)
            print (i - 3) ^ 2 + (j - 5) ^ 2 < 7 ? 7 : (i > 7 && k > 4 && k < 20 ? 3 : 0) }'
    } >"$1"
}

# Two rods 5 mm wide across two slices of 8 mm; "image": of it, what a scanner would show.
thick_nrrd() { # thick_nrrd FILE [image]
    {
        printf 'NRRD0004\ntype: float\ndimension: 3\nspace: left-posterior-superior\nsizes: 40 30 5\n'
        printf 'space directions: (1,0,0) (0,1,0) (0,0,8)\nspace origin: (0,0,0)\nencoding: ascii\n\n'
        awk -v image="${2:-}" 'BEGIN { for (k = 0; k < 5; k++) for (j = 0; j < 30; j++) for (i = 0; i < 40; i++) {
            in_rod = (k == 1 || k == 2) && ((i - 10) ^ 2 + (j - 7) ^ 2 < 7 || (i - 28) ^ 2 + (j - 22) ^ 2 < 7)
            print image ? 100 * in_rod + (i * 7 + j * 13 + k * 5) % 11 / 7 : in_rod } }'
    } >"$1"
}

# A polyline with radii, as VMTK writes a centreline.
centreline_vtp() { # centreline_vtp FILE
    printf '%s' '<?xml version="1.0"?><VTKFile type="PolyData" version="0.1" byte_order="LittleEndian"><PolyData>' \
        '<Piece NumberOfPoints="2" NumberOfVerts="0" NumberOfLines="1" NumberOfStrips="0" NumberOfPolys="0"><Points>' \
        '<DataArray type="Float32" NumberOfComponents="3" format="ascii">0 0 0 0 0 30</DataArray></Points><Lines>' \
        '<DataArray type="Int32" Name="connectivity" format="ascii">0 1</DataArray>' \
        '<DataArray type="Int32" Name="offsets" format="ascii">2</DataArray></Lines></Piece></PolyData></VTKFile>' >"$1"
}

# A folder of masks as TotalSegmentator writes it: organs, two vessels, one of them and an image's name before all others
# empty.
organ_files() { # organ_files DIR
    mkdir -p "$1/segs"
    phantom --kind portal --spacing 4 --out "$1/drawn" >/dev/null 2>&1
    for organ in adrenal_gland_left colon esophagus heart kidney_left kidney_right liver lung_upper_lobe_left pancreas spleen \
        stomach trachea aorta portal_vein_and_splenic_vein; do
        cp "$1/drawn/truth/mask.nii.gz" "$1/segs/$organ.nii.gz"
    done
    zcat "$1/segs/aorta.nii.gz" | { head -c 352; tr '\001' '\000'; } | gzip >"$1/segs/inferior_vena_cava.nii.gz"
    cp "$1/segs/inferior_vena_cava.nii.gz" "$1/a.nii.gz"
    mv "$1/drawn/images/portal.nii.gz" "$1/ct.nii.gz"
    rm -r "$1/drawn"
}

# The masks of TotalSegmentator's task headneck_bones_vessels.
neck_files() { # neck_files DIR
    mkdir -p "$1/segs"
    phantom --kind portal --spacing 4 --out "$1/drawn" >/dev/null 2>&1
    for organ in larynx_air thyroid_cartilage hyoid cricoid_cartilage zygomatic_arch_right zygomatic_arch_left styloid_process_right \
        styloid_process_left internal_carotid_artery_right internal_carotid_artery_left internal_jugular_vein_right \
        internal_jugular_vein_left; do
        cp "$1/drawn/truth/mask.nii.gz" "$1/segs/$organ.nii.gz"
    done
    rm -r "$1/drawn"
}

# A mask of a vessel along x with a stub down from its middle, shorter than wide, and its case.
stub_case() {
    {
        printf 'NRRD0004\ntype: uchar\ndimension: 3\nspace: left-posterior-superior\nsizes: 60 24 30\n'
        printf 'space directions: (1,0,0) (0,1,0) (0,0,1)\nspace origin: (0,0,0)\nencoding: ascii\n\n'
        awk 'BEGIN { for (k = 0; k < 30; k++) for (j = 0; j < 24; j++) for (i = 0; i < 60; i++) { x = i - 30; y = j - 12; z = k - 14
            print (y * y + z * z < 20 && i >= 4 && i < 56) || (x * x + y * y < 20 && z <= 0 && k >= 7) ? 1 : 0 } }'
    } >stub.nrrd
    cat >case.yaml <<'CASE'
space: LPS
segment: {method: labels, labels: {path: stub.nrrd}}
openings:
  - {name: SMV, role: inlet, point: [30, 12, 7], normal: [0, 0, -1], flow: 0.1 L/min}
  - {name: SV, role: inlet, point: [5, 12, 14], flow: 0.1 L/min}
  - {name: PV, role: outlet, point: [54, 12, 14], pressure: 0 mmHg}
mesh: {spacing: 0.6 mm}
CASE
}

# A vessel of 8 x 8 mm along z as a mask: all four stages in a few seconds.
mask_case() { # mask_case [FOLDER]
    mkdir -p "${1:-.}/images"
    local none='' some='' slice='' k
    for k in {1..16}; do none+='\0'; done
    some='\0\0\0\0\1\1\1\1\1\1\1\1\0\0\0\0'
    for k in {1..16}; do if ((k > 4 && k < 13)); then slice+=$some; else slice+=$none; fi; done
    for k in {1..16}; do printf "$slice"; done | nifti "${1:-.}/images/mask.nii"
    cat >"${1:-.}/case.yaml" <<'CASE'
name: mask
space: LPS
segment: {method: labels, labels: {path: images/mask.nii}}
openings:
  - {name: IN, role: inlet, point: [7.5, 7.5, 2], normal: [0, 0, -1], flow: 0.05 L/min}
  - {name: OUT, role: outlet, point: [7.5, 7.5, 13], normal: [0, 0, 1], pressure: 0 mmHg}
blood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}
mesh: {spacing: 0.8 mm}
solve: {mode: steady, tolerance: 1e-4, collision: trt}
sections:
  - {name: MID, point: [7.5, 7.5, 7.5]}
readouts:
  - {pressure_drop: {from: IN, to: OUT}}
CASE
}

# A cube of background within the vessel of mask_case, from voxel $1 to $2 along each axis.
hole_in_mask() {
    local y z
    for ((z = $1; z <= $2; z++)); do
        for ((y = $1; y <= $2; y++)); do
            head -c $(($2 - $1 + 1)) /dev/zero |
                dd of=images/mask.nii bs=1 seek=$((352 + $1 + 16 * (y + 16 * z))) conv=notrunc status=none
        done
    done
}

# mask_case with label 2 as porous tissue in the slices 6 to 9 of the vessel.
porous_label_case() {
    local y z
    mask_case
    for z in 6 7 8 9; do
        for y in {4..11}; do
            printf '\2\2\2\2\2\2\2\2' |
                dd of=images/mask.nii bs=1 seek=$((352 + 4 + 16 * (y + 16 * z))) conv=notrunc status=none
        done
    done
    echo 'porous: [{name: plug, permeability: 1e-8 m2, label: 2}]' >>case.yaml
}

# The wall of an open tube along z, off the origin, its frame not said.
tube_surface() { # tube_surface RADIUS LENGTH FILE
    awk -v r="$1" -v h="$2" 'BEGIN { n = 24; m = 30; p = 8 * atan2(1, 1)
        printf "# vtk DataFile Version 3.0\ntube\nASCII\nDATASET POLYDATA\nPOINTS %d float\n", n * (m + 1)
        for (j = 0; j <= m; j++) for (i = 0; i < n; i++) print 5 * r + r * cos(p * i / n), 2 * r + r * sin(p * i / n), h * j / m
        printf "POLYGONS %d %d\n", n * m, 5 * n * m
        for (j = 0; j < m; j++) for (i = 0; i < n; i++) print 4, j * n + i, j * n + (i + 1) % n, (j + 1) * n + (i + 1) % n, (j + 1) * n + i }' >"$3"
}

# The pipe with a pulse of 0.2 s and a checkpoint at every turn: two seconds of computing.
pulse_case() { # pulse_case [FOLDER]
    pipe_case "${1:-.}"
    retype 'flow: 0.05 L/min' 'flow: {waveform: in.csv}' "${1:-.}"
    retype 'mode: steady, tolerance: 1e-4' 'mode: pulsatile, cycles: 1, stores: 3, checkpoint: 10 ms' "${1:-.}"
    printf 't_s,flow_ml_s\n0,0.8\n0.1,1.2\n0.2,0.8\n' >"${1:-.}/in.csv"
}

noise_image() { head -c 4096 /dev/urandom | nifti "${1:-images/a.nii}"; }
truncated_image() { head -c 1000 /dev/urandom | nifti "${1:-images/a.nii}"; }

# Sets the first COUNT slices of a phantom's image (float, .nii.gz) to NaN.
nan_slices() { # nan_slices COUNT FILE
    gunzip -c "$2" | perl -0777 -pe 'my ($x, $y) = unpack("x42 s2", $_);
        substr($_, 352, 4 * $x * $y * '"$1"') = pack("f", "nan") x ($x * $y * '"$1"')' | gzip -c >nan.gz
    mv nan.gz "$2"
}

# A mask of a tube along z with a branch along x, each leaving the image; openings at the ends of the tube alone.
branch_case() {
    image_case
    mkdir -p images
    printf '%b' "$(awk 'BEGIN { for (z = 0; z < 16; z++) for (y = 0; y < 16; y++) for (x = 0; x < 16; x++) {
        a = (x - 7)^2 + (y - 8)^2 < 13; b = x > 6 && (y - 8)^2 + (z - 8)^2 < 10; printf "\\%03o", a || b } }')" |
        nifti images/a.nii
    retype 'segment: {method: level-set, seeds: [[8, 8, 8]]}' 'segment: {method: labels, labels: {path: images/a.nii}}'
    retype 'point: [8, 8, 2]' 'point: [7, 8, 2]'
    retype 'point: [8, 8, 14]' 'point: [7, 8, 13]'
}

# An STL of a tube along z (radius 4, 0 to 30 mm), open at both ends, where the openings are; "hole": one in its side too.
tube_case() { # tube_case [hole]
    awk -v hole="${1:-}" 'function p(i, k) { return sprintf("vertex %.6f %.6f %.6f\n", 4 * cos(i * 6.283185307 / 40), 4 * sin(i * 6.283185307 / 40), k * 0.75) }
        function t(a, b, c) { printf "facet normal 0 0 0\nouter loop\n%s%s%sendloop\nendfacet\n", a, b, c }
        BEGIN { print "solid SPACE=LPS"
            for (k = 0; k < 40; k++) for (i = 0; i < 40; i++) if (!(hole == "hole" && k >= 18 && k < 22 && i < 5)) {
                t(p(i, k), p((i + 1) % 40, k), p((i + 1) % 40, k + 1)); t(p(i, k), p((i + 1) % 40, k + 1), p(i, k + 1)) }
            print "endsolid" }' >tube.stl
    cat >case.yaml <<'CASE'
space: LPS
segment: {method: surface, surface: {path: tube.stl, unit: mm}}
openings:
  - {name: IN, role: inlet, point: [0, 0, 2], flow: 0.05 L/min}
  - {name: OUT, role: outlet, point: [0, 0, 28], pressure: 0 mmHg}
mesh: {spacing: 0.5 mm}
CASE
}

# tube_case with closed ends and a second such tube, turned over, whose axis is SHIFT mm beside the first one's.
gap_case() { # gap_case SHIFT
    tube_case
    add_disc 0 4 0
    add_disc 30 4 0
    awk -v shift="$1" '/endsolid/ { exit } { print; line[n++] = $0 }
        END { for (k = 0; k < n; k++) { $0 = line[k]; if (/vertex/) print $1, shift - $2, -$3, $4; else if (!/solid/) print }; print "endsolid" }' tube.stl >two.stl
    mv two.stl tube.stl
}

# A closed STL of a tube along z (radius 2, 0 to 24 mm) with a side branch of radius 1.4 along x at z = 12, capped LENGTH mm
# beyond the wall of the tube; no opening at the branch. CAP: fan, ear (from one corner) or strip.
tee_case() { # tee_case LENGTH [CAP]
    awk -v length_mm="$1" -v cap="${2:-fan}" 'function v(p) { return "vertex " x[p] " " y[p] " " z[p] "\n" }
        function t(a, b, c) { printf "facet normal 0 0 0\nouter loop\n%s%s%sendloop\nendfacet\n", v(a), v(b), v(c) }
        function add(a, b, c) { x[n] = a; y[n] = b; z[n] = c; return n++ }
        function lid(rim, m, middle,  i) {
            for (i = 0; i < m; i++) {
                if (cap == "fan" || cap == "dome") t(rim[i], rim[(i + 1) % m], middle)
                else if (cap == "ear" && i > 0 && i < m - 1) t(rim[0], rim[i], rim[i + 1])
                else if (cap == "strip" && i > 0 && i < m / 2) {
                    t(rim[i], rim[i + 1], rim[(m - i) % m]); if (i + 1 < m / 2) t(rim[i + 1], rim[m - i - 1], rim[m - i]) } }
            if (cap == "strip") t(rim[0], rim[1], rim[m - 1]) }
        BEGIN { n = m = 0; N = 48; M = 48; pi = 3.14159265358979; print "solid tee"
            for (k = 0; k <= M; k++) for (i = 0; i < N; i++) p[i, k] = add(2 * cos((i - 9) * 2 * pi / N), 2 * sin((i - 9) * 2 * pi / N), k / 2)
            for (k = 0; k < M; k++) for (i = 0; i < N; i++) if (!(i < 18 && k >= 20 && k < 28)) {
                j = (i + 1) % N; t(p[i, k], p[j, k], p[j, k + 1]); t(p[i, k], p[j, k + 1], p[i, k + 1]) }
            for (i = 0; i < 18; i++) hole[m++] = p[i, 20]
            for (k = 20; k < 28; k++) hole[m++] = p[18, k]
            for (i = 18; i > 0; i--) hole[m++] = p[i, 28]
            for (k = 28; k > 20; k--) hole[m++] = p[0, k]
            for (i = 0; i < m; i++) { a = atan2((z[hole[i]] - 12) * 0.75, y[hole[i]]); b = 1.4 * cos(a); c = 1.4 * sin(a)
                foot[i] = add(sqrt(4 - b * b), b, 12 + c); rim[i] = add(2 + length_mm, b, 12 + c) }
            for (i = 0; i < m; i++) { j = (i + 1) % m
                t(hole[i], hole[j], foot[j]); t(hole[i], foot[j], foot[i]); t(foot[i], foot[j], rim[j]); t(foot[i], rim[j], rim[i]) }
            lid(rim, m, add(2 + length_mm + (cap == "dome" ? 0.5 : 0), 0, 12))
            for (i = 0; i < N; i++) { low[i] = p[(N - i) % N, 0]; high[i] = p[i, M] }
            lid(low, N, add(0, 0, 0)); lid(high, N, add(0, 0, 24)); print "endsolid tee" }' >tee.stl
    cat >case.yaml <<'CASE'
space: LPS
segment: {method: surface, surface: {path: tee.stl, unit: mm, frame: LPS}}
openings:
  - {name: IN, role: inlet, point: [0, 0, 1], flow: 0.05 L/min}
  - {name: OUT, role: outlet, point: [0, 0, 23], pressure: 0 mmHg}
mesh: {cells_per_diameter: 12}
readouts:
  - {pressure_drop: {from: IN, to: OUT}}
CASE
}

# Add to tube.stl a disc at height Z, its 40 rim points turned by TURN points, each edge of its rim in PARTS.
add_disc() { # add_disc Z RADIUS TURN [PARTS]
    { sed '$d' tube.stl
      awk -v z="$1" -v r="$2" -v turn="$3" -v parts="${4:-1}" 'function x(i) { return r * cos((i % 40 + turn) * 6.283185307 / 40) }
        function y(i) { return r * sin((i % 40 + turn) * 6.283185307 / 40) }
        function v(i, f) { return sprintf("vertex %.6f %.6f %s\n", x(i) + f * (x(i + 1) - x(i)), y(i) + f * (y(i + 1) - y(i)), z) }
        BEGIN { for (i = 0; i < 40; i++) for (k = 0; k < parts; k++)
                printf "facet normal 0 0 0\nouter loop\n%s%svertex 0 0 %s\nendloop\nendfacet\n", v(i, k / parts), v(i, (k + 1) / parts), z
            print "endsolid" }'
    } >t; mv t tube.stl
}

# Change one word of case.yaml: retype OLD NEW [FOLDER]
retype() {
    grep -qF -- "$1" "${3:-.}/case.yaml" || { echo "fixture: '$1' is not in case.yaml"; return 99; }
    local text
    text=$(cat "${3:-.}/case.yaml")
    printf '%s\n' "${text/"$1"/"$2"}" >"${3:-.}/case.yaml"
}

# A folder that nobody can write to until the command is over; ends with 77 where that is not allowed.
on_read_only() { # on_read_only FOLDER COMMAND...
    local folder=$1
    shift
    unshare -m true 2>/dev/null || return 77
    unshare -m bash -c "mount --bind '$folder' '$folder' && mount -o remount,bind,ro '$folder' || exit 77; $*"
}

# A file system of 64 kB in full/ until the command is over; ends with 77 where that is not allowed.
on_full_disk() { # on_full_disk COMMAND...
    mkdir -p full
    unshare -m true 2>/dev/null || return 77
    export -f pipe_case image_case noise_image nifti i16 i32 f32 retype 2>/dev/null
    unshare -m bash -c 'mount -t tmpfs -o size=64k tmpfs full 2>/dev/null || exit 77; '"$*"
}

# stopped_when TEXT SIGNAL COMMAND..: starts it, sends the signal once it has said the text, and waits for its end. What it
# said is in the file 'said'.
stopped_when() {
    local seen=$1 signal=$2
    shift 2
    : >said
    "$@" >said 2>&1 &
    local run=$!
    until grep -q "$seen" said || ! kill -0 $run 2>/dev/null; do sleep 0.01; done
    kill -"$signal" $run
    wait $run
    local code=$?
    cat said
    return $code
}

# The pipe on three lattices, stopped while the second of them is solved.
stopped_grid_sequence() {
    pipe_case
    retype 'spacing: 0.5 mm' 'spacing: 0.16 mm'
    retype '  box: {' '  grid_levels: 3
  box: {'
    retype 1e-4 1e-6
    stopped_when 'grid sequence, run 2 of 3' TERM pipeline run . --to solve >/dev/null
}

# A tube phantom in 'p' whose slices (33 to 36) hold what the first one does: closed for 8 mm between its seed and inlet
# and a second seed, where no opening is. closed_tube [SLICE..]
closed_tube() {
    phantom --kind tube --spacing 2 --out p >/dev/null
    zcat p/images/tube.nii.gz >t.nii
    local slice=$((27 * 32 * 4)) k
    dd if=t.nii of=t.slice bs=$slice count=1 iflag=skip_bytes skip=352 2>/dev/null
    for k in ${*:-33 34 35 36}; do dd if=t.slice of=t.nii bs=$slice oflag=seek_bytes seek=$((352 + k * slice)) conv=notrunc 2>/dev/null; done
    gzip -c t.nii >p/images/tube.nii.gz
    sed -i '/name: outlet/d; /readouts/,$d; s|flow: 0.06 L/min}.*|pressure: 5 mmHg}|; /# TUBE/a\    - [-4.2, -8.4, 25.2]' p/case.yaml
}

# A fork whose outlets have resistances: A is the liver, HV a shunt to a pressure known to 1 mmHg.
shunt_case() {
    cat >case.yaml <<'CASE'
name: shunt
space: LPS
openings:
  - {name: IN, role: inlet, point: [0, 0, -6], normal: [0, 0, -1], flow: 0.05 L/min}
  - {name: A, role: outlet, point: [4.2, 0, 5.0], normal: [0.643, 0, 0.766], resistance: {value: 60 mmHg min/L, distal: 5 mmHg}}
  - {name: HV, role: outlet, point: [-4.2, 0.5, 5.0], normal: [-0.64, 0.08, 0.766], resistance: {value: 40 mmHg min/L, distal: 5 mmHg +- 1 mmHg}}
blood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}
mesh:
  spacing: 0.4 mm
  grid_levels: 2
  shape:
    type: tree
    segments:
      - {from: [0, 0, -12], to: [0, 0, 0], radius_from: 2.6 mm, radius_to: 2.6 mm}
      - {from: [0, 0, 0], to: [8.4, 0, 10.0], radius_from: 2.4 mm, radius_to: 2.4 mm}
      - {from: [0, 0, 0], to: [-8.4, 1, 10.0], radius_from: 2.4 mm, radius_to: 2.4 mm}
  box: {low: [-9, -5, -8], high: [9, 5, 9]}
solve: {mode: steady, tolerance: 1e-4}
readouts:
  - ppg: {portal: IN, cava: HV, liver: {model: outlets}}
CASE
}

# A fork of two equal branches whose outlets get resistances from uncertain pressures. Against expected_split: the values
# of the network of these resistances, with both branches as one resistance each and without inertia (1.1 % here).
split_case() {
    shunt_case
    sed -i 's/, resistance: {.*}}/}/; s/4.2, 0.5, 5.0/4.2, 0, 5.0/; s/-0.64, 0.08, 0.766/-0.643, 0, 0.766/; s/-8.4, 1,/-8.4, 0,/
        s/3.5 mPa s/20 mPa s/; s/1e-4/1e-5/' case.yaml
    echo 'split: {A: 70 %, HV: rest, mean_pressure: 40 Pa +- 16 Pa, distal: 10 Pa +- 8 Pa}' >>case.yaml
}
expected_split() { # expected_split < readouts.json
    awk '
        function flow(mean, distal) { # through A
            drop = mean - distal
            return q * (r + drop / 0.3 / q) / (2 * r + drop / 0.7 / q + drop / 0.3 / q)
        }
        # gradient between the junction and the pressure behind A
        function gradient(mean, distal) { return ((mean - distal) / 0.7 / q + r) * flow(mean, distal) }
        # change of an input over its half-width, from a run that changes the input by half of it
        function expect(what, value, base, changed) {
            if (2 * (changed - base) * value <= 0 || (value / (changed - base) / 2 - 1) ^ 2 > 0.015 ^ 2) {
                print what ": " value " instead of " 2 * (changed - base)
                bad = 1
            }
        }
        { gsub(/[",]/, "") }
        /^\t\t[A-Z]+:/ { name = $1 }
        /^\tppg:/ { name = "ppg:" }
        /^\t\t\t[a-z_]+:/ { if ($2 != "{") value[name $1] = $2 }
        /^\t\t\t\t[a-z_]+:/ { key = $1 }
        name == "ppg:" { key = "" }
        /split [a-z_]+:/ && !((name key $2) in by) { by[name key $2] = $3 }
        END {
            q = value["IN:flow_ml_s:"]
            r = (value["A:pressure_pa:"] - value["HV:pressure_pa:"]) / (value["HV:flow_ml_s:"] - value["A:flow_ml_s:"])
            expect("flow, mean", by["A:flow_ml_s:mean_pressure:"], flow(40, 10), flow(48, 10))
            expect("flow, distal", -by["A:flow_ml_s:distal:"], flow(40, 10), flow(40, 6))
            expect("inlet, mean", by["IN:pressure_pa:mean_pressure:"], gradient(40, 10), gradient(48, 10))
            expect("gradient, mean", 133.322 * by["ppg:mean_pressure:"], gradient(40, 10), gradient(48, 10))
            expect("gradient, distal", -133.322 * by["ppg:distal:"], gradient(40, 10), gradient(40, 6))
            print bad ? "not the network" : "the network, r = " r
        }
    '
}
