#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The chaining of the stages, with fake ones in a bin folder of their own: skip, stale, resume, kill, lock, failure.
#
#   tests/cli/chain.sh PIPELINE FAKE_STAGE
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
cp "$1" "$work/bin/pipeline" || exit 1
for stage in segment mesh solve post; do cp "$2" "$work/bin/$stage" || exit 1; done
PATH=$work/bin:$PATH
export NO_COLOR=1
p=$work/patient
failures=0

expect() { # expect "what" CODE "text in what it said" command...
    local what=$1 code=$2 text=$3
    shift 3
    "$@" >"$work/said" 2>&1 </dev/null
    local got=$?
    if [ $got != "$code" ] || ! grep -qF -e "$text" "$work/said"; then
        echo "FAILED: $what: exit $got (expected $code), expected text: $text"
        sed 's/^/    | /' "$work/said"
        failures=$((failures + 1))
    fi
}

ran() { # the stages that ran last time, from the summary or the messages
    grep -oE '^pipeline: (segment|mesh|solve|post): [a-z]+ -> ' "$work/said" | cut -d' ' -f2 | tr -d ':' | tr '\n' ' '
}

expect_ran() {
    if [ "$(ran)" != "$2" ]; then
        echo "FAILED: $1: ran '$(ran)', expected '$2'"
        sed 's/^/    | /' "$work/said"
        failures=$((failures + 1))
    fi
}

wait_for() { # until the file is there, at most 20 s
    for _ in $(seq 200); do
        [ -e "$1" ] && return 0
        sleep 0.1
    done
    echo "FAILED: $1 did not appear"
    failures=$((failures + 1))
}

new_patient() {
    rm -rf "$p"
    mkdir -p "$p/images"
    echo "image" >"$p/images/a.nii.gz"
    cat >"$p/case.yaml" <<'CASE'
name: chain
image: {path: images/a.nii.gz}
segment: {method: level-set, seeds: [[0, 0, 0]]}
openings:
  - {name: A, role: inlet, point: [0, 0, -10], flow: 0.1 L/min}
  - {name: B, role: outlet, point: [0, 0, 10], pressure: 0 mmHg}
mesh: {spacing: 0.5 mm}
solve: {mode: steady, tolerance: 1e-5}
readouts:
  - {pressure_drop: {from: A, to: B}}
CASE
}

test_skip_and_stale() {
    new_patient
    expect "status of a new patient" 0 "not run yet" pipeline status "$p"
    expect "first run" 0 "report: $p/out/post/report.html" pipeline run "$p"
    expect_ran "first run" "segment mesh solve post "
    expect "second run" 0 "up to date" pipeline run "$p"
    expect_ran "second run" ""
    expect "status when all is done" 0 "done" pipeline status "$p"
    sed -i 's/# .*//; s/name: chain/name: chain   # a comment/' "$p/case.yaml"
    expect "a comment changes nothing" 0 "up to date" pipeline run "$p" --to solve
    expect_ran "a comment changes nothing" ""
    sed -i 's/1e-5/1e-6/' "$p/case.yaml"
    expect "status of a changed case" 0 "stale" pipeline status "$p"
    expect "a changed tolerance" 0 "report" pipeline run "$p"
    expect_ran "a changed tolerance" "solve post "
    echo "another image" >"$p/images/a.nii.gz"
    expect "a changed image" 0 "has changed" pipeline status "$p"
    expect "a changed image" 0 "up to date" pipeline run "$p" # the fake phi does not depend on the image
    expect_ran "a changed image" "segment "
    sed -i "s,images/a.nii.gz,$p/images/a.nii.gz," "$p/case.yaml"
    expect "an absolute path" 0 "report" pipeline run "$p"
    expect "an absolute path is found again" 0 "up to date" pipeline run "$p"
    expect_ran "an absolute path is found again" ""
    expect "its folders are not recorded" 0 "no folders" bash -c "! grep -rF '$work' '$p/out' && echo no folders"
    echo "a third image" >"$p/images/a.nii.gz"
    expect "a changed image of an absolute path" 0 "has changed" pipeline status "$p"
    expect "a changed image of an absolute path" 0 "up to date" pipeline run "$p"
    rm "$p/out/mesh/surface.vtp"
    expect "a lost output" 0 "missing" pipeline status "$p"
    expect "a lost output" 0 "report" pipeline run "$p"
    expect_ran "a lost output" "mesh "
    printf ' ' >>"$work/bin/mesh" # another build: its checksum differs
    expect "another build of a program" 0 "another build" pipeline status "$p"
    expect "another build of a program" 0 "report" pipeline run "$p"
    expect_ran "another build of a program" "mesh "
    expect "force" 0 "report" pipeline run "$p" --force --from solve
    expect_ran "force" "solve post "
}

