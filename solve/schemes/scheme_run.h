/* SPDX-License-Identifier: Apache-2.0 */
/* One row of the table: a scheme is checked against the reference solution, then timed. */
#ifndef PORTAFLOW_BENCH_SCHEME_RUN_H
#define PORTAFLOW_BENCH_SCHEME_RUN_H
#include "common/base/must_check.h"
#include "solve/schemes/scheme_case.h"
#include "solve/schemes/scheme_device.h"
#include "solve/schemes/scheme_field.h"
#include "solve/core/domain.h"

enum scheme_verdict { SCHEME_SAME, SCHEME_FAILED, SCHEME_NO_ROOM, SCHEME_LONG_ROWS, SCHEME_GPU_ONLY };

typedef struct {
    const scheme_device *device;
    int wall, precision; /* wall: enum scheme_wall; precision: BACKEND_FLOAT or _DOUBLE */
    bool heat;           /* true: flow and temperature, possible with wall SCHEME_BOUNCE only */
    int stride;          /* for CSOA: cells per block, a power of two */
    int threads;         /* number of threads; for the CPU only */
    double seconds;      /* duration of the timing; 0: only check */
} scheme_settings;

/* Populations of a reference computation, all [scheme_slots][n_cell]. start: initial state; `end`: expected state after
 * the steps of the check. Index 0: after streaming; index 1: after the collision. `before`: populations after the
 * collision one step before `start`, from which the solver of this project starts. work: scratch memory of the same
 * size. */
typedef struct {
    const scheme_field *field;
    void *before, *start[2], *end[2], *work;
    domain ours; /* the same cells for our solver, built when first used */
} scheme_truth;

typedef struct {
    int id, precision, verdict;
    bool heat;
    double difference;         /* largest difference over the largest population, after the steps of the check */
    double mlups;              /* speed; 0: not timed */
    double per_update;         /* bytes that the update of a fluid cell must move */
    double memory, addressing; /* bytes on the device: in all, and for finding neighbours */
} scheme_row;

/* Computes the initial state and the reference solution. Errors: ERR_RESOURCE. */
MUST_CHECK int scheme_truth_create(const scheme_case *c, const scheme_settings *o, scheme_truth *t);
void scheme_truth_free(scheme_truth *t); /* safe on a zeroed struct */

/* Checks a scheme against the reference solution and times it. A scheme that differs or does not fit is reported in its
 * row, not as an error. Errors: ERR_RESOURCE (the device failed). */
MUST_CHECK int scheme_run(const scheme_case *c, const scheme_settings *o, scheme_truth *t, int id, scheme_row *row);

/* SCHEME_CHECK_STEPS: number of steps of a check. scheme_tolerance: largest accepted difference, the rounding of a few
 * steps. */
enum { SCHEME_CHECK_STEPS = 6 };
double scheme_tolerance(int id, int precision);

/* Does the same as scheme_run for the solver (SCHEME_OURS, SCHEME_OURS_HALF), through backend.h. Errors: as
 * scheme_run. */
MUST_CHECK int scheme_run_ours(const scheme_case *c, const scheme_settings *o, scheme_truth *t, int id,
                               scheme_row *row);

/* Relaxation and force in all runs, lattice units; the temperature has the Prandtl number of air, 0.71. */
extern const scheme_physics scheme_run_physics;
#endif
