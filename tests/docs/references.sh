#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# REFERENCES.bib against the repository: every cited work, by key (shang2023) or in words (Bouzidi, Firdaouss, Lallemand 2001), has an
# entry; every entry is cited and complete (key, title, year, balanced braces). Prints the errors; exit 1 if there are any.
# usage: tests/docs/references.sh SOURCE_DIR [FILE ...]      (default: all sources and pages)
set -euo pipefail
cd "$1"
shift
if [ $# = 0 ]; then
    mapfile -t list < <(find .ci common segment mesh solve post pipeline data tests *.md -type f \
        \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.md' -o -name '*.csv' -o -name '*.sh' \) \
        ! -path 'tests/docs/*' ! -path '*/node_modules/*' ! -path 'tests/fuzz/corpus*' ! -name CHANGELOG.md | LC_ALL=C sort)
    whole=1
else
    list=("$@")
    whole=0
fi
perl -CSD -Mutf8 -e '
use strict;
my $whole = shift @ARGV;
my (%row, %cited, $bad);
open my $f, "<:utf8", "REFERENCES.bib" or die "references: cannot open REFERENCES.bib\n";
my $bib = do { local $/; <$f> };
close $f;
while ($bib =~ /^@([^\n]*)\n((?:  .*\n)*)(.*)/mg) { # an entry: its first line, its fields, its last line
    my ($head, $fields, $end, $line) = ($1, $2, $3, 1 + (substr($bib, 0, $-[0]) =~ tr/\n//));
    my $right = $head =~ /^(?:article|book|inproceedings|misc|techreport)\{([a-z]+\d{4}[a-z]?),$/ && $end eq "}" && !$row{$1};
    my $key = $1;
    $right &&= $fields =~ /^  $_ = /m for qw(title year);
    for (split /\n/, $fields) { $right &&= /^  [a-z]+ = \{.*\},$/ && tr/{// == tr/}// }
    if ($right) { $row{$key} = $line } else { print "REFERENCES.bib:$line: this entry is not complete\n"; $bad = 1 }
}
my $name = qr/(?:d\x27|van |de )?\p{Lu}[\p{L}\x27-]*\p{Ll}/;
for my $file (@ARGV) {
    open my $in, "<:utf8", $file or die "references: cannot open $file\n";
    local $/; my $text = <$in>; close $in;
    my $key = sub {
        my ($at, $first, $year) = @_;
        $first = lc $first;
        $first =~ tr/éèïöüä/eeiöüä/; $first =~ s/ü/ue/g; $first =~ s/ö/oe/g; $first =~ s/ä/ae/g; $first =~ s/[^a-z]//g;
        my $k = $first . $year;
        $cited{$k} = 1;
        return if $row{$k};
        my $line = 1 + (substr($text, 0, $at) =~ tr/\n//);
        print "$file:$line: \"$k\" is cited and has no entry in REFERENCES.bib\n"; $bad = 1;
    };
    $text =~ s/\n[ \t]*(?:\*|#|\/\/)(?=[ \t])/"\n" . " " x (length($&) - 1)/ge; # the edges of comments
    $text =~ s/"(\s*\n\s*)"/ $1 /g;                                            # strings that go on in the next line
    while ($text =~ /(?<![\w.-])([a-z]{2,})((?:18|19|20)\d\d[a-z]?)(?![\w.])/g) { # a key
        my ($at, $first, $year) = ($-[0], $1, $2);
        $key->($at, $first, $year);
    }
    while ($text =~ /(?<![\p{L}.])($name)((?:,?\s+(?:and|&)\s+$name|,\s+$name)*)(?:\s+et\s+al\.?|\s+and\s+others)?,?\s+\(?((?:18|19|20)\d\d)(?![\d.]\d|\d)\)?/g) {
        my ($at, $first, $year) = ($-[0], $1, $3);
        next if $first =~ /^(?:Re|Measured|Since|In|On|By|From|Until|Version|Copyright|Debian|January|February|March|April|May|June|July|August|September|October|November|December)$/;
        $key->($at, $first, $year);
    }
}
if ($whole) {
    for (sort keys %row) { next if $cited{$_}; print "REFERENCES.bib:$row{$_}: \"$_\" is cited nowhere\n"; $bad = 1 }
}
exit($bad ? 1 : 0);
' "$whole" "${list[@]}"
