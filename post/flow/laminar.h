/* Whether the flow through a section can be laminar, and so whether what the solver settles to can be the flow. */
#ifndef PORTAFLOW_POST_FLOW_LAMINAR_H
#define PORTAFLOW_POST_FLOW_LAMINAR_H
#include "post/flow/ppg.h"

/* Reynolds number of a section: density * |mean velocity| * D / viscosity, D = 2 sqrt(area / pi). SI but area_mm2.
 * NaN where one of them is. */
double laminar_reynolds(double area_mm2, double mean_velocity_m_s, double density_kg_m3, double viscosity_pa_s);

/* The Reynolds number above which a warning is given. Steady: 2040, from which turbulence is sustained in a straight
 * pipe (Avila et al. 2011). Pulsatile, of the mean over the cycle: 1000, our choice of half of that, for pulsating flow
 * through vessels that are bent or uneven becomes unsteady at lower Reynolds numbers (Xu et al. 2020). */
double laminar_limit(bool pulsatile);

/* The place with the largest Reynolds number; NULL: none has one. */
const place *laminar_worst(int n, const place *p);

/* Warns of the place whose Reynolds number is the furthest above the limit, or of the fastest place inside the vessel
 * (`fastest`, its Reynolds number, NaN: not known), which a narrowing behind quiet openings is. `averaged`: values are
 * means of a flow that is unsteady. */
void laminar_check(int n, const place *p, double fastest, bool pulsatile, bool averaged);
#endif