test_set() {
    new_patient
    expect "run" 0 "report" pipeline run "$p"
    expect "status with a setting" 0 "its part of the case has changed" pipeline status "$p" --set solve.tolerance=1e-4
    expect "a setting" 0 "report" pipeline run "$p" --set solve.tolerance=1e-4
    expect_ran "a setting" "solve post "
    expect "it is recorded" 0 '"solve.tolerance=1e-4"' cat "$p/out/solve/solve.json"
    expect "the same setting" 0 "up to date" pipeline run "$p" --set solve.tolerance=1e-4
    expect_ran "the same setting" ""
    expect "another spelling in the file" 0 "up to date" bash -c "sed -i s/1e-5/1.0e-4/ '$p/case.yaml'; pipeline run '$p'"
    expect_ran "another spelling in the file" ""
    expect "two settings" 0 "report" pipeline run "$p" --set 'mesh.spacing=0.4 mm' --set openings.A.flow='0.2 L/min'
    expect_ran "two settings" "mesh solve post "
    expect "without them" 0 "its part of the case has changed (it was computed with --set " pipeline status "$p"
    expect "--fast" 0 "report" pipeline run "$p" --fast
    expect "without it" 0 "its part of the case has changed (it was computed with --fast)" pipeline status "$p"
    expect "what to do next" 0 "--set solve.tolerance=2e-4 --fast" pipeline status "$p" --set solve.tolerance=2e-4 --fast
    mkdir "$work/DoeJane"
    mv "$p/images/a.nii.gz" "$work/DoeJane"
    expect "an image from elsewhere" 0 "report" pipeline run "$p" --set image.path="$work/DoeJane/a.nii.gz"
    expect "its folder is not recorded" 0 "no folders" bash -c "! grep -rF DoeJane '$p/out' && echo no folders"
    expect "as a block" 0 "report" pipeline run "$p" --set image="{path: $work/DoeJane/a.nii.gz, series: 1}"
    expect "its folder is not recorded" 0 "no folders" bash -c "! grep -rF DoeJane '$p/out' && echo no folders"
}

test_replaced() {
    new_patient
    export FAKE_REPLACE=segment
    expect "an image replaced while it is read" 3 "was changed during the run" pipeline run "$p"
    unset FAKE_REPLACE
    expect "the next run takes the new one" 0 "report" pipeline run "$p"
}

test_parts() {
    new_patient
    expect "--from before anything is there" 3 "--from segment" pipeline run "$p" --from mesh
    expect "--to" 0 "segment" pipeline run "$p" --to mesh
    expect_ran "--to" "segment mesh "
    expect "--from after --to" 2 "runs after" pipeline run "$p" --from post --to mesh
    sed -i 's/0.5 mm/0.6 mm/' "$p/case.yaml"
    expect "what is of another case is not used" 3 "mesh.json' belongs to another case" pipeline run "$p" --from solve
    expect "and named" 3 "mesh is out of date (its part of the case has changed)" pipeline run "$p" --from solve
    sed -i 's/0.6 mm/0.5 mm/' "$p/case.yaml"
    echo "another image" >"$p/images/a.nii.gz"
    expect "another image's lumen is not used" 3 "computed from another version of" pipeline run "$p" --from solve
    rm "$p/images/a.nii.gz"
    expect "what lies above is used as it is" 0 "segment is out of date" pipeline run "$p" --from solve
    expect_ran "what lies above is used as it is" "solve post "
}

