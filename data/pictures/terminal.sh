#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Text as it appeared in a terminal -> an SVG picture whose lines come one after the other.
#
#   data/pictures/terminal.sh COMMAND < output > terminal.svg
#
# `make terminal` makes data/pictures/terminal.svg of the demo. Left out: progress, the details of mesh and solve, colours; what is
# longer than 118 columns ends in an ellipsis. Nothing is added.
set -euo pipefail
command=${1:?usage: terminal.sh COMMAND < output > terminal.svg}
sed -e 's/\x1b\[[0-9;]*m//g' -e 's/.*\r//' |
    grep -vE '^(solve: (flow|grid sequence|fastest|spacing|to compute|device|[0-9])|mesh: (cells|links|opening|spacing|volume|minimum|fastest|grid sequence)|segment: (bounded|grid|image|does)|post: [A-Z]|$)' |
    awk -v command="$command" '
    function escaped(t) { gsub(/&/, "\\&amp;", t); gsub(/</, "\\&lt;", t); gsub(/>/, "\\&gt;", t); return t }
    { line[++n] = length($0) > 118 ? substr($0, 1, 117) "…" : $0 }
    END {
        high = 20 * (n + 1) + 52
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 %d\" font-family=\"ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace\" font-size=\"13.2\">\n", high
        print "<style>.l{animation:come .01s both}@keyframes come{from{opacity:0}to{opacity:1}}@media(prefers-reduced-motion){.l{animation:none}}@media print{.l{animation:none}}</style>"
        printf "<rect width=\"1000\" height=\"%d\" rx=\"8\" fill=\"#16181c\"/>\n", high
        print "<g fill=\"#c8503c\"><circle cx=\"20\" cy=\"18\" r=\"6\"/><circle cx=\"40\" cy=\"18\" r=\"6\" fill=\"#d8a83c\"/><circle cx=\"60\" cy=\"18\" r=\"6\" fill=\"#5cae5c\"/></g>"
        printf "<text x=\"20\" y=\"52\" fill=\"#8fe0a0\" xml:space=\"preserve\">$ %s</text>\n", escaped(command)
        for (k = 1; k <= n; k++) {
            ink = line[k] ~ /warning/ ? "#ffb070" : line[k] ~ /^(segment|mesh|solve|post|pipeline|phantom):/ ? "#9aa3b2" : "#f0f0f0"
            printf "<text class=\"l\" x=\"20\" y=\"%d\" fill=\"%s\" style=\"animation-delay:%.2fs\" xml:space=\"preserve\">%s</text>\n", 52 + 20 * k, ink, 0.5 + 0.22 * k, escaped(line[k])
        }
        print "</svg>"
    }'
