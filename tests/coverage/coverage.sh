#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lines of the readers that their tests run: one line a file, then every refusal (fail) that no test reaches.
# usage: tests/coverage/coverage.sh [BUILD_DIR, default build-coverage] [least percent, default 0]
# gcc alone (gcov); exit 1 when all readers together are below the least percent.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build-coverage} least=${2:-0}
readers='common/base/csv.c common/base/units.c common/record/json.c common/record/hdf5_util.c common/record/hdf5_seal.c
common/record/provenance.c common/image/affine.c common/dicom/dicom_files.cpp common/dicom/dicom_header.cpp
common/dicom/dicom_tags.cpp common/dicom/dicom_unpack.cpp common/dicom/dicom_pixels.c
common/dicom/dicom_stack.c common/image_file/voxel_data.c common/image/isolate.c common/dicom/itk_dicom.cpp
common/image_file/itk_image.cpp common/image_file/length_unit.c common/image_file/meta_image.c
common/image_file/nifti_file.c common/image_file/nifti_forms.c common/image_file/nrrd_image.c common/lattice/lattice_file.c
common/lattice/lattice_check.c common/lattice/field_file.c common/surface_vtk/surface_whole.c common/surface_vtk/surface_ply.c
common/surface_vtk/surface_legacy.c common/surface_vtk/vtk_surface_read.cpp common/surface_vtk/vtk_surface_xml.cpp
common/case/case_yaml.c common/case/case_tree.c common/case/case_value.c common/case/case_lists.c 
common/case/case_opening.c common/case/case_shape.c common/case/case_check.c common/case/case_setting.c
common/case/case_chain.c common/waveform/waveform_read.c solve/output/checkpoint.c solve/output/stored_files.c post/probe/probe_points.c post/flow/monitors.c'
tests='fuzz_.*_replay|test_(case.*|waveform|units|csv|csv_whole|provenance|image_whole|nifti_types|image_refused|rare_image|rare_hdf5|itk_image|itk_dicom|dicom_stack|dicom_refused|lattice|lattice_file|field_file|surface|surface_whole|vtk_surface|checkpoint|report_parts|probe|probe_wall|shape|flow_dicom|phase_contrast|init_series|volume)'
flags="--coverage -O0 -include $PWD/tests/coverage/exit.h"
cmake -S . -B "$build" -G Ninja -DCUDA=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" >/dev/null
mapfile -t targets < <(ctest --test-dir "$build" -N -R "^($tests)\$" | sed -n 's/^ *Test *#[0-9]*: //p')
cmake --build "$build" --target "${targets[@]}" >"$build/coverage.log" || { tail -n 30 "$build/coverage.log"; exit 1; }
find "$build" -name '*.gcda' -delete
ctest --test-dir "$build" -R "^($tests)\$" --output-on-failure >"$build/coverage.log" || { echo "tests failed:"; sed -n '/The following tests FAILED/,$p' "$build/coverage.log"; }
all=0 run=0 unreached=''
for file in $readers; do
    data=$(find "$build" -path "*/CMakeFiles/*/$(basename "$file").gcda" -path "*$(basename "$(dirname "$file")")*" | head -n 1)
    [ -n "$data" ] || data=$(find "$build" -name "$(basename "$file").gcda" | head -n 1)
    [ -n "$data" ] || { echo "  -        $file: not run"; continue; }
    data=$(readlink -f "$data")
    (cd "$build" && rm -f ./*.gcov && gcov -p "$data" >/dev/null 2>&1) || true # from where it was compiled
    listing=$(find "$build" -maxdepth 1 -name "*$(echo "$file" | tr / '#').gcov" | head -n 1)
    [ -n "$listing" ] || { echo "  -        $file: no listing"; continue; }
    # a template is listed once more for every type: a line counts once
    counts=$(awk -F: '{ c = $1; l = $2 + 0; gsub(/[ *]/, "", c) } c == "-" { next }
        !(l in seen) { seen[l] = 0; n++ } c !~ /^[#=]/ && !seen[l] { seen[l] = 1; r++ } END { print n + 0, r + 0 }' "$listing")
    read -r n r <<<"$counts"
    [ "$n" -gt 0 ] || { echo "  -        $file: not run"; continue; }
    all=$((all + n)) run=$((run + r))
    printf '%5.1f %%  %4d of %4d  %s\n' "$(echo "100 * $r / $n" | bc -l)" "$r" "$n" "$file"
    unreached+=$(awk -F: -v f="$file" '$1 ~ /#####/ && /fail\(|fail_memory\(/ { line = $2; gsub(/ /, "", line); sub(/^[^:]*:[^:]*:/, ""); gsub(/^ +/, ""); print f ":" line ": " $0 }' "$listing")$'\n'
done
percent=$(echo "100 * $run / $all" | bc -l)
printf '%5.1f %%  %4d of %4d  all readers\n\nrefusals that no test reaches:\n' "$percent" "$run" "$all"
printf '%s' "$unreached" | grep -v '^$' | grep -v fail_memory || true
printf 'and %d for lack of memory (tests/fault)\n' "$(printf '%s' "$unreached" | grep -c fail_memory || true)"
rm -f "$build"/*.gcov
[ "$(echo "$percent >= $least" | bc)" = 1 ]
