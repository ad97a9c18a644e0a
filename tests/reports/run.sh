#!/usr/bin/env bash
# Inputs of public bug reports of other programs, rebuilt small: each must end with its exit code and say its text.
# usage: tests/reports/run.sh BIN_DIR REPORTS_DIR LIST
# A line of LIST: folder | extended regular expression that the output must match (% in front: must not)
# Exit 77, with a message, where REPORTS_DIR is absent: the inputs are research copies, not part of the repository.
set -u
bin=$(readlink -f "$1") reports=$2 list=$3 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -d "$reports" ] || { echo "there is no $reports: skipped"; exit 77; }
while IFS='|' read -r folder text; do
    folder=${folder// /} text=${text# }
    case $folder in '' | '#'*) continue ;; esac
    rm -rf "$work" && cp -r "$reports/$folder" "$work" && chmod -R u+w "$work"
    said=$(PF_BIN=$bin timeout 600 bash "$work/run.sh" 2>&1 </dev/null)
    if [ "${text#%}" != "$text" ]; then
        grep -qE -- "${text#%}" <<<"$said" && { echo "FAILED $folder: says '${text#%}', which it must not"; tail -n 15 <<<"$said"; failed=1; }
    elif ! grep -qE -- "$text" <<<"$said"; then
        echo "FAILED $folder: does not say '$text'"; tail -n 15 <<<"$said"; failed=1
    fi
done <"$list"
exit $failed
