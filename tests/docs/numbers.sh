#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The README's numbers are on the pages in data/verification: each number with a decimal point in a row that ends with
# `pipeline reproduce NAME` is,
# rounded to the same number of digits, in data/verification/NAME.md or one of its tables NAME-*.csv. Prints each number
# that is not; exit 1 then.
# usage: tests/docs/numbers.sh SOURCE_DIR
set -euo pipefail
cd "$1"
perl -e '
use strict;
my ($rows, $bad) = (0, 0);
open my $readme, "<", "README.md" or die "numbers: cannot open README.md\n";
while (<$readme>) {
    next unless /^\| [^|]* \| ([^|]*) \| `pipeline reproduce ([\w:-]+)` \|$/;
    my ($text, $item, $line) = ($1, $2, $.);
    (my $page = "data/verification/$item.md") =~ s/:/-/;
    my $in;
    unless (open $in, "<", $page) { print "README.md:$line: there is no $page\n"; $bad = 1; next }
    my $all = join("", <$in>);
    close $in;
    (my $stem = $page) =~ s/\.md$//;
    for my $table (glob("$stem-*.csv")) { open $in, "<", $table or die "numbers: cannot open $table\n"; $all .= join("", <$in>); close $in }
    my @there = $all =~ /(?<![\w.])-?(\d+\.\d+)/g;
    $rows++;
    for my $said ($text =~ /(\d+\.\d+)/g) {
        my $digits = length($said) - index($said, ".") - 1;
        next if grep { sprintf("%.${digits}f", $_) == $said } @there;
        print "README.md:$line: $said is neither in $page nor in its tables\n"; $bad = 1;
    }
}
if ($rows < 3) { print "README.md: $rows rows of numbers with their command, 3 are expected\n"; $bad = 1 }
exit $bad;
'
