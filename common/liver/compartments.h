/* SPDX-License-Identifier: Apache-2.0 */
/* Blood flow through the liver in two continua that fill the same space, the portal (p) and the hepatic veins (h), with
 * exchange through the sinusoids (Rohan, Lukes and Jonasova 2018, with two of their three compartments):
 *
 *   div(-k_p/mu grad p_p) = s_p - g (p_p - p_h)                                                              (1)
 *   div(-(1 - s) k_h/mu grad p_h) = g (p_p - p_h) - s_h                                                      (2)
 *   g = 1 / (R_portal V)                                                                                     (3)
 *
 * s_p: source at the ends of the portal branches. s_h: sink at the ends of the hepatic veins. No flow through the
 * capsule. R_portal: resistance of the lobule law (lobule_law.h), V: volume of the liver, so that the exchange of the
 * whole liver is the mean of p_p - p_h over R_portal. Both equations are for portal blood. The hepatic artery adds the
 * share s of the flow where the exchange takes place, so that the hepatic veins carry 1 / (1 - s) times the portal
 * flow; (2) is divided by this factor.
 *
 * The permeability k of a bundle of straight tubes with radius r in all directions, which fill the part phi of the
 * liver, is phi r^2 / 24 (Hagen-Poiseuille). No source measures it for the veins of a human liver. Default of k_p and
 * k_h: 3.3e-9 m2 +- 75 %, as of phi 2 % and r 2 mm; an assumption.
 *
 * Cell-centred finite volumes, conjugate gradients with a diagonal preconditioner (Hestenes and Stiefel 1952).
 * Test: tests/unit/common/test_compartments.c */
#ifndef PORTAFLOW_COMPARTMENTS_H
#define PORTAFLOW_COMPARTMENTS_H
#include "common/base/must_check.h"
#include "common/liver/liver_grid.h"
#include "common/liver/lobule_law.h"

enum { COMPARTMENT_PORTAL, COMPARTMENT_HEPATIC, COMPARTMENTS };

/* Radius of the ball of liver around the end of a vessel over which its flow enters or leaves: branches that the image
 * does not show. Assumed, with the ends of its interval. */
#define COMPARTMENTS_END_MM      8.0
#define COMPARTMENTS_END_LOW_MM  5.0
#define COMPARTMENTS_END_HIGH_MM 12.0

typedef struct {
    double exchange;               /* g, 1/(Pa s) */
    double mobility[COMPARTMENTS]; /* k_p / mu and (1 - s) k_h / mu, m2/(Pa s) */
} compartments_law;

lobule_quantity compartments_default_permeability_m2(void);

/* Adds a flow to `source` [n], m3/s: evenly over the part of the liver within radius_mm of the end of a vessel; a cell
 * on the border counts in part. Of an end outside the liver, the centre of the nearest cell counts. Returns the
 * distance from the end to the liver, mm. */
double compartments_add_end(const liver_grid *g, const double end_mm[3], double radius_mm, double flow_m3_s,
                            double *source);
/* Connects the liver around the end of a hepatic vein with the pressure at this end, evenly over the same ball: `sink`
 * [n] grows by the conductance per volume for which the outflow decays within half of the radius. Returns the distance
 * as compartments_add_end. */
double compartments_hold_end(const liver_grid *g, const double end_mm[3], double radius_mm, const compartments_law *law,
                             double *sink);

/* Solves (1) and (2) for pressures relative to the pressure at the ends of the hepatic veins.
 * source   [n] portal inflow of each cell, m3/s
 * sink     [n] conductance between the cell and the end of a hepatic vein, m3/(Pa s); NULL: the hepatic veins conduct
 *          perfectly, p_h = 0
 * pressure [2][n] out, Pa
 * Errors: ERR_RESOURCE; ERR_NUMERIC (no convergence). */
MUST_CHECK int compartments_solve(const liver_grid *g, const compartments_law *law, const double *source,
                                  const double *sink, double *pressure);
/* Resistance of the whole liver to portal flow, Pa s/m3: of the lobules (lobule_resistance), and the losses of both
 * compartments over the flow, which are proportional to mu / k_p and mu / ((1 - s) k_h). *error: half-width of its 95 %
 * interval: root sum of squares of half the differences between the resistances at both ends of the interval of each
 * quantity; end_error: this half difference for the radius of the ends. The permeabilities are above 0 over their whole
 * intervals. */
double compartments_resistance(const lobule_liver *l, const lobule_quantity permeability_m2[2],
                               const double loss_pa_s_m3[2], double end_error, double *error);
/* Exchange of one cell, m3/s. */
double compartments_exchange(const liver_grid *g, const compartments_law *law, const double *pressure, int64_t cell);

/* Shares of the portal blood of each cell that come from each end: exact transport with upwind values on the cells.
 * share [n_end][n] in: inflow from each end, m3/s; out: share, 0 to 1; 0 in a cell without inflow.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int compartments_divide(const liver_grid *g, const compartments_law *law, const double *pressure, int n_end,
                                   double *share);
#endif
