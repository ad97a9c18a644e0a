#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mpirun -n N solve`: results of 1, 2, 3 and 5 ranks byte for byte, stopped and resumed on another number of ranks, and what is said
# when a rank dies, the disk is full or the case is bad. Exit 77 where MPI or its part of solve is not there.
#   ranks.sh BIN [cpu | cuda]     cuda: on GPUs, shared where there are fewer than ranks (solve/gpu_check.sh --ranks)
set -uo pipefail
bin=$(cd "$1" && pwd)
device=${2:-cpu}
long=6000 # steps that take some seconds
[ "$device" = cpu ] || long=100000
if ! command -v mpirun >/dev/null || [ ! -e "$bin/solve-mpi.so" ]; then
    echo "skipped: mpirun or solve-mpi.so is not there"
    exit 77
fi
PATH=$bin:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

check() { # check WHAT COMMAND..
    local what=$1
    shift
    "$@" || { echo "FAILED: $what"; failed=1; }
}

# A vessel that divides: inlet by flow, one outlet by pressure, one by flow, all at angles.
case_make() { # case_make FOLDER WALL SOLVE FLOW
    mkdir -p "$1"
    printf 't_s,flow_ml_s\n0,0.5\n0.04,1.0\n0.08,0.5\n' >"$1/wave.csv"
    cat >"$1/case.yaml" <<CASE
name: y
space: LPS
openings:
  - {name: IN, role: inlet, point: [0, 0, -6], normal: [0, 0, -1], flow: $4}
  - {name: A, role: outlet, point: [4.2, 0, 5.0], normal: [0.643, 0, 0.766], pressure: 0 mmHg}
  - {name: B, role: outlet, point: [-4.2, 0.5, 5.0], normal: [-0.64, 0.08, 0.766], flow: 0.02 L/min}
blood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}
mesh:
  spacing: 0.5 mm
  shape:
    type: tree
    segments:
      - {from: [0, 0, -12], to: [0, 0, 0], radius_from: 2.6 mm, radius_to: 2.6 mm}
      - {from: [0, 0, 0], to: [8.4, 0, 10.0], radius_from: 2.1 mm, radius_to: 2.1 mm}
      - {from: [0, 0, 0], to: [-8.4, 1, 10.0], radius_from: 2.1 mm, radius_to: 2.1 mm}
  box: {low: [-9, -5, -8], high: [9, 5, 9]}
solve: {wall: $2, accept_unconverged: true, $3}
CASE
    mesh --case "$1/case.yaml" --out "$1/mesh" 2>"$1/mesh.log" || { cat "$1/mesh.log"; exit 1; }
}

run() { # run CASE RANKS OUT [OPTION..]: exit code of solve, its words in OUT.log; mpirun's own number in the file `launcher`
    local of=$1 n=$2 out=$3
    shift 3
    local solve=(solve --case "$of/case.yaml" --in "$of/mesh" --out "$of/$out" --threads 1 --device "$device" "$@")
    if [ "$n" = 1 ]; then
        "${solve[@]}" 2>"$of/$out.log"
        return
    fi
    mpirun -q --oversubscribe --allow-run-as-root -n "$n" \
        bash -c 'echo $$ >rank$OMPI_COMM_WORLD_RANK; exec "$@"' rank "${solve[@]}" 2>"$of/$out.log" &
    echo $! >launcher
    wait $!
}

same() { # same CASE OUT OTHER: fields and monitors
    local file
    for file in "$1/$2"/*.vtkhdf "$1/$2/monitors.csv"; do
        cmp "$file" "$1/$3/${file##*/}" || return 1
    done
}

says() { # says FILE TEXT
    grep -q "$2" "$1" || { echo "   not said: $2"; cat "$1"; return 1; }
}

all_alike() { # all_alike CASE
    run "$1" 1 one || { cat "$1/one.log"; check "$1 on one rank" false; }
    for n in 2 3 5; do
        run "$1" $n "on$n" || { cat "$1/on$n.log"; check "$1 on $n ranks" false; }
        check "$1: files of $n ranks as of one" same "$1" one "on$n"
    done
}

