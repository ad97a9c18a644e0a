/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of links through openings, the effective position of the pressure at an opening, and pulse profiles. */
#ifndef PORTAFLOW_DOMAIN_OPENINGS_H
#define PORTAFLOW_DOMAIN_OPENINGS_H
#include "solve/core/domain.h"

/* Unit vector of the flow direction through the opening, out of the fluid. */
const double *domain_openings_along(const lattice_opening *o);

/* 6 w_a e_a . v, where a is the direction opposite to i and w_a its weight. directions: 19 or 27, in this and all
 * functions below; it selects the weights. */
double domain_openings_ladd(int directions, int i, const double v[3]);

/* Weight of a link in direction i through opening k (domain_link.weight). `nth`: index of the link among the links of
 * this opening; q: wall distance, for a moving wall. */
float domain_openings_weight(const lattice *l, int directions, const domain_condition *condition, int k, int i, float q,
                             int64_t nth);

/* Handles a wall link with q > 1/2 if its opposite link `other` goes through an opening. Rule (2) of
 * solve/BOUNDARY_LINKS.md needs f_a', which leaves through `other`, and a GPU does not keep it. Plain half-way
 * bounce-back would slow the last layer by 1 %. At a flow opening, except with a plug profile, the velocity between the
 * wall (0) and `other` is known, with the curvature of a circle. The link therefore becomes a link of the opening.
 * Half-way bounce-back remains for pressure openings, plug profiles and, with heat, axis links; and if `other` gives no
 * velocity (weight 0, or across the vessel). */
void domain_openings_join(const lattice *l, int directions, const domain_condition *condition, const domain_link *other,
                          domain_link *link);

/* Sets the velocity u that a link has at a flow of 1 through its opening, and e.u. domain_opening.carried is the
 * weighted mean of 9/2 (e.u)^2 - 3/2 u^2 over the links. flux: domain_opening.link_flux. Returns false if the link is
 * perpendicular to the vessel, because it then determines no velocity. */
bool domain_openings_velocity(const lattice *l, int directions, const domain_condition *condition,
                              const domain_link *link, double flux, double *u, double *e_u);

/* Contribution of a link to domain_opening.setback: distance from the opening plane, along the vessel into the fluid,
 * to the point whose pressure the link represents. e_n, e_t: components of the link vector e along and across the
 * vessel. Let the flow be developed, u = u_n n, with the pressure gradient g per cell; in a circle (e_t.grad)^2 u_n =
 * -g e_t^2 / (2 nu). Two opposite populations that meet in the middle of a link sum to 2 w (3 p - 9 nu e_n e.grad u_n).
 * The odd part f- - feq- is w e_n g (3 - 9/2 e_t^2) / omega-.
 *   flow opening:      p at the middle, plus a shear term 3/2 g e_n e_t.r, r from the axis to the middle. The term sums
 *                      to 0 over a whole cross-section, but not where links at the rim meet the wall first.
 *   pressure opening:  link_pressure_slot is stationary for p at e_n (1 - 3/2 e_t^2) / 2 in front of the centre */
double domain_openings_setback(const lattice *l, const domain *d, const domain_link *link);

/* --- pulse profiles */

/* Projects a point along the vessel; i, j: its position in nodes of the grid. */
void opening_pulse_coordinates(const opening_pulse *p, const double lps_mm[3], double *i, double *j);
/* Ratio and curvature of a profile at a point, linear between nodes. Beyond the grid: its border. */
void opening_pulse_at(const opening_pulse *p, int profile, const double lps_mm[3], double *ratio, double *curvature);
void opening_pulse_free(opening_pulse *p); /* safe on a zeroed struct */

/* Sets the members of d that hold pulse profiles, for the conditions with pulse profiles. The links of d have their
 * final weights. A pulse profile gets no flow: its flow over the links is subtracted with the steady profile. Errors:
 * ERR_RESOURCE, and errors of parts->sum. Test: tests/unit/solve/test_pulse_inlets.c */
MUST_CHECK int domain_pulse_create(const lattice *l, const domain_share *parts, const domain_condition *condition,
                                   domain *d);
/* Copies the pulse profiles of `from`, whose links d has. Errors: ERR_RESOURCE. */
MUST_CHECK int domain_pulse_copy(const domain *from, domain *d);

/* Density deviation in eq. 12 caused by the momentum of the pulse profiles of opening k, beside domain_opening.carried.
 * flow: of the opening; given: prescribed values of the step, with d->n_pulse > 0. */
double domain_pulse_carried(const domain *d, int k, double flow, const prescribed_value *given);
#endif
