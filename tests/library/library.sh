#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An installed libportaflow: an outside project finds it, solves a pipe in two threads at once, and gets the bits of `solve`; the
# examples and the Python module give the same pressure drop; only pf_* is exported.
# usage: tests/library/library.sh BUILD_DIR SOURCE_DIR C_COMPILER
set -euo pipefail
build=$(readlink -f "$1") source=$(readlink -f "$2") compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "library: $*"; bad=1; }
export OMP_NUM_THREADS=1 # also for solve: the bits depend on the number of threads
cmake --install "$build" --component library --prefix "$work/usr" >"$work/log"
shared=$(find "$work/usr" -name 'libportaflow.so.0' -print -quit)
[ -n "$shared" ] || { echo "library: no libportaflow.so.0 was installed"; exit 1; }

# exported symbols
nm -D --defined-only "$shared" | awk '{print $NF}' | sort >"$work/exported"
grep -v '^pf_' "$work/exported" >"$work/foreign" && say "libportaflow exports other names than pf_*: $(head -n 5 "$work/foreign")"
grep -o 'PF_API [^;]*' "$source/library/portaflow.h" | grep -o 'pf_[a-z0-9_]*(' | tr -d '(' | sort >"$work/declared"
diff "$work/declared" "$work/exported" >"$work/differ" || say "portaflow.h and the exports differ: $(cat "$work/differ")"

# an outside project, by CMake and by pkg-config
mkdir "$work/outside"
if ! { cmake -S "$source/tests/library/outside" -B "$work/outside" -DCMAKE_PREFIX_PATH="$work/usr" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" -DEXAMPLES="$source/library/examples" && cmake --build "$work/outside"; } >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
if command -v pkg-config >/dev/null; then
    package=$(dirname "$(find "$work/usr" -name portaflow.pc)")
    read -ra flags <<<"$(PKG_CONFIG_PATH=$package pkg-config --cflags --libs portaflow)"
    "$compiler" -o "$work/by_pkg_config" "$source/library/examples/steady_pipe.c" "${flags[@]}" -Wl,-rpath,"$(dirname "$shared")" ||
        say "an example does not compile with pkg-config"
fi

# the pipe by the programs
cd "$work"
# shellcheck source=tests/cli/fixtures.sh
. "$source/tests/cli/fixtures.sh"
pipe_case
for viscosity in 3.5 4.5; do
    "$build/bin/mesh" --case case.yaml --out mesh --set "blood.viscosity=$viscosity mPa s" 2>said || { cat said; exit 1; }
    "$build/bin/solve" --case case.yaml --in mesh --out "solve_$viscosity" --device cpu \
        --set "blood.viscosity=$viscosity mPa s" 2>said || { cat said; exit 1; }
    "$build/tests/dump_fields" mesh/lattice.h5 "solve_$viscosity/fields.vtkhdf" "solve_$viscosity.raw"
done
cmp -s solve_3.5.raw solve_4.5.raw && say "solve has the same flow for two viscosities"

# two threads: the same flow twice, then two flows
for pair in "3.5 3.5" "3.5 4.5"; do
    read -r first second <<<"$pair"
    code=0
    outside/two_threads mesh/lattice.h5 case.yaml "$first mPa s" "$second mPa s" pair || code=$?
    [ $code = 0 ] || say "two threads with $pair mPa s end with $code"
    cmp "pair_0" "solve_$first.raw" || say "thread 0 of $pair differs from solve"
    cmp "pair_1" "solve_$second.raw" || say "thread 1 of $pair differs from solve"
    rm -f pair_?
done

# examples; a case that is built without a file has the flow of the case file
flow=8.3333333333333335e-07 # 0.05 L/min
drop() { # drop COMMAND..: the pressure drop that an example prints
    "$@" 2>said >drop_printed || true
    sed -n 's/^pressure drop \([^ ]*\) Pa after.*/\1/p' drop_printed
}
outside/steady_pipe mesh/lattice.h5 IN $flow OUT >printed || say "steady_pipe fails"
given=$(drop outside/steady_pipe mesh/lattice.h5 IN $flow OUT)
awk -v d="$given" 'BEGIN { exit !(d > 0.1 && d < 10) }' || say "steady_pipe prints the pressure drop '$given'"
outside/read_fields mesh/lattice.h5 case.yaml "blood.viscosity=4 mPa s" >printed || say "read_fields fails"
grep -q '^fastest cell: centre .* m/s, .* Pa$' printed || say "read_fields prints '$(cat printed)'"
outside/parameter_study mesh/lattice.h5 IN $flow OUT >printed || say "parameter_study fails"
grep -qx "0.0035,$given,.*" printed || say "parameter_study has another pressure drop than $given: $(cat printed)"
[ "$(wc -l <printed)" = 4 ] || say "parameter_study prints $(wc -l <printed) lines"
if command -v python3 >/dev/null; then
    module=$(dirname "$(find "$work/usr" -name portaflow.py)")
    cp "$source/library/python/steady_pipe.py" . # beside it, Python would find the module of the sources
    found=$(PYTHONPATH=$module${PYTHONPATH:+:$PYTHONPATH} drop python3 steady_pipe.py mesh/lattice.h5 IN $flow OUT)
    [ "$found" = "$given" ] || say "Python finds the pressure drop '$found', C $given: $(cat said)"
    grep -h NumPy said || true
    PYTHONPATH=$module${PYTHONPATH:+:$PYTHONPATH} python3 "$source/tests/library/use_module.py" mesh/lattice.h5 || say "the Python module fails"
else
    echo "library: python3 is missing: the Python module is not tested"
fi
[ $bad = 0 ] && echo "library: an outside project has the flow of solve, pressure drop $given Pa"
exit $bad
