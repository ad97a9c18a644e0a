#!/usr/bin/env bash
# data/verification.md holds the sections beside it and nothing else, its pictures are there, and every table of a section
# is a CSV file there, cell by cell; no table overwrites the points of a picture.
#
#   tests/verification/page.sh SOURCE_DIR
set -euo pipefail
cd "$1/data"
failed=0
say() {
    echo "$*" >&2
    failed=1
}

# The tables of a section as CSV, each with an empty line behind it; cells with a comma in quotes, as results.c does.
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

page=$(cat verification.md)
for section in verification/*.md; do
    text=$(sed 's,](\([^)]*\.png\)),](verification/\1),g' "$section")
    [[ $page == *"$text"* ]] || say "$section is not in verification.md as it is; run pipeline reproduce"
    all=$(tables "$section")$'\n'
    for csv in "${section%.md}"-*.csv; do
        [ -e "$csv" ] && [ "$(head -c 14 "$csv")" != "series,style,x" ] || continue
        [[ $all == *"$(cat "$csv")"* ]] || say "$csv is no table of $section"
    done
done
while read -r picture; do
    [ -e "$picture" ] || say "verification.md shows $picture, which is not there"
done < <(grep -o '](verification/[^)]*)' verification.md | sed 's/^](//; s/)$//')
for picture in verification/*.png; do
    grep -qF "]($picture)" verification.md || say "$picture is on no page"
    points=${picture%.png}.csv
    [ ! -e "$points" ] || [ "$(head -c 14 "$points")" = "series,style,x" ] || say "$points holds a table in place of the picture's points"
done
exit $failed
