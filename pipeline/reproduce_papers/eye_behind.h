/* Behind the iris of cyclic2020:figure5: what of the flow goes through the gap between iris and lens, and round the
 * axis of the eye. */
#ifndef PORTAFLOW_EYE_BEHIND_H
#define PORTAFLOW_EYE_BEHIND_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/trial.h"

enum { EYE_RADII = 8, EYE_RING = 72, EYE_SHOWN = 2 }; /* EYE_SHOWN: 3 mm from the axis */

/* Radial velocity is the mean over the depth between the iris and what is behind it; its waves round the axis, the m-th
 * with 2 m vortices side by side, each against its neighbours. */
typedef struct {
    double radius_mm[EYE_RADII], angle_deg[EYE_RING]; /* angle from straight up */
    double radial_mm_s[EYE_RADII][EYE_RING];
    double fastest_mm_s; /* any component, any depth */
    double waves_mm_s;   /* largest radial velocity less its mean round the axis */
    double mean_mm_s;    /* that mean, where it is largest; 0 but for what walls take and give back */
    int wave;            /* strongest m > 0 of the ring that is shown; 0 where nothing moves */
    double wave_share;   /* its part of the sum of their squares */
} eye_behind;

extern const double eye_behind_gap_mm; /* between iris and lens, on the axis */

/* Errors: those of trial_probe. */
MUST_CHECK int eye_behind_probe(const trial *t, eye_behind *b);
#endif