case_make steady interpolated "mode: steady, tolerance: 1e-2, max_steps: 500, collision: trt" "0.05 L/min"
case_make cumulant interpolated "mode: steady, tolerance: 1e-4, max_steps: 600" "0.05 L/min"
case_make vlbm vlbm "mode: steady, tolerance: 1e-2, max_steps: 300, collision: trt" "0.05 L/min"
case_make pulse interpolated "mode: pulsatile, cycles: 1, stores: 3" "{waveform: wave.csv}"
case_make thinning interpolated "mode: steady, tolerance: 1e-4, max_steps: 300" "0.05 L/min"
sed -i 's/^blood: .*/blood: {density: 1060 kg\/m3, model: carreau-yasuda}/' thinning/case.yaml
mesh --case thinning/case.yaml --out thinning/mesh 2>thinning/mesh.log || check "mesh for shear-thinning blood" false
# An unknown model: one more run of the grid sequence, with shear-thinning blood.
case_make unknown interpolated "mode: steady, tolerance: 1e-4, max_steps: 150" "0.05 L/min"
sed -i 's/^blood: .*/blood: {density: 1060 kg\/m3, model: unknown}/; s/spacing: 0.5 mm/spacing: 0.36 mm\n  grid_levels: 2/' unknown/case.yaml
mesh --case unknown/case.yaml --out unknown/mesh 2>unknown/mesh.log || check "mesh for an unknown blood model" false
run unknown 1 one || check "unknown blood on one rank" false
run unknown 2 on2 || check "unknown blood on two ranks" false
check "unknown blood: a run with shear-thinning blood" [ -s unknown/one/fields_blood.vtkhdf ]
check "unknown blood: files of two ranks as of one" same unknown one on2
# Porous regions: a plug, a core that one rank may hold, one more run of the grid sequence with another permeability.
case_make porous interpolated "mode: steady, tolerance: 1e-4, max_steps: 300, collision: trt" "0.05 L/min"
cat >>porous/case.yaml <<CASE
porous:
  - {name: plug, permeability: 1e-9 m2 +- 30 %, box: {low: [-9, -9, -4], high: [9, 9, -2]}}
  - {name: core, permeability: 5e-7 m2, sphere: {centre: [2, 0, 2.5], radius: 1.5 mm}}
CASE
sed -i 's/spacing: 0.5 mm/spacing: 0.36 mm\n  grid_levels: 2/' porous/case.yaml
mesh --case porous/case.yaml --out porous/mesh 2>porous/mesh.log || check "mesh for porous regions" false
case_make porous_27 interpolated "mode: steady, tolerance: 1e-4, max_steps: 300, collision: cumulant" "0.05 L/min"
sed -n '/^porous/,$p' porous/case.yaml | sed /plug/d >>porous_27/case.yaml # most ranks have no porous cell
sed -i 's/spacing: 0.5 mm/spacing: 0.25 mm/' porous_27/case.yaml
mesh --case porous_27/case.yaml --out porous_27/mesh 2>porous_27/mesh.log || check "mesh for porous regions, D3Q27" false
case_make porous_vlbm vlbm "mode: steady, tolerance: 1e-2, max_steps: 300, collision: trt" "0.05 L/min"
sed -n '/^porous/,$p' porous/case.yaml >>porous_vlbm/case.yaml
mesh --case porous_vlbm/case.yaml --out porous_vlbm/mesh 2>porous_vlbm/mesh.log || check "mesh for porous regions, vlbm" false
# Outlets with models: the network of openings takes the flows of all ranks.
case_make models interpolated "mode: steady, tolerance: 1e-4, max_steps: 300, collision: cumulant" "0.05 L/min"
case_make beats interpolated "mode: pulsatile, cycles: 1, stores: 3, collision: cumulant, time_step: 0.0001 s" "{waveform: wave.csv}"
for kind in models beats; do
    sed -i 's/pressure: 0 mmHg/windkessel: {proximal: 20 mmHg min\/L, capacitance: 0.01 mL\/mmHg, distal_resistance: 100 mmHg min\/L, distal: 8 mmHg}/
        s/flow: 0.02 L.min/resistance: {value: 200 mmHg min\/L, distal: 8 mmHg}/' $kind/case.yaml
    mesh --case $kind/case.yaml --out $kind/mesh 2>$kind/mesh.log || check "mesh for $kind" false
done
# The peak velocity of an opening: most ranks hold none of its links.
case_make peak interpolated "mode: steady, tolerance: 1e-4, max_steps: 100" "0.05 L/min"
sed -i 's/flow: 0.05 L.min/velocity: {peak: 0.06 m\/s}/' peak/case.yaml
mesh --case peak/case.yaml --out peak/mesh 2>peak/mesh.log || check "mesh for a peak velocity" false
for kind in steady cumulant thinning porous porous_27 porous_vlbm models beats peak vlbm pulse; do all_alike $kind; done
# What partly solid cells and the models of outlets keep goes on, too.
for kind in vlbm porous_vlbm models; do
    sed -i 's/max_steps: 300/max_steps: 500/' $kind/case.yaml
    check "$kind, resumed on one" run $kind 1 one --resume
    check "$kind, resumed on two" run $kind 2 on3 --resume
    check "$kind did resume" says $kind/on3.log "resumed at step"
    check "$kind: stopped on three, resumed on two, as on one" same $kind one on3
done
check "the number of ranks is in the record" says steady/on3/solve.json "3 ranks, each $device"

