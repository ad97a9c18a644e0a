#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Faults put into the stages: the readouts are those of the clean run, or the exit code is not 0.
#
#   tests/fault/fault.sh BIN_DIR TESTS_DIR [--seed S] [--times N] [--only NAME] [--part I/N] [--seconds N] [--markdown]
#
# A small vessel in pulsatile flow is run once without a fault. Then, N times each (default 1; 2 N where it says twice):
#   kill      a stage is killed at a random moment of its run; the next run goes on
#   stop      the same with SIGTERM
#   disk      the disk (a file system in memory) fills at a random size; then there is room again
#   malloc    the n-th allocation of a stage fails (preload.c), twice
#   write     from the n-th write of a stage on the disk is full (preload.c), twice
#   change    a file of every kind is damaged (mutate.c), in every tenth of it in turn: the stage that reads it is run on
#             it, `pipeline status` must see it, and for one in ten the whole pipeline must mend it
#   sealed    the same, the file then sealed anew as if it were whole
#   read      every kind of file, damaged 5 N times in each tenth of it, before the readers alone (readers.c): as it is and
#             sealed anew; it must be refused without a crash
# A stage without room must name the file as it would have been called, and leave none of its results without its record.
# Every fault is drawn from the seed and its own name ("malloc:mesh:3"), which a failure prints: --only NAME with the same
# seed repeats it. NAME may be the beginning of a name. --part I/N: the I-th of N parts (0 to N - 1) of what would be tried,
# for several at the same time. --seconds N: no fault is begun after that. Prints a table; exit 1 when one run gave another number with exit
# code 0, crashed, hung, or ended with a code that is not one of ours.
set -u
bin=$(readlink -f "$1")
tools=$(readlink -f "$2")
here=$(cd "$(dirname "$0")" && pwd)
shift 2
seed=1 times=1 only='' part=0 parts=1 seconds=1000000 markdown=''
while [ $# -gt 0 ]; do
    case $1 in
        --seed) seed=$2; shift 2 ;;
        --times) times=$2; shift 2 ;;
        --only) only=$2; shift 2 ;;
        --part) part=${2%/*} parts=${2#*/}; shift 2 ;;
        --seconds) seconds=$2; shift 2 ;;
        --markdown) markdown=yes; shift ;;
        *) echo "fault.sh: no option '$1'" >&2; exit 2 ;;
    esac
done
for stage in segment mesh solve post; do
    [ -x "$bin/$stage" ] || { echo "$stage is not in this build: skipped"; exit 77; }
done
# shellcheck source=tests/cli/fixtures.sh
. "$here/../cli/fixtures.sh"
export NO_COLOR=1 OMP_NUM_THREADS=1 MALLOC_ARENA_MAX=1
PATH=$bin:$PATH
work=$(mktemp -d)
trap 'umount "$work/disk" 2>/dev/null; rm -rf "$work"' EXIT
declare -A tried refused same crashed
failures=0 drawn=0 fault='' kinds=()

# A small vessel from its mask, in pulsatile flow: every stage, stored instants, means over a cycle, many checkpoints.
fault_case() {
    mask_case
    retype 'flow: 0.05 L/min' 'flow: {waveform: in.csv}'
    retype 'mode: steady, tolerance: 1e-4' 'mode: pulsatile, cycles: 2, stores: 3, checkpoint: 50 ms'
    echo 'post: {instants: [0.1 s]}' >>case.yaml
    printf 't_s,flow_ml_s\n0,0.8\n0.1,1.2\n0.2,0.8\n' >in.csv
}

# What must not depend on anything that went wrong: the readouts without times and speed.
readouts() { grep -vE '"(seconds|mlups)"' "$1/out/post/readouts.json" 2>/dev/null; }

# Begin the fault NAME? Sets RANDOM from the seed and the name, so that it is the same alone.
begin() { # begin NAME
    fault=$1
    case $fault in "$only"*) ;; *) return 1 ;; esac
    [ $SECONDS -lt "$seconds" ] || return 1
    [ $((drawn++ % parts)) = "$part" ] || return 1
    RANDOM=$(($(printf '%s %s' "$seed" "$fault" | cksum | cut -d' ' -f1) % 32768))
    return 0
}

number() { echo $((RANDOM * 32768 + RANDOM)); } # 30 bits

fresh() { # a copy of the finished case
    rm -rf "$work/p"
    cp -a "$work/clean" "$work/p"
}

new() { # a copy with nothing computed beyond the stages before $1
    fresh
    local stage
    for stage in post solve mesh segment; do
        rm -rf "$work/p/out/$stage"
        [ "$stage" = "$1" ] && break
    done
}

wrong() {
    echo "WRONG $fault (seed $seed): $*"
    sed 's/^/    | /' "$work/said" | tail -n 5
    failures=$((failures + 1))
}

