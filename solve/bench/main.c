/* SPDX-License-Identifier: Apache-2.0 */
/* `solve bench` as a separate program, for machines without the solver's file format libraries. */
#include "solve/bench/bench.h"

int main(int argc, char **argv) {
    return bench_main(argc, argv);
}
