/* The solve stage: lattice + case -> fields, monitors, checkpoint. */
#ifndef PORTAFLOW_SOLVE_H
#define PORTAFLOW_SOLVE_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "solve/core/device.h"
#include <stdbool.h>
#include <stdio.h>

typedef struct {
    const char *case_path, *in, *out; /* in holds lattice.h5 */
    int device;                       /* enum device */
    bool resume; /* from out/checkpoint.h5 when it is there and of this case; otherwise from rest */
    int threads;
    int argc; /* for the provenance */
    char **argv;
    options_list set; /* of the case, in place of what its file says: case_read_set */
} solve_options;

/* Errors: all of status.h; ERR_NUMERIC when it diverged or did not converge (the fields are written then too, marked
 * converged: false). */
MUST_CHECK int solve(const solve_options *o);

/* A line a device of this machine. Errors: ERR_RESOURCE when `device` is not among them. */
MUST_CHECK int solve_devices(int device, FILE *to);
#endif
