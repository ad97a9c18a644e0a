#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Inputs of public bug reports of other programs, rebuilt small: each must end with its exit code and say its text.
# usage: tests/reports/run.sh BIN_DIR REPORTS_DIR LIST
# A line of LIST: folder | extended regular expression that the output must match (% in front: must not). The lines of a
# folder follow each other: it runs once.
# Exit 77, with a message, where REPORTS_DIR is absent: the inputs are research copies, not part of the repository.
set -u
# The waveform of pulsatile_reverse_mean_drop, in mL/s: mean 1, lowest -2, highest 4.
write_waveform() { awk 'BEGIN { print "t_s,flow_ml_s"; for (k = 0; k <= 40; k++) printf "%.4f,%.5f\n", k / 40, 1 + 3 * cos(8 * atan2(1, 1) * k / 40) }'; }
bin=$(readlink -f "$1") reports=$2 list=$3 failed=0 last=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d "$reports" ] || { echo "there is no $reports: skipped"; exit 77; }
for program in pipeline segment mesh solve post phantom; do
    [ -x "$bin/$program" ] || { echo "this build has no $program: skipped"; exit 77; }
done
while IFS='|' read -r folder text; do
    folder=${folder// /} text=${text# }
    case $folder in '' | '#'*) continue ;; esac
    if [ "$folder" != "$last" ]; then
        rm -rf "$work" && cp -r "$reports/$folder" "$work" && chmod -R u+w "$work"
        grep -q 'waveform: w.csv' "$work/case.yaml" 2>/dev/null && write_waveform >"$work/w.csv"
        said=$(PF_BIN=$bin timeout 600 bash "$work/run.sh" 2>&1 </dev/null)
        last=$folder
    fi
    if [ "${text#%}" != "$text" ]; then
        grep -qE -- "${text#%}" <<<"$said" && { echo "FAILED $folder: says '${text#%}', which it must not"; tail -n 15 <<<"$said"; failed=1; }
    elif ! grep -qE -- "$text" <<<"$said"; then
        echo "FAILED $folder: does not say '$text'"; tail -n 15 <<<"$said"; failed=1
    fi
done <"$list"
exit $failed
