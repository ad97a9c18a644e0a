#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every file and folder of this repository that a page names is there: [text](path) from the page's folder; `path/with/slash.c` from the
# page's folder or the top, with or without .c and .h; `file.c` (and .h, .cpp, .cu, .cuh, .sh, .cmake) in any folder. Prints what is not;
# exit 1 then.
# usage: tests/docs/links.sh SOURCE_DIR
set -euo pipefail
cd "$1"
sources=$(find . -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' -o -name '*.cmake' \) ! -path './build*' ! -path './.git/*')
export sources
find . -name '*.md' ! -path './build*' ! -path './.git/*' ! -path '*/node_modules/*' ! -path './data/verification*' ! -name CHANGELOG.md -print0 | xargs -0 perl -e '
use strict;
my $bad = 0;
my @sources = split /\n/, $ENV{sources};
my $top = qr{(?:common|segment|mesh|solve|post|pipeline|data|tests|packaging|\.ci)};
for my $page (@ARGV) {
    (my $folder = $page) =~ s{/[^/]*$}{};
    open my $in, "<", $page or die "links: cannot open $page\n";
    while (my $line = <$in>) {
        while ($line =~ /\]\(([^)#:]+)(?:#[^)]*)?\)/g) {
            next if -e "$folder/$1";
            print "$page:$.: there is no \"$1\"\n"; $bad = 1;
        }
        while ($line =~ m{`([\w./-]+\.(?:[ch]|cpp|cu|cuh|sh|cmake))`}g) {
            my $file = $1;
            next if grep { substr($_, -length("/$file")) eq "/$file" } @sources;
            print "$page:$.: there is no \"$file\"\n"; $bad = 1;
        }
        while ($line =~ m{`((?:$top)/[\w./-]+)`}g) {
            my $path = $1;
            next if $path =~ m{/out(/|$)|NAME|\.\.\.|^data/verification} || grep { -e } $path, "$path.c", "$path.h", "$path.cpp", "$folder/$path", "$folder/$path.c";
            next if $folder =~ m{/(solve|post|mesh|segment)$} && $path =~ m{^$1/};    # a file in a patient'"'"'s folder
            next if $path =~ m{^(segment|mesh|solve|post|pipeline)/[\w.]+\.(nii\.gz|h5|vtp|vtkhdf|series|json|csv|stl|png|html)$};
            print "$page:$.: there is no \"$path\"\n"; $bad = 1;
        }
    }
}
exit $bad;
'
