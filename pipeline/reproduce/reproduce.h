/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline reproduce`: exact solutions, benchmarks and the papers' tables and figures by one command. */
#ifndef PORTAFLOW_REPRODUCE_H
#define PORTAFLOW_REPRODUCE_H
#include "common/base/must_check.h"
#include <stdbool.h>

typedef struct {
    bool list;
    const char *out; /* folder for <study>.md, .csv, .png and cases/; <out>.md is the index of all studies */
    double scale;
    const char *device; /* device that solve uses; NULL: default */
    int threads, jobs;
    bool verbose;
    int n_name;
    const char *const *name;
} reproduce_options;

/* Lists the studies, or computes the named studies. A missed criterion gives ERR_NUMERIC after everything is written.
 * Errors: ERR_USAGE (unknown study), errors of the stages. */
MUST_CHECK int reproduce_items(const reproduce_options *o);
#endif
