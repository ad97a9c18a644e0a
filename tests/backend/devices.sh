#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program itself on the processor and on a GPU: the same fields, readouts and monitors; a run begun on one and
# continued on the other; what it says about its device, and of too little memory. Needs a GPU.
#
#   devices.sh mesh BIN DIR         makes DIR's lattices (anywhere); DIR may then be carried to a machine with a GPU
#   devices.sh run BIN TESTS DIR    BIN: solve; TESTS: compare_runs
set -euo pipefail

case_write() { # NAME "inlet" "settings": the throat is 5 of 8 mm wide
    cat >"$dir/$1.yaml" <<YAML
name: throat
space: LPS
mesh:
  spacing: 0.25 mm
  shape: {type: stenosis, from: [0, 0, -20], to: [0, 0, 20], radius: 4 mm, throat: 2.5 mm, length: 10 mm}
  box: {low: [-5, -5, -16], high: [5, 5, 16]}
openings:
  - {name: in, role: inlet, point: [0, 0, -14], normal: [0, 0, -1], $2}
  - {name: out, role: outlet, point: [0, 0, 14], normal: [0, 0, 1], pressure: 2 mmHg}
blood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}
solve: {$3}
YAML
}

solve_on() { # DEVICE CASE OUT [option ..]: its messages go to OUT.log
    local device=$1 case=$2 out=$3 lattice=mesh
    shift 3
    case $case in
        pulse) lattice=mesh_pulse ;;
        vlbm | half | floor) lattice=mesh_trt ;; # what cumulants on D3Q27 do not have
    esac
    "$bin/solve" --case "$dir/$case.yaml" --in "$dir/$lattice" --out "$dir/$out" --device "$device" --threads "$(nproc)" \
        "$@" >"$dir/$out.log" 2>&1
}

failed=0
compare() { # "what" A B FIELDS READOUTS
    echo "== $1"
    local lattice=mesh
    case $2 in *_vlbm | *_floor) lattice=mesh_trt ;; *_pulse) lattice=mesh_pulse ;; esac
    "$tests/compare_runs" "$dir/$lattice/lattice.h5" "$dir/$2" "$dir/$3" "$4" "$5" || failed=1
}

expect() { # "what" FILE TEXT
    if grep -q -- "$3" "$2"; then echo "== $1: $(grep -m1 -- "$3" "$2")"; else echo "== $1: NOT SAID"; cat "$2"; failed=1; fi
}

cases() {
    # without acceleration both begin from rest: by itself a processor begins with a developed flow, a GPU does not
    local flow='flow: 4 mL/s' some='accept_unconverged: true, tolerance: 1e-9, acceleration: none'
    local long='accept_unconverged: true, tolerance: 1e-7, max_steps: 20000, acceleration: none, collision: trt'
    mkdir -p "$dir"
    { echo t_s,flow_ml_s; for k in $(seq 0 20); do awk "BEGIN{printf \"%.3f,%.6f\n\", 0.04 * $k, 4 + 2 * cos(6.283185307 * $k / 20)}"; done; } >"$dir/wave.csv"
    case_write half_way "$flow" "$some, max_steps: 500"
    case_write steps "$flow" "$some, max_steps: 1000"
    case_write vlbm "$flow" "$some, max_steps: 1000, wall: vlbm, collision: trt"
    case_write steady "$flow" "tolerance: 1e-5, acceleration: none"
    case_write half "$flow" "$long, precision: half"
    case_write floor "$flow" "$long"
    case_write pulse 'flow: {waveform: wave.csv}' "mode: pulsatile, cycles: 2, stores: 4"
}

