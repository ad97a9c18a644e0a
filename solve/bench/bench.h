/* SPDX-License-Identifier: Apache-2.0 */
/* `solve bench`: speed of the cell update alone, compared with the copy bandwidth measured in the same run. */
#ifndef PORTAFLOW_BENCH_H
#define PORTAFLOW_BENCH_H
#include "common/base/must_check.h"

/* Runs `solve bench` and prints its table to stdout. argv[0] is "bench". Errors: ERR_USAGE, ERR_RESOURCE, ERR_OUTPUT,
 * ERR_NUMERIC (the flow diverged). */
MUST_CHECK int bench_main(int argc, char **argv);
#endif
