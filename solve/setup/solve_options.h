/* What the command line asks of solve. */
#ifndef PORTAFLOW_SOLVE_OPTIONS_H
#define PORTAFLOW_SOLVE_OPTIONS_H
#include "common/case/case.h"
#include "solve/core/device.h"
#include <stdbool.h>

typedef struct {
    const char *case_path, *in, *out; /* in holds lattice.h5; a dry run may have none: NULL */
    int device;                       /* enum device */
    bool resume; /* from out/checkpoint.h5 when it is there and of this case; otherwise from rest */
    int threads;
    int argc; /* for the provenance */
    char **argv;
    options_list set; /* of the case, in place of what its file says: case_read_set */
    bool dry_run;     /* dry_run */
} solve_options;
#endif
