#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Circles of sources: files that use each other in a loop, by includes and by the symbols of the build's objects.
# Prints each circle with what ties it, two files included; exit 1 when one has more than two files.
# A file is a source with the header of the same name; the build folder must hold the objects.
# usage: tests/docs/circles.sh BUILD_DIR
set -euo pipefail
cd "$(dirname "$0")/../.."
perl -e '
use strict;
my ($build) = @ARGV;
my (%unit, %stem, %edge, %why, %defined);
for (split /\n/, `git ls-files "*.c" "*.h" "*.cpp" "*.cu" "*.cuh"`) {
    next if m{^tests/};
    (my $u = $_) =~ s/\.\w+$//;
    $unit{$_} = $u;
}
sub join_units { my ($from, $to, $name) = @_; return if $from eq $to; $edge{$from}{$to} = 1; $why{"$from $to"}{$name} = 1 if $name }
for my $file (keys %unit) {
    open my $f, "<", $file or next;
    while (<$f>) { join_units($unit{$file}, $unit{$1}, "") if /^\s*#\s*include "([^"]+)"/ && $unit{$1} }
}
my @objects = split /\n/, `find $build -name "*.o" -path "*/CMakeFiles/*" -not -path "*/tests/*"`;
my %used;
for my $object (@objects) {
    my $path = $object;
    $path =~ s{^\Q$build\E/}{};
    next unless $path =~ m{^(.*?)/?CMakeFiles/[^/]+\.dir/(.*)\.o$};
    my $source = "$1/$2";
    next unless $unit{$source};
    for (split /\n/, `nm -g $object`) {
        if (/ U (\w+)$/) { $used{$unit{$source}}{$1} = 1 }
        elsif (/ [TDBRVW] (\w+)$/) { $defined{$1}{$unit{$source}} = 1 }
    }
}
for my $from (keys %used) {
    for my $name (keys %{$used{$from}}) {
        my @at = keys %{$defined{$name} || {}};
        join_units($from, $at[0], $name) if @at == 1;
    }
}
my ($count, @stack, %index, %low, %on, @circles) = (0);
sub visit { my ($v) = @_;
    $index{$v} = $low{$v} = $count++; push @stack, $v; $on{$v} = 1;
    for my $w (sort keys %{$edge{$v} || {}}) {
        if (!defined $index{$w}) { visit($w); $low{$v} = $low{$w} if $low{$w} < $low{$v} }
        elsif ($on{$w} && $index{$w} < $low{$v}) { $low{$v} = $index{$w} }
    }
    if ($low{$v} == $index{$v}) {
        my @members;
        while (1) { my $w = pop @stack; $on{$w} = 0; push @members, $w; last if $w eq $v }
        push @circles, [sort @members] if @members > 1;
    }
}
no warnings "recursion";
for my $v (sort values %unit) { visit($v) unless defined $index{$v} }
my $bad = 0;
for my $c (sort { @$b <=> @$a } @circles) {
    my %in = map { $_ => 1 } @$c;
    print scalar(@$c), " files: @$c\n";
    for my $v (@$c) { for my $w (grep { $in{$_} } sort keys %{$edge{$v}}) {
        my @names = sort keys %{$why{"$v $w"} || {}};
        print "    $v -> $w: ", (@names ? join(", ", @names[0 .. ($#names < 4 ? $#names : 4)]) : "include"), "\n" } }
    $bad = 1 if @$c > 2;
}
printf "%d circles in %d files, %d of more than two\n", scalar(@circles), scalar(keys %{{map { $_ => 1 } values %unit}}), scalar(grep { @$_ > 2 } @circles);
exit $bad;' "$(readlink -f "$1")"
