/* SPDX-License-Identifier: Apache-2.0 */
/* `solve bench --schemes`: the memory schemes of the papers compared with ours, on this machine. */
#ifndef PORTAFLOW_BENCH_SCHEMES_H
#define PORTAFLOW_BENCH_SCHEMES_H
#include "common/base/must_check.h"

/* True if the arguments contain --schemes. */
int schemes_asked(int argc, char **argv);
/* Runs `solve bench --schemes`. argv[0] is "bench". Errors: the errors of bench_main, and ERR_NUMERIC if the velocity
 * field of a scheme differs from the reference solution. */
MUST_CHECK int schemes_main(int argc, char **argv);
#endif
