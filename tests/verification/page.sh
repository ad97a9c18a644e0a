#!/usr/bin/env bash
# data/verification.md links every page in data/verification. Each table of a page, and each table that a page only links, is a
# CSV file there; each criterion of a page is in <study>-criteria.csv. Pictures exist and are on a page; no table overwrites
# the points of a picture.
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

for page in verification/*.md; do
    grep -qF "]($page)" verification.md || say "$page is not in the index verification.md; run pipeline reproduce"
    all=$(tables "$page")$'\n'
    criteria=$(grep -cE '^- .*: (met|\*\*missed\*\*)$' "$page" || true)
    for csv in "${page%.md}"-*.csv; do
        [ -e "$csv" ] && [ "$(head -c 14 "$csv")" != "series,style,x" ] || continue
        if [ "$csv" = "${page%.md}-criteria.csv" ]; then
            [ "$(($(wc -l <"$csv") - 1))" = "$criteria" ] || say "$csv does not hold the $criteria criteria of $page"
        elif ! grep -qF "rows: [$(basename "$csv")]" "$page"; then
            [[ $all == *"$(cat "$csv")"* ]] || say "$csv is no table of $page"
        fi
    done
    [ "$criteria" = 0 ] || [ -e "${page%.md}-criteria.csv" ] || say "$page has criteria, but no ${page%.md}-criteria.csv"
    while read -r picture; do
        [ -e "verification/$picture" ] || say "$page shows $picture, which is not there"
    done < <(grep -o '](\([^)]*\.png\))' "$page" | sed 's/^](//; s/)$//')
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