fields_agree() {
    solve_on cpu steps cpu_steps; solve_on cuda steps gpu_steps
    compare "1000 steps" cpu_steps gpu_steps 2e-5 1e-4
    solve_on cpu vlbm cpu_vlbm; solve_on cuda vlbm gpu_vlbm
    compare "1000 steps, vlbm" cpu_vlbm gpu_vlbm 2e-5 1e-4
    solve_on cpu steady cpu_steady; solve_on cuda steady gpu_steady
    compare "steady" cpu_steady gpu_steady 1e-4 1e-4
    solve_on cpu pulse cpu_pulse; solve_on cuda pulse gpu_pulse
    compare "pulsatile" cpu_pulse gpu_pulse 1e-4 1e-4
    for run in cpu_steady gpu_steady cpu_pulse gpu_pulse; do echo "$run: $(grep -m1 MLUPS "$dir/$run.log")"; done
}

runs_continue() {
    solve_on cpu half_way cpu_gpu; solve_on cuda steps cpu_gpu --resume
    expect "from the processor to the GPU" "$dir/cpu_gpu.log" "resumed at step"
    compare "half on the processor, half on the GPU" cpu_steps cpu_gpu 2e-5 1e-4
    solve_on cuda half_way gpu_cpu; solve_on cpu steps gpu_cpu --resume
    expect "from the GPU to the processor" "$dir/gpu_cpu.log" "resumed at step"
    compare "half on the GPU, half on the processor" cpu_steps gpu_cpu 2e-5 1e-4
}

what_it_says() {
    solve_on auto half_way auto
    expect "auto" "$dir/auto.log" "device: cuda"
    solve_on cpu half on_cpu && failed=1
    expect "half on the processor" "$dir/on_cpu.log" "runs on a GPU only"
}

half_errors() { # measured, no limits but the order of magnitude; on their way they differ: outlets of half follow at once
    solve_on cuda half gpu_half; solve_on cuda floor gpu_floor
    expect "half" "$dir/gpu_half.log" "warning"
    if grep -m1 diverged "$dir/gpu_half.log"; then failed=1; fi
    compare "float to half, 20000 steps" gpu_floor gpu_half 2e-2 1
    echo "change of the velocity at the end: half $(tail -1 "$dir/gpu_half/monitors.csv" | cut -d, -f1,3), float $(tail -1 "$dir/gpu_floor/monitors.csv" | cut -d, -f1,3)"
    awk -F, 'NR > 1 && $1 % 2000 == 0 {printf "%s:%s ", $1, $3} END {print ""}' "$dir/gpu_half/monitors.csv"
}

no_memory() { # another program holds all but a little
    python3 - "$dir/held" <<'PY' &
import sys, time, os, torch
free = torch.cuda.mem_get_info()[0]
block = torch.empty(free - (90 << 20), dtype=torch.uint8, device="cuda")
open(sys.argv[1], "w").write("held")
for _ in range(600):
    if os.path.exists(sys.argv[1] + ".go"): break
    time.sleep(0.1)
PY
    local holder=$! code=0
    for _ in $(seq 300); do [ -e "$dir/held" ] && break; sleep 0.1; done
    solve_on cuda half_way small || code=$?
    touch "$dir/held.go"; wait $holder
    [ $code = 6 ] || { echo "exit $code and not 6"; failed=1; }
    expect "too little memory" "$dir/small.log" "memory free"
}

if [ "$1" = mesh ]; then
    bin=$2 dir=$3
    cases
    "$bin/mesh" --case "$dir/steps.yaml" --in "$dir/none" --out "$dir/mesh"
    "$bin/mesh" --case "$dir/floor.yaml" --in "$dir/none" --out "$dir/mesh_trt"
    "$bin/mesh" --case "$dir/pulse.yaml" --in "$dir/none" --out "$dir/mesh_pulse"
    exit
fi
bin=$2 tests=$3 dir=$4
cases
fields_agree
runs_continue
what_it_says
half_errors
if python3 -c 'import torch' 2>/dev/null; then no_memory; fi
[ $failed = 0 ] && echo "the devices agree" || { echo "the devices do NOT agree"; exit 1; }
