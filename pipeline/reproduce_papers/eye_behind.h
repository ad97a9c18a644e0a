/* SPDX-License-Identifier: Apache-2.0 */
/* Flow behind the iris of cyclic2020:figure5: through the gap between iris and lens, and around the axis of the eye. */
#ifndef PORTAFLOW_EYE_BEHIND_H
#define PORTAFLOW_EYE_BEHIND_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/study_case.h"

enum { EYE_RADII = 8, EYE_RING = 72, EYE_SHOWN = 2 }; /* EYE_SHOWN: index of the ring whose radius is 3 mm */

/* Radial velocity: mean over the depth between the iris and the structures behind it. Waves around the axis: the m-th
 * wave is 2 m alternating vortices. */
typedef struct {
    double radius_mm[EYE_RADII], angle_deg[EYE_RING]; /* angle: measured from straight up */
    double radial_mm_s[EYE_RADII][EYE_RING];
    double fastest_mm_s; /* largest speed at all points, on all rings and in all depths */
    double waves_mm_s;   /* largest deviation of the radial velocity from its mean around the axis */
    /* largest mean of the radial velocity around the axis; without exchange of mass with walls it is 0 */
    double mean_mm_s;
    int wave;          /* number m of the strongest wave on ring EYE_SHOWN; 0: no motion */
    double wave_share; /* squared amplitude of this wave over the sum of squared amplitudes of all waves */
} eye_behind;

extern const double eye_behind_gap_mm; /* width of the gap between iris and lens, on the axis */

/* Reads the velocity behind the iris from the computed case. Errors: as study_case_probe. */
MUST_CHECK int eye_behind_probe(const study_case *t, eye_behind *b);
#endif
