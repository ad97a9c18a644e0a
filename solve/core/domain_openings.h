/* What a link through an opening prescribes, and where the pressure is that it stands for. */
#ifndef PORTAFLOW_DOMAIN_OPENINGS_H
#define PORTAFLOW_DOMAIN_OPENINGS_H
#include "solve/core/domain.h"

/* Unit vector in which blood passes the opening, out of the fluid. */
const double *domain_openings_along(const lattice_opening *o);

/* 6 w_a e_a . v with a = opposite(i) */
double domain_openings_ladd(int i, const double v[3]);

/* domain_link.weight of a link in direction i through opening k, the nth of that opening; q: to a moving wall. */
float domain_openings_weight(const lattice *l, const domain_condition *condition, int k, int i, float q, int64_t nth);

/* A wall at q > 1/2 whose opposite link leads through an opening would take f_a' of that one, of which a GPU keeps
 * nothing (cuda/cuda_openings.cuh). Half-way instead, it slows the last layer down by a percent of the mean velocity at
 * 16 cells across. Where the flow is given, the velocity half-way to the wall is known, too: the link becomes one of
 * the opening, with 0 at the wall, the velocity of `other`, the opposite link, and the curvature of a circle's. Else
 * the wall stands half-way: with a given pressure, a plug and, with heat, on links along the axes, which are the wall's
 * for the heat. */
void domain_openings_join(const lattice *l, const domain_condition *condition, const domain_link *other,
                          domain_link *link);

/* Of domain_opening.carried, the sum of 9/2 (e.u)^2 - 3/2 u^2: the velocity of a flow of 1 that a link gives, and e.u;
 * flux: domain_opening.link_flux. False: the link lies across the vessel (it leads through an oblique plane alone) and
 * gives none. */
bool domain_openings_velocity(const lattice *l, const domain_condition *condition, const domain_link *link, double flux,
                              double *u, double *e_u);

/* Part of domain_opening.setback of one link: how far inside the plane, along the vessel, the pressure is that it
 * stands for. In a developed flow u = u_n n whose pressure falls by g a cell, a population and its partner across the
 * middle of a link are 2 w (3 p - 9 nu e_n e.grad u_n), and f- - feq- is w e_n g (3 - 9/2 e_t^2) / omega- (e_n, e_t:
 * the link along and across the vessel; circle: (e_t.grad)^2 u_n = -g e_t^2 / (2 nu)).
 *   read:   p at the middle, and of the shear, whose sum over a whole section is 0 but not over the links that there
 *           are (at the rim some meet the wall first), 3/2 g e_n e_t.r, r from the axis to the middle
 *   given:  link_pressure_slot stands still where p is e_n (1 - 3/2 e_t^2) / 2 in front of the centre */
double domain_openings_setback(const lattice *l, const domain *d, const domain_link *link);
#endif
