#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# data/verification.md links every page in data/verification. Each table of a page, and each table that a page only links, is a
# CSV file there. A page ends with the number of criteria met and every missed one, as in <study>-criteria.csv; the index has the
# same number. Pictures exist and are on a page; no table overwrites the points of a picture.
#
#   tests/verification/page.sh SOURCE_DIR
set -euo pipefail
cd "$1/data"
failed=0
say() {
    echo "$*" >&2
    failed=1
}

# The tables of a page as CSV, each followed by an empty line; cells with a comma in quotes, as results.c does.
tables() {
    awk '/^\| / {
             line = substr($0, 3, length($0) - 4); csv = ""
             n = split(line, cell, / \| /)
             for (k = 1; k <= n; k++)
                 csv = csv (k > 1 ? "," : "") (index(cell[k], ",") ? "\"" cell[k] "\"" : cell[k])
             print csv; open = 1; next }
         /^\|---/ { next }
         open { print ""; open = 0 }' "$1"
}

# The end of a page by its CSV of criteria: "N of M criteria met: [..]" and the missed ones; empty without criteria.
criteria() {
    local csv=${1%.md}-criteria.csv name
    name=$(basename "$csv")
    [ -e "$csv" ] || return 0
    awk -v name="$name" 'NR > 1 { n++; met += /,met$/ } END { printf "%d of %d criteria met: [%s](%s)\n", met, n, name, name }' "$csv"
    [ "$(grep -c ',missed$' "$csv")" = 0 ] || echo
    sed -nE 's/^"(.*)",([^,]*),(at least|at most),([^,]*),missed$/- \1: \2 (\3 \4): **missed**/p' "$csv"
}

for page in verification/*.md; do
    grep -qF "]($page)" verification.md || say "$page is not in the index verification.md; run pipeline reproduce"
    all=$(tables "$page")$'\n'
    end=$(criteria "$page")
    [[ $(cat "$page") == *"$end" ]] || say "$page does not end with its criteria: $end"
    [ "$(grep -cE 'criteria met: |\*\*missed\*\*$' "$page" || true)" = "$(grep -c '[^ ]' <<<"$end" || true)" ] ||
        say "$page has other criteria than ${page%.md}-criteria.csv"
    met=${end%% criteria met*}
    met=${met/ of //}
    grep -F "]($page)" verification.md | grep -qE "\| (${met:-comparison}|${met:-comparison}, \*\*see there\*\*)$" ||
        say "verification.md does not have '${met:-comparison}' for $page"
    for csv in "${page%.md}"-*.csv; do
        [ -e "$csv" ] && [ "$(head -c 14 "$csv")" != "series,style,x" ] || continue
        if [ "$csv" != "${page%.md}-criteria.csv" ] && ! grep -qF "rows: [$(basename "$csv")]" "$page"; then
            [[ $all == *"$(cat "$csv")"* ]] || say "$csv is no table of $page"
        fi
    done
    while read -r picture; do
        [ -e "verification/$picture" ] || say "$page shows or links $picture, which is not there"
    done < <(grep -oE '\]\([^)]*\.(png|csv)\)' "$page" | sed 's/^](//; s/)$//')
done
while read -r page; do
    [ -e "$page" ] || say "verification.md links $page, which is not there"
done < <(grep -o '](verification/[^)]*)' verification.md | sed 's/^](//; s/)$//')
for picture in verification/*.png; do
    grep -qF "]($(basename "$picture"))" verification/*.md || say "$picture is on no page"
    points=${picture%.png}.csv
    [ ! -e "$points" ] || [ "$(head -c 14 "$points")" = "series,style,x" ] || say "$points holds a table in place of the picture's points"
done
exit $failed
