/* SPDX-License-Identifier: Apache-2.0 */
/* Command line of solve. */
#ifndef PORTAFLOW_SOLVE_OPTIONS_H
#define PORTAFLOW_SOLVE_OPTIONS_H
#include "common/case/case.h"
#include "solve/core/device.h"
#include <stdbool.h>

typedef struct {
    const char *case_path, *in, *out; /* in: folder of lattice.h5; NULL: a dry run without a lattice */
    int device;                       /* enum device: where the flow is computed */
    bool resume; /* true: continue from out/checkpoint.h5 if it exists and fits, otherwise start anew */
    int threads;
    int argc; /* argc, argv: command line, for solve.json */
    char **argv;
    options_list set; /* settings of the command line (case_read_set) */
    bool dry_run;     /* true: check and estimate only (dry_run.h) */
} solve_options;
#endif