test_failure() {
    new_patient
    FAKE_FAIL="mesh 3" expect "a refusing stage" 3 "mesh ended with exit code 3 for the reason above" pipeline run "$p"
    [ "$(grep -c "the fake reason of 'mesh'" "$work/said")" = 1 ] || { echo "FAILED: an error is said once"; failures=$((failures + 1)); }
    expect "its log" 0 "the fake reason of 'mesh'" cat "$p/out/log/mesh.log"
    expect "status after it" 0 "its last run did not finish" pipeline status "$p"
    FAKE_FAIL="solve 5" expect "a diverging stage" 5 "solve: the fake reason" pipeline run "$p"
    expect_ran "a diverging stage" "mesh solve "
    FAKE_CRASH=solve expect "a killed stage" 6 "solve was killed by signal 9" pipeline run "$p"
    FAKE_FORGET=solve expect "a stage that forgets an output" 1 "out/solve/fields.vtkhdf is missing" pipeline run "$p"
    mv "$work/bin/post" "$work/bin/post.away"
    expect "a missing program" 6 "post' is missing" pipeline run "$p"
    mv "$work/bin/post.away" "$work/bin/post"
    expect "after all of it" 0 "report" pipeline run "$p"
}

test_unconverged() {
    new_patient
    FAKE_UNCONVERGED=solve expect "a solution that did not converge" 5 "solve: not converged" pipeline run "$p"
    expect "its status" 0 "it did not converge" pipeline status "$p"
    FAKE_UNCONVERGED=solve expect "it is not taken for done" 5 "solve: not converged" pipeline run "$p"
    expect "nor used by the stage after it" 5 "did not converge" pipeline run "$p" --from post
    sed -i 's/tolerance: 1e-5/tolerance: 1e-5, accept_unconverged: true/' "$p/case.yaml"
    FAKE_UNCONVERGED=solve expect "unless the case accepts it" 0 "report" pipeline run "$p"
    expect_ran "unless the case accepts it" "post "
}

test_stop_and_resume() {
    new_patient
    FAKE_HANG=solve pipeline run "$p" >"$work/first" 2>&1 &
    local run=$!
    wait_for "$p/out/solve/checkpoint.h5"
    expect "a second run at once" 6 "another run is in progress" pipeline run "$p"
    expect "status beside a run" 0 "a run is in progress" pipeline status "$p"
    expect "how far it is" 0 "solve     running   0 %, about 1:40 min remaining: flow, step 7" pipeline status "$p"
    expect "what comes after it" 0 "post      waiting   for the stage above" pipeline status "$p"
    kill -TERM $run
    wait $run
    [ $? = 143 ] || { echo "FAILED: a stopped run must end by its signal"; failures=$((failures + 1)); }
    grep -q "the computed state is saved" "$work/first" || { echo "FAILED: no word on what is kept"; failures=$((failures + 1)); }
    grep -q "stopped during solve" "$work/first" || { echo "FAILED: no word on the stop"; failures=$((failures + 1)); }
    expect "status after a stop" 0 "there is a checkpoint" pipeline status "$p"
    expect "continue" 0 "solve: resumed" pipeline run "$p"
    expect_ran "continue" "solve post "

    new_patient
    FAKE_HANG=solve pipeline run "$p" >/dev/null 2>&1 &
    run=$!
    wait_for "$p/out/solve/checkpoint.h5"
    kill -KILL $run
    wait $run 2>/dev/null
    for _ in $(seq 50); do # the stage dies with its parent
        grep -q "in progress" <(pipeline status "$p") || break
        sleep 0.1
    done
    sed -i 's/1e-5/1e-6/' "$p/case.yaml"
    expect "another case does not resume" 0 "solve: from the beginning" pipeline run "$p"
    expect_ran "another case does not resume" "solve post "
}

change() { # change FILE OLD NEW: one digit, its length kept
    grep -qF -- "$2" "$1" || { echo "FAILED: '$2' is not in $1"; failures=$((failures + 1)); }
    sed -i "s/$2/$3/" "$1"
}

