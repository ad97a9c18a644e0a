#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The picture of the libraries in ARCHITECTURE.md (data/pictures/libraries.svg) is drawn from the build.
# usage: tests/docs/libraries.sh dot   LIBRARIES_TXT         the graph, for dot (make pictures)
#        tests/docs/libraries.sh check LIBRARIES_TXT SVG     every link of the build is in the picture, and the other way round; exit 1 if not
# LIBRARIES_TXT is libraries.txt of a build folder. An arrow that follows from others is not drawn. A build that leaves libraries out
# is checked for those it has.
set -euo pipefail
perl -e '
use strict;
my ($mode, $list, $svg) = @ARGV;
my (%kind, %folder, %link, %needs, @order);
my %package = (ITKCommon => "ITK", "VTK::CommonCore" => "VTK", "PkgConfig::CJSON" => "cJSON", "PkgConfig::XXHASH" => "xxHash",
               "PkgConfig::YAML" => "libyaml", "PkgConfig::PNG" => "libpng", "CUDA::cudart_static" => "CUDA");
open my $f, "<", $list or die "libraries: cannot open $list\n";
while (<$f>) {
    next unless /^(\w+) (\S+) (\S+): (.*)/;
    my ($k, $name, $where, $rest) = ($1, $2, $3, $4);
    next if $name =~ /_none$/;          # stands in where ITK or VTK is left out
    $name .= " " if $k eq "program";    # the program post beside the folder of that name
    push @order, $name;
    ($kind{$name}, $folder{$name}) = ($k, $where);
    for (split / /, $rest) {
        $link{$name}{$_} = 1;
        $needs{$name}{$package{$_}} = 1 if $package{$_};
        $needs{$name}{HDF5} = 1 if /libhdf5/;
    }
}
close $f;
for my $name (@order) { for (keys %{$link{$name}}) { delete $link{$name}{$_} unless $kind{$_} } }
sub reaches { my ($edges, $from, $to, $seen) = @_;
    for (keys %{$edges->{$from}}) { next if $seen->{$_}++; return 1 if $_ eq $to || reaches($edges, $_, $to, $seen) } return 0 }
my %drawn;
for my $from (@order) {
    for my $to (keys %{$link{$from}}) {
        my %others = (%link, $from => {map { $_ => 1 } grep { $_ ne $to } keys %{$link{$from}}});
        $drawn{$from}{$to} = 1 unless reaches(\%others, $from, $to, {});
    }
}
if ($mode eq "dot") {
    print "digraph libraries {\n  rankdir=LR; ranksep=0.35; nodesep=0.12; bgcolor=white; fontname=\"Helvetica\";\n";
    print "  node [shape=box, style=filled, fillcolor=white, fontname=\"Helvetica\", fontsize=11, height=0.3, margin=\"0.08,0.03\"];\n";
    print "  edge [color=\"#555555\", arrowsize=0.6];\n";
    my %rooms; push @{$rooms{$folder{$_}}}, $_ for @order;
    for my $room (sort keys %rooms) {
        print "  subgraph \"cluster_$room\" { label=\"$room/\"; style=filled; color=\"#eef2f7\"; fontsize=12;\n";
        for my $name (@{$rooms{$room}}) {
            my $with = join ", ", sort keys %{$needs{$name} || {}};
            (my $label = $name) =~ s/ $//;
            $label .= "\\n$with" if $with && $kind{$name} eq "library";
            printf "    \"%s\" [label=\"%s\"%s];\n", $name, $label, $kind{$name} eq "program" ? ", shape=ellipse, fillcolor=\"#ffe9c7\"" : "";
        }
        print "  }\n";
    }
    for my $from (@order) { print "  \"$_\" -> \"$from\";\n" for sort keys %{$drawn{$from} || {}} }
    print "}\n";
    exit 0;
}
my (%node, %picture, $bad);
open my $s, "<", $svg or die "libraries: cannot open $svg\n";
while (<$s>) {
    next unless m{<title>([^<]*)</title>};
    my $t = $1; $t =~ s/&#45;/-/g; $t =~ s/&gt;/>/g; $t =~ s/&#160;/ /g;
    if ($t =~ /^(.*)->(.*)$/) { $picture{$2}{$1} = 1 } else { $node{$t} = 1 }
}
close $s;
for my $name (@order) {
    print "libraries: $name is not in $svg; draw it again: make pictures\n" and $bad = 1 unless $node{$name};
    for (sort keys %{$link{$name} || {}}) {
        next if !$node{$name} || reaches(\%picture, $name, $_, {});
        print "libraries: $name links $_, which $svg does not show; draw it again: make pictures\n"; $bad = 1;
    }
}
for my $name (sort keys %picture) {
    for (sort keys %{$picture{$name}}) {
        next if !$kind{$name} || !$kind{$_} || reaches(\%link, $name, $_, {});
        print "libraries: $svg shows that $name needs $_, the build does not; draw it again: make pictures\n"; $bad = 1;
    }
}
exit($bad ? 1 : 0);
' "$@"
