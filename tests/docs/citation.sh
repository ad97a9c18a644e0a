#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# CITATION.cff, CHANGELOG.md and the recipes name the version of CMakeLists.txt, the first two with the same date.
# usage: tests/docs/citation.sh SOURCE_DIR VERSION
set -euo pipefail
cd "$1"
version=$2
bad=0
need() { # need FILE LINE
    grep -qx -- "$2" "$1" || { echo "citation: '$1' lacks the line '$2'"; bad=1; }
}
need CHANGELOG.md "## $version, [0-9]\{4\}-[0-9][0-9]-[0-9][0-9]"
need CITATION.cff "version: $version"
need CITATION.cff "date-released: \"$(sed -n "s/^## $version, //p" CHANGELOG.md)\""
need packaging/conda/meta.yaml "  version: \"$version\""
need packaging/apptainer.def "    Version $version"
exit $bad