# Whatever a later stage reads is what the stage wrote, or is made again.
test_changed_results() {
    new_patient
    expect "a run" 0 "report" pipeline run "$p"
    local file stage next
    for file in segment/segment.json mesh/mesh.json solve/solve.json post/post.json; do
        change "$p/out/$file" '"seconds":' '"secondz":'
        expect "a changed $file" 0 "out/$file was changed after it was written" pipeline status "$p"
        expect "a changed $file is made again" 0 "report" pipeline run "$p"
        expect "$file after it" 0 "done" pipeline status "$p"
    done
    for file in segment/phi.nii.gz mesh/lattice.h5 mesh/surface.vtp solve/fields.vtkhdf; do
        stage=${file%/*}
        echo x >>"$p/out/$file"
        expect "a changed $file" 0 "has changed" pipeline status "$p"
        next=mesh
        [ "$stage" = mesh ] && next=solve && [ "$file" = mesh/surface.vtp ] && next=post
        [ "$stage" = solve ] && next=post
        expect "a changed $file is not used" 3 "is not the file that $stage wrote" pipeline run "$p" --from $next
        expect "a changed $file is made again" 0 "report" pipeline run "$p"
    done
    echo x >>"$p/out/solve/monitors.csv"
    expect "changed monitors" 0 "monitors.csv' has changed" pipeline status "$p"
    sed -i 's/0.001/0.002/' "$p/out/post/readouts.json"
    expect "changed readouts" 0 "readouts.json' has changed" pipeline status "$p"
    expect "changed readouts are not shown" 0 "flow balance             0.1 %" pipeline run "$p"
    expect "a drop with an interval" 0 "pressure drop 12.3 ± 0.5 Pa (0.093 ± 0.004 mmHg) [lattice]" pipeline run "$p"
    expect "a drop without one" 0 " [no interval: see the notes in the report]" pipeline run "$p"
}

# What was made for one patient is not another's.
test_other_case() {
    new_patient
    expect "a run" 0 "report" pipeline run "$p"
    sed 's/0.1 L/0.2 L/' "$p/case.yaml" >"$p/b.yaml"
    expect "post of another flow" 3 "belongs to another case" post --case "$p/b.yaml" --in "$p/out" --out "$work/b/post"
    [ ! -e "$work/b/post/readouts.json" ] || { echo "FAILED: another case got readouts"; failures=$((failures + 1)); }
    sed 's/0.5 mm/0.4 mm/' "$p/case.yaml" >"$p/b.yaml"
    expect "solve of another mesh" 3 "for mesh have changed" solve --case "$p/b.yaml" --in "$p/out/mesh" --out "$work/b/solve"
    sed 's/images.a/images\/b/' "$p/case.yaml" >"$p/b.yaml"
    expect "solve of another image" 3 "for segment have changed" \
        solve --case "$p/b.yaml" --in "$p/out/mesh" --out "$work/b/solve"
    rm "$p/out/mesh/mesh.json"
    expect "a lattice without its record" 3 "mesh.json' is missing" \
        solve --case "$p/case.yaml" --in "$p/out/mesh" --out "$work/b/solve"
}

test_shape() {
    new_patient
    cat >"$p/case.yaml" <<'CASE'
name: shape
openings:
  - {name: A, role: inlet, point: [0, 0, -10], normal: [0, 0, -1], flow: 0.1 L/min}
  - {name: B, role: outlet, point: [0, 0, 10], normal: [0, 0, 1], pressure: 0 mmHg}
CASE
    cat "$SHAPE_LINES" >>"$p/case.yaml"
    expect "an analytic lumen needs no segment" 0 "report" pipeline run "$p"
    expect_ran "an analytic lumen needs no segment" "mesh solve post "
    expect "its status" 0 "not used" pipeline status "$p"
}

SHAPE_LINES=$work/shape
cat >"$SHAPE_LINES" <<'CASE'
mesh:
  spacing: 0.5 mm
  shape: {type: cylinder, from: [0, 0, -10], to: [0, 0, 10], radius: 3 mm}
  box: {low: [-4, -4, -10], high: [4, 4, 10]}
CASE
test_skip_and_stale
test_set
test_replaced
test_parts
test_failure
test_unconverged
test_stop_and_resume
test_changed_results
test_other_case
test_shape
[ $failures = 0 ] && echo "all as expected"
[ $failures = 0 ]
