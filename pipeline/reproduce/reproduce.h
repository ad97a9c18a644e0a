/* `pipeline reproduce`: exact solutions, benchmarks and the papers' tables and figures by one command. */
#ifndef PORTAFLOW_REPRODUCE_H
#define PORTAFLOW_REPRODUCE_H
#include "common/base/must_check.h"
#include <stdbool.h>

typedef struct {
    bool list;
    const char *out; /* <out>/<study>.md, .csv, .png, cases/; all of them together: <out>.md */
    double scale;
    int to;             /* last stage to compute, of studies that take solutions from elsewhere */
    const char *device; /* for solve, NULL: its default */
    int threads, jobs;
    bool verbose;
    int n_name;
    const char *const *name;
} reproduce_options;

/* List the studies, or compute the named ones. A criterion that was set beforehand and is missed is ERR_NUMERIC at the
 * end, after everything is written. Errors: ERR_USAGE (no such study, not there yet), those of the stages. */
MUST_CHECK int reproduce_items(const reproduce_options *o);
#endif
