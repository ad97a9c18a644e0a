/* The instants of the cycle that the case asks for one by one: `post: {instants: [0.12 s, ..]}`. */
#ifndef PORTAFLOW_POST_READOUTS_INSTANTS_H
#define PORTAFLOW_POST_READOUTS_INSTANTS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "post/flow/monitors.h"
#include "post/readouts/readouts.h"
#include "post/flow/solution.h"
#include "post/wall/wall.h"

typedef struct {
    int stored; /* index of the stored instant, the nearest in time (round the cycle) */
    double time_s;
    solution at;   /* of the run, with the openings' flows and pressures at this instant */
    fields f;      /* velocity only: pressure and stress are NULL */
    double *wss;   /* [n_point][3] on the wall, Pa */
    double *shear; /* [n_point] its magnitude */
    double *pressure;
} instants_one;

typedef struct {
    int n;
    instants_one *one; /* [n] in the order of the case, each stored instant once */
} instants;

/* Which stored instants: the nearest (with a message when it is another time); a warning when two are the same. Flows
 * and pressures of the openings come from the monitors; where they have no rows they are NaN.
 * Errors: ERR_INPUT (beyond the cycle), ERR_RESOURCE. */
MUST_CHECK int instants_choose(const case_file *c, const lattice *l, const solution *run, const monitors *m,
                               instants *to);
void instants_free(instants *i); /* safe on a zeroed struct */

/* The fields of stored instant `stored` and what they are on the wall. When it is one of the chosen ones its readouts
 * are formed (r->instant, allocated before) and what is drawn of it is kept: velocity_m_s is taken out of *f.
 *   wss_pa [n_point][3], pressure_pa [n_point] as wall_apply gives them; highest_m_s of the whole field
 * Errors: ERR_RESOURCE. */
MUST_CHECK int instants_take(instants *i, int stored, const case_file *c, const sampler *s, const wall *w, fields *f,
                             const double *wss_pa, const double *pressure_pa, double highest_m_s, readouts *r);
#endif
