#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No message, comment or page uses a phrase of words.txt. Prints each with what to say instead; exit 1 then.
# usage: tests/docs/words.sh SOURCE_DIR
set -euo pipefail
cd "$1"
bad=0
while IFS='|' read -r phrase instead; do
    phrase=${phrase%"${phrase##*[! ]}"}
    case $phrase in '' | '#'*) continue ;; esac
    while IFS= read -r hit; do
        echo "$hit    ->   ${instead# }"
        bad=1
    done < <(grep -rnF --include='*.[ch]' --include='*.cpp' --include='*.cu' --include='*.cuh' --include='*.md' --include='*.sh' \
        -- "$phrase" common segment mesh solve post pipeline data tests .ci ./*.md | cut -c1-200)
done <tests/docs/words.txt
exit $bad