# A command ended with $got; what of the readouts in $work/p? Counts into the table.
judge() { # judge KIND
    local kind=$1
    [ -n "${tried[$kind]:-}" ] || kinds+=("$kind")
    tried[$kind]=$((${tried[$kind]:-0} + 1))
    if [ "$got" = 0 ]; then
        if [ "$(readouts "$work/p")" = "$clean" ]; then same[$kind]=$((${same[$kind]:-0} + 1))
        else wrong "exit 0 with other readouts"; fi
    else
        refused[$kind]=$((${refused[$kind]:-0} + 1))
        if [ "$got" -gt 6 ]; then
            crashed[$kind]=$((${crashed[$kind]:-0} + 1))
            wrong "exit $got"
        fi
    fi
}

in_p() { (cd "$work/p" && timeout 3600 "$@"; exit $?) >"$work/said" 2>&1 </dev/null; got=$?; }

# What is left of the pipeline: the whole of it for every tenth fault, without pictures (half of its time) for the others.
go_on() { # go_on NUMBER
    if [ $(($1 % 10)) = 0 ]; then
        in_p pipeline --threads 1 run . --device cpu
        return
    fi
    in_p pipeline --threads 1 run . --device cpu --to solve
    [ "$got" != 0 ] || run_stage post
}

# It must now reach the clean readouts.
recover() { # recover NUMBER
    go_on "$1"
    [ "$got" = 0 ] || wrong "the next run ended with $got"
    [ "$(readouts "$work/p")" = "$clean" ] || wrong "the next run has other readouts"
    [ -z "$(find "$work/p/out" -name '*.part*')" ] || wrong "a .part file is left"
}

# Does `pipeline status` see that a result of a finished case is not what its stage wrote?
noticed() {
    in_p pipeline status .
    if [ "$(grep -cE '^(segment|mesh|solve|post) +done$' "$work/said")" = 4 ]; then wrong "status calls it done"; fi
}

# A stage by itself, as pipeline calls it.
stage_args() {
    case $1 in
        segment) echo --case case.yaml --out out/segment ;;
        mesh) echo --case case.yaml --in out/segment --out out/mesh ;;
        solve) echo --case case.yaml --in out/mesh --out out/solve --device cpu --resume ;;
        post) echo --case case.yaml --in out --out out/post --no-pictures ;;
    esac
}

run_stage() { # run_stage STAGE [VARIABLE=VALUE..]
    local stage=$1
    shift
    # shellcheck disable=SC2046
    in_p env "$@" "$stage" --threads 1 $(stage_args "$stage")
}

run_from() { # that stage and those after it, until one refuses
    local stage begun=''
    for stage in segment mesh solve post; do
        [ $stage = "$1" ] && begun=yes
        [ -n "$begun" ] || continue
        run_stage $stage
        [ "$got" = 0 ] || return
    done
}

# ------------------------------------------------------------------------------------------- kinds of faults

kills() { # kills KIND SIGNAL
    local stage k after
    for stage in segment mesh solve post; do
        for ((k = 0; k < times; k++)); do
            begin "$1:$stage:$k" || continue
            new $stage
            after=$((RANDOM * (${took[$stage]} + 20) / 32768))
            # shellcheck disable=SC2046
            in_p timeout --preserve-status -s "$2" "$(printf 0.%03d $((after < 999 ? after : 999)))" \
                "$stage" --threads 1 $(stage_args $stage)
            recover $k
            judge "$1"
        done
    done
}

# What a stage that had no room left behind: results without the record that names them, or the name of a temporary file.
unrecorded() {
    local stage left
    grep -q '\.part' "$work/said" && wrong "the sentence names a temporary file"
    for stage in segment mesh post; do
        [ ! -e "$work/p/out/$stage/$stage.json" ] || continue
        left=$(find "$work/p/out/$stage" -type f ! -name .lock 2>/dev/null | head -n 3)
        [ -z "$left" ] || wrong "$stage.json is missing, but there is" $left
    done
    [ -e "$work/p/out/solve/solve.json" ] || [ ! -e "$work/p/out/solve/fields.vtkhdf" ] || wrong "fields without solve.json"
}

disks() {
    local k size
    mkdir -p "$work/disk"
    if ! mount -t tmpfs -o size=64k tmpfs "$work/disk" 2>/dev/null; then
        echo "disk: no file system may be mounted here: skipped"
        return
    fi
    umount "$work/disk"
    for ((k = 0; k < times; k++)); do
        begin "disk:$k" || continue
        size=$((24 + RANDOM % ${size_kb:-1000}))
        mount -t tmpfs -o size=${size}k tmpfs "$work/disk"
        rm -rf "$work/p"
        cp -a "$work/empty/." "$work/disk"
        ln -s disk "$work/p"
        in_p pipeline --threads 1 run . --device cpu
        judge disk
        unrecorded
        mount -o remount,size=100m "$work/disk"
        recover $k
        rm "$work/p"
        umount "$work/disk"
    done
}

preloads() { # preloads KIND VARIABLE FIELD
    local stage k total n
    for stage in segment mesh solve post; do
        for ((k = 0; k < 2 * times; k++)); do
            begin "$1:$stage:$k" || continue
            new $stage
            total=$(cut -d' ' -f"$3" "$work/count.$stage")
            n=$((1 + $(number) % (total > 0 ? total : 1)))
            run_stage $stage LD_PRELOAD="$tools/libfault_preload.so" "$2=$n"
            if [ "$got" = 0 ]; then # the stage did without it: what comes after it must be the clean one
                go_on $k
                judge "$1"
            else
                judge "$1"
                if [ "$1" = write ]; then unrecorded; fi
            fi
        done
    done
}

