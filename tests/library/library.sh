#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An installed libportaflow: an outside project finds it, solves a pipe in two threads at once, and gets the bits of `solve`, also
# with heat, shear-thinning blood and for each phase of a pulse; the examples and the Python module give the same pressure drop;
# only pf_* is exported.
# usage: tests/library/library.sh BUILD_DIR SOURCE_DIR C_COMPILER
set -euo pipefail
build=$(readlink -f "$1") source=$(readlink -f "$2") compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "library: $*"; bad=1; }
export OMP_NUM_THREADS=1 # also for solve: the bits depend on the number of threads
cmake --install "$build" --component library --prefix "$work/usr" >"$work/log"
shared=$(find "$work/usr" -name 'libportaflow.so.0' -print -quit)
[ -n "$shared" ] || { echo "library: no libportaflow.so.0 was installed"; exit 1; }

# exported symbols
nm -D --defined-only "$shared" | awk '{print $NF}' | sort >"$work/exported"
grep -v '^pf_' "$work/exported" >"$work/foreign" && say "libportaflow exports other names than pf_*: $(head -n 5 "$work/foreign")"
grep -o 'PF_API [^;]*' "$source/library/portaflow.h" | grep -o 'pf_[a-z0-9_]*(' | tr -d '(' | sort >"$work/declared"
diff "$work/declared" "$work/exported" >"$work/differ" || say "portaflow.h and the exports differ: $(cat "$work/differ")"