# Stopped on three ranks (USR1: what mpirun passes on), resumed on two, against one in one go.
case_make long interpolated "mode: steady, tolerance: 1e-12, max_steps: $long, acceleration: none, collision: trt" "0.05 L/min"
sleep_until() { # sleep_until FILE TEXT: in it, at most 20 s
    for _ in $(seq 200); do
        grep -qs "$2" "$1" && return 0
        sleep 0.1
    done
    return 1
}
# Not every mpirun does (one that is started with the signal blocked never sees it): then the ranks themselves are asked.
mpirun -q --oversubscribe --allow-run-as-root -n 1 bash -c 'trap "exit 7" USR1; echo 1 >ready; for _ in $(seq 100); do sleep 0.1; done' &
sleep_until ready 1
kill -USR1 $!
stopped_by=launcher
wait $!
[ $? = 7 ] || { echo "this mpirun does not pass SIGUSR1 on: sent to the ranks"; stopped_by="rank0 rank1 rank2"; }
run long 3 stopped &
check "monitors are written" sleep_until long/stopped/monitors.csv "^[1-9]"
# shellcheck disable=SC2046,SC2086
kill -USR1 $(cat $stopped_by)
wait $!
code=$?
check "a stop ends with exit code 6, not $code" [ $code = 6 ]
check "a stop is said" says long/stopped.log "a checkpoint was saved"
check "resumed on two" run long 2 stopped --resume
check "it did resume" says long/stopped.log "resumed at step"
run long 1 one
check "stopped on three, resumed on two: files as in one go" same long one stopped

# A rank that dies: a sentence, no hang; the checkpoint is whole.
case_make dies interpolated "mode: steady, tolerance: 1e-12, max_steps: $long, acceleration: none, collision: trt, checkpoint: 100 ms" "0.05 L/min"
OMPI_MCA_odls_base_sigkill_timeout=15 run dies 3 out & # on a busy machine rank 0 needs a moment to notice
check "a checkpoint is written" sleep_until dies/out/checkpoint.json step
kill -KILL "$(cat rank2)"
wait $!
check "a lost rank is an error" [ $? != 0 ]
check "a lost rank is said" says dies/out.log "another rank of this run has ended"
check "resumed behind it" run dies 1 out --resume
check "from the checkpoint" says dies/out.log "resumed at step"
check "a lost rank: files as in one go" same long one ../dies/out

# Errors come from rank 0 alone, once, with its exit code.
sed -i 's/viscosity: 3.5 mPa s/viscosity: 3.5 mPa/' vlbm/case.yaml
run vlbm 3 bad
check "bad input is exit code 3" [ $? = 3 ]
check "bad input is said once" [ "$(grep -c viscosity vlbm/bad.log)" = 1 ]
if [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=200k none full 2>/dev/null; then
    run steady 3 ../full/out
    check "a full disk is exit code 4" [ $? = 4 ]
    umount full
fi

[ "$device" = cpu ] || exit $failed
# Grid levels: each rank interpolates the flow of the coarser level to its cells.
for n in 1 2; do
    mkdir "levels$n"
    sed 's/spacing: 0.5 mm/spacing: 0.3 mm\n  grid_levels: 2/' cumulant/case.yaml >"levels$n/case.yaml"
    pipeline run "levels$n" --to solve --ranks "$n" --quiet 2>"levels$n/log" || { cat "levels$n/log"; check "grid levels, ranks: $n" false; }
done
check "grid levels: files of two ranks as of one" same levels1/out solve ../../levels2/out/solve

# The pipeline starts mpirun, and Ctrl-C reaches the ranks through it.
pipeline run pulse --to mesh --quiet 2>/dev/null
(PATH=$bin:/nonexistent "$bin/pipeline" run pulse --from solve --to solve --ranks 2 2>pulse/none.log)
check "without mpirun: exit code 6" [ $? = 6 ]
check "without mpirun: said" says pulse/none.log "mpirun was not found"
pipeline run pulse --from solve --to solve --ranks 2 >pulse/table 2>pulse/pipeline.log || { cat pulse/pipeline.log; check "pipeline run --ranks" false; }
check "pipeline: two ranks" says pulse/pipeline.log "2 ranks:"
cp -r long stop && rm -rf stop/out && sed -i "s/max_steps: $long/max_steps: 200000/" stop/case.yaml && pipeline run stop --to mesh --quiet 2>/dev/null
pipeline run stop --from solve --to solve --ranks 2 >stop/table 2>stop/pipeline.log &
pid=$!
check "the pipeline computes" sleep_until stop/out/solve/monitors.csv "^[1-9]"
kill -TERM $pid
wait $pid
check "stopped: a checkpoint" [ -e stop/out/solve/checkpoint.h5 ]
check "stopped: said" says stop/pipeline.log "stopped"
exit $failed