# Every kind of file that a stage reads: its path, and the stage.
files='segment/phi.nii.gz mesh
segment/segment.json mesh
mesh/lattice.h5 solve
mesh/mesh.json solve
mesh/surface.vtp post
solve/fields.vtkhdf post
solve/fields_0001.vtkhdf post
solve/solve.json post
solve/checkpoint.h5 solve
solve/monitors.csv post
post/readouts.json none
post/post.json none'

mutations() { # mutations KIND [seal]
    local file stage k packed from
    while read -r file stage; do
        from=$(($(printf '%s %s' "$seed" "$file" | cksum | cut -d' ' -f1) % 10)) # few faults begin in other tenths
        for ((k = 0; k < times; k++)); do
            begin "$1:$file:$k" || continue
            case "${2:-}${file##*.}" in sealcsv | sealvtp) continue ;; esac
            fresh
            packed=$work/p/out/$file
            if [ "$1" = sealed ] && [ "${file##*.}" = gz ]; then
                gzip -dc "$packed" >"$work/plain" && "$tools/mutate" "$work/plain" "$(number)" $(((from + k) % 10)) 10 >"$work/said"
                gzip -c "$work/plain" >"$packed"
            else
                "$tools/mutate" "$packed" "$(number)" $(((from + k) % 10)) 10 ${2:-} >"$work/said" || wrong "mutate"
            fi
            # what a forged record says cannot be told from what a stage wrote: only that it is no crash
            forged=''
            if [ "$1" = sealed ]; then case $file in *.json | */checkpoint.h5) forged=yes ;; esac; fi
            [ -n "$forged" ] || [ $file = solve/checkpoint.h5 ] || noticed
            if [ "$stage" != none ]; then
                run_from $stage
                [ -n "$forged" ] && [ "$got" -le 6 ] && got=3
                judge "$1"
            fi
            if [ -z "$forged" ] && [ $((k % 10)) = 0 ]; then recover $k; fi
        done
    done <<<"$files"
}

reads() {
    local k tell bad
    begin read || return
    fresh
    if ! "$tools/readers" "$work/p" "$seed" $((5 * times)) >"$work/said" 2>&1; then wrong 'readers'; fi
    while read -r _ _ k tell bad _; do
        [ "$tell" = tried, ] || continue
        tried[read]=$((${tried[read]:-0} + k))
        refused[read]=$((${refused[read]:-0} + k - bad))
    done <"$work/said"
    kinds+=(read)
}

# ------------------------------------------------------------------------------------------- the clean run

mkdir -p "$work/empty"
(cd "$work/empty" && fault_case)
cp -a "$work/empty" "$work/clean"
if ! (cd "$work/clean" && pipeline --threads 1 run . --device cpu) >"$work/said" 2>&1; then
    echo "the clean run failed"
    cat "$work/said"
    exit 1
fi
clean=$(readouts "$work/clean")
size_kb=$(($(du -sk "$work/clean/out" | cut -f1) + 10))
declare -A took
for stage in segment mesh solve post; do # how long each takes, and how often it allocates and writes
    new $stage
    start=$(date +%s%N)
    run_stage $stage LD_PRELOAD="$tools/libfault_preload.so" FAULT_COUNT="$work/count.$stage"
    took[$stage]=$((($(date +%s%N) - start) / 1000000))
    [ "$got" = 0 ] || { echo "$stage alone failed"; cat "$work/said"; exit 1; }
    [ -s "$work/count.$stage" ] || { echo "$stage: nobody counted what it allocates and writes"; exit 1; }
done

kills kill KILL
kills stop TERM
disks
preloads malloc FAULT_MALLOC 1
preloads write FAULT_WRITE 2
mutations change
mutations sealed seal
reads

# ------------------------------------------------------------------------------------------- the table
bar=''
[ -n "$markdown" ] && bar='| '
printf "${bar}%-8s${bar:+ |} %6s${bar:+ |} %22s${bar:+ |} %14s${bar:+ |} %8s${bar:+ |} %6s${bar:+ |}\n" fault tried \
    'refused (exit not 0)' 'clean readouts' crashed wrong
[ -n "$markdown" ] && echo '|---|---|---|---|---|---|'
for kind in ${kinds[@]+"${kinds[@]}"}; do
    r=${refused[$kind]:-0} s=${same[$kind]:-0} t=${tried[$kind]}
    printf "${bar}%-8s${bar:+ |} %6d${bar:+ |} %22d${bar:+ |} %14d${bar:+ |} %8d${bar:+ |} %6d${bar:+ |}\n" "$kind" "$t" "$r" "$s" \
        "${crashed[$kind]:-0}" $((t - r - s))
done
echo "seed $seed, $times times; $failures failures"
[ $failures = 0 ]