# an outside project, by CMake and by pkg-config
mkdir "$work/outside"
if ! { cmake -S "$source/tests/library/outside" -B "$work/outside" -DCMAKE_PREFIX_PATH="$work/usr" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" -DEXAMPLES="$source/library/examples" && cmake --build "$work/outside"; } >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
if command -v pkg-config >/dev/null; then
    package=$(dirname "$(find "$work/usr" -name portaflow.pc)")
    read -ra flags <<<"$(PKG_CONFIG_PATH=$package pkg-config --cflags --libs portaflow)"
    "$compiler" -o "$work/by_pkg_config" "$source/library/examples/steady_pipe.c" "${flags[@]}" -Wl,-rpath,"$(dirname "$shared")" ||
        say "an example does not compile with pkg-config"
fi

# the pipe by the programs
cd "$work"
# shellcheck source=tests/cli/fixtures.sh
. "$source/tests/cli/fixtures.sh"
pipe_case
for viscosity in 3.5 4.5; do
    "$build/bin/mesh" --case case.yaml --out mesh --set "blood.viscosity=$viscosity mPa s" 2>said || { cat said; exit 1; }
    "$build/bin/solve" --case case.yaml --in mesh --out "solve_$viscosity" --device cpu \
        --set "blood.viscosity=$viscosity mPa s" 2>said || { cat said; exit 1; }
    "$build/tests/dump_fields" mesh/lattice.h5 "solve_$viscosity/fields.vtkhdf" "solve_$viscosity.raw"
done
cmp -s solve_3.5.raw solve_4.5.raw && say "solve has the same flow for two viscosities"

# two threads: the same flow twice, then two flows
for pair in "3.5 3.5" "3.5 4.5"; do
    read -r first second <<<"$pair"
    code=0
    outside/two_threads mesh/lattice.h5 case.yaml "blood.viscosity=$first mPa s" "blood.viscosity=$second mPa s" pair || code=$?
    [ $code = 0 ] || say "two threads with $pair mPa s end with $code"
    cmp "pair_0" "solve_$first.raw" || say "thread 0 of $pair differs from solve"
    cmp "pair_1" "solve_$second.raw" || say "thread 1 of $pair differs from solve"
    rm -f pair_?
done

# lattices without files: the shape of the case has the bits of mesh and solve; a distance of the caller has Poiseuille's drop
outside/two_threads - case.yaml "blood.viscosity=3.5 mPa s" "blood.viscosity=4.5 mPa s" made || say "meshing in two threads fails"
cmp made_0 solve_3.5.raw || say "thread 0 differs from mesh and solve"
cmp made_1 solve_4.5.raw || say "thread 1 differs from mesh and solve"
outside/mesh_lumen case.yaml >said 2>&1 && say "a lumen is accepted beside mesh.shape"
grep -q 'has a mesh.shape and a lumen' said || say "a lumen beside mesh.shape gives: $(cat said)"
mkdir lumen
sed '/shape:\|box:/d' case.yaml >lumen/case.yaml
outside/mesh_lumen lumen/case.yaml mesh.spacing="0.25 mm" >printed || say "mesh_lumen fails"
awk '{ exact = 128 * 3.5e-3 * 8.3333e-7 * 8e-3 / (3.14159265 * 6e-3 ^ 4); good = $5 > 0.98 * exact && $5 < 1.02 * exact }
    END { exit !good }' printed || say "mesh_lumen prints $(cat printed)"
mkdir voxel
{ printf 'space: voxel\nimage: {path: none.nii.gz}\n'; grep -v '^space' lumen/case.yaml; } >voxel/case.yaml
outside/mesh_lumen voxel/case.yaml mesh.spacing="0.25 mm" >said 2>&1 && say "points in voxels are taken as those of the lumen"
grep -q 'gives its points in voxels' said || say "points in voxels give: $(cat said)"

# other physics, and a pulse: in one piece with the waveform of the file, in pieces with the same waveform from memory
physics() { # physics NAME: the flow of case.yaml by the programs, in the folder NAME
    "$build/bin/mesh" --case case.yaml --out "$1" 2>said && "$build/bin/solve" --case case.yaml --in "$1" --out "$1" \
        --device cpu --set mesh.grid_levels=1 2>said || { cat said; exit 1; }
}
mkdir physics
(
    cd physics
    heat_case
    physics heat
    "$build/tests/dump_fields" heat/lattice.h5 heat/fields.vtkhdf heat.raw
    ../outside/two_threads heat/lattice.h5 case.yaml mesh.grid_levels=1 blood.density="1001 kg/m3" heat
    pipe_case
    retype 'viscosity: 3.5 mPa s' 'model: casson'
    physics casson
    "$build/tests/dump_fields" casson/lattice.h5 casson/fields.vtkhdf casson.raw
    ../outside/two_threads casson/lattice.h5 case.yaml blood.hematocrit=0.3 mesh.grid_levels=1 casson
    pulse_case
    physics pulse
    ../outside/phases pulse/lattice.h5 case.yaml 0 0 file
    ../outside/phases pulse/lattice.h5 case.yaml 0.05 0.2 memory
    for k in 0 1 2; do "$build/tests/dump_fields" pulse/lattice.h5 "pulse/fields_000$k.vtkhdf" "pulse_$k"; done
) >log 2>&1 || say "other physics: $(cat log)"
for pair in "heat_0 heat.raw" "casson_1 casson.raw" "file_0 pulse_0" "file_1 pulse_1" "file_2 pulse_2" \
    "memory_0 pulse_0" "memory_1 pulse_1" "memory_2 pulse_2"; do
    read -r first second <<<"$pair"
    cmp "physics/$first" "physics/$second" || say "$first differs from solve"
done
for pair in "heat_1 heat.raw" "casson_0 casson.raw" "pulse_0 pulse_1"; do
    read -r first second <<<"$pair"
    cmp -s "physics/$first" "physics/$second" && say "$first and $second are the same"
done

# examples; a case that is built without a file has the flow of the case file
flow=8.3333333333333335e-07 # 0.05 L/min
drop() { # drop COMMAND..: the pressure drop that an example prints
    "$@" 2>said >drop_printed || true
    sed -n 's/^pressure drop \([^ ]*\) Pa after.*/\1/p' drop_printed
}
outside/steady_pipe mesh/lattice.h5 IN $flow OUT >printed || say "steady_pipe fails"
given=$(drop outside/steady_pipe mesh/lattice.h5 IN $flow OUT)
awk -v d="$given" 'BEGIN { exit !(d > 0.1 && d < 10) }' || say "steady_pipe prints the pressure drop '$given'"
outside/read_fields mesh/lattice.h5 case.yaml "blood.viscosity=4 mPa s" >printed || say "read_fields fails"
grep -q '^fastest cell: centre .* m/s, .* Pa$' printed || say "read_fields prints '$(cat printed)'"
outside/parameter_study mesh/lattice.h5 IN $flow OUT >printed || say "parameter_study fails"
grep -qx "0.0035,$given,.*" printed || say "parameter_study has another pressure drop than $given: $(cat printed)"
[ "$(wc -l <printed)" = 4 ] || say "parameter_study prints $(wc -l <printed) lines"
outside/several_gpus mesh/lattice.h5 IN $flow OUT >drops 2>said || say "several_gpus fails: $(cat said)"
gpus=$("$build/bin/solve" devices | sed -n 's/^cuda (\(.*\))$/\1/p')
[ "$(wc -l <drops)" = $((1 + ${gpus:-2})) ] || say "several_gpus prints $(cat drops)"
[ "$(cut -d, -f3 drops | sort -u | wc -l)" = $((1 + ${gpus:-1})) ] || say "several_gpus computed on $(cut -d, -f3 drops)"
for row in 2 3; do
    grep -qF "$(sed -n "${row}p" printed | cut -d, -f1,2)," drops || [ "${gpus:-2}" -lt $((row - 1)) ] || say "several_gpus lacks row $row of $(cat printed)"
done
outside/patient_case mesh/lattice.h5 case.yaml auto "openings.IN.flow=0.06 L/min" >patient 2>said || say "patient_case fails: $(cat said)"
awk -F, '$1 == "OUT" && $2 > 0.998e-6 && $2 < 1.002e-6 { good = 1 } END { exit !good }' patient || say "patient_case prints $(cat patient)"
outside/patient_case mesh/lattice.h5 case.yaml gpu >printed 2>said && say "patient_case accepts the device 'gpu'"
grep -q "device 'gpu' is unknown; it is one of auto, cpu, cuda" said || say "the device 'gpu' gives: $(cat said)"
outside/inlet_in_time mesh/lattice.h5 IN $flow OUT 0.2 >pulse 2>said || say "inlet_in_time fails: $(cat said)"
[ "$(grep -c '^0\.[0-9.]*,.*,' pulse)" = 4 ] && [ "$(grep -c '^phase' pulse)" = 4 ] || say "inlet_in_time prints $(cat pulse)"
python=python3 # a Python with NumPy, if the system has one
for each in python3 /usr/bin/python3; do ! $each -c 'import numpy' 2>/dev/null || python=$each; done
if command -v $python >/dev/null; then
    module=$(dirname "$(find "$work/usr" -name portaflow.py)")
    cp "$source/library/python/steady_pipe.py" . # beside it, Python would find the module of the sources
    found=$(PYTHONPATH=$module${PYTHONPATH:+:$PYTHONPATH} drop $python steady_pipe.py mesh/lattice.h5 IN $flow OUT)
    [ "$found" = "$given" ] || say "Python finds the pressure drop '$found', C $given: $(cat said)"
    grep -h NumPy said || true
    run_python() { PYTHONPATH=$module${PYTHONPATH:+:$PYTHONPATH} $python "$@"; }
    cp "$source/library/python/inlet_in_time.py" "$source/library/python/parameter_study.py" .
    run_python inlet_in_time.py mesh/lattice.h5 IN $flow OUT 0.2 >printed || say "inlet_in_time.py fails"
    diff <(grep '^0' pulse) <(grep '^0' printed) || say "inlet_in_time.py and inlet_in_time differ"
    [ "$(grep -c '^phase' printed)" = 4 ] || say "inlet_in_time.py prints $(cat printed)"
    run_python parameter_study.py mesh/lattice.h5 IN $flow OUT >printed || say "parameter_study.py fails"
    grep -qx "0.0035,$given,.*" printed || say "parameter_study.py has another pressure drop than $given: $(cat printed)"
    run_python "$source/tests/library/use_module.py" mesh/lattice.h5 || say "the Python module fails"
else
    echo "library: python3 is missing: the Python module is not tested"
fi
[ $bad = 0 ] && echo "library: an outside project has the flow of solve, pressure drop $given Pa"
exit $bad
