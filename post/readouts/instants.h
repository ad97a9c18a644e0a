/* SPDX-License-Identifier: Apache-2.0 */
/* The instants of the cycle that the case requests: `post: {instants: [0.12 s, ..]}`. */
#ifndef PORTAFLOW_POST_READOUTS_INSTANTS_H
#define PORTAFLOW_POST_READOUTS_INSTANTS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "post/flow/monitors.h"
#include "post/readouts/readouts.h"
#include "post/flow/solution.h"
#include "post/wall/wall.h"

typedef struct {
    int stored; /* index of the stored instant that is nearest in time, also across the end of the cycle */
    double time_s;
    solution at;      /* solution of the run, with the flows and pressures of the openings at this instant */
    fields f;         /* fields with velocity only; pressure and stress are NULL */
    double *wss;      /* [n_point][3] wall shear stress, Pa */
    double *shear;    /* [n_point] magnitude of the wall shear stress, Pa */
    double *pressure; /* [n_point] pressure on the wall, Pa */
} instants_one;

typedef struct {
    int n;
    instants_one *one; /* [n] in the order of the case; a stored instant appears once */
} instants;

/* Chooses the nearest stored instants. Prints a message if the time of a stored instant differs from the requested
 * time, and a warning if two requests have the same stored instant. Flows and pressures of the openings come from the
 * monitors; NaN without monitors. Errors: ERR_INPUT (a requested time is beyond the cycle), ERR_RESOURCE. */
MUST_CHECK int instants_choose(const case_file *c, const lattice *l, const solution *run, const monitors *m,
                               instants *to);
/* Sets r->sampled_pa and r->sampled_ml_s from the openings, of which the monitors have every step. Warns if they are
 * set. Errors: ERR_RESOURCE. */
MUST_CHECK int instants_take_sampling_error(const solution *run, const monitors *m, readouts *r);
void instants_free(instants *i); /* safe on a zeroed struct */

/* Processes the fields of stored instant `stored`. If the case requests this instant: forms its readouts (r->instant,
 * allocated by the caller) and keeps the data of its pictures; velocity_m_s moves out of *f. */
MUST_CHECK int instants_take(instants *i, int stored, const case_file *c, const sampler *s, const wall *w, fields *f,
                             const double *wss_pa, const double *pressure_pa, double highest_m_s, readouts *r);
#endif
