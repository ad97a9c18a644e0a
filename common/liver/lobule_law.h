/* SPDX-License-Identifier: Apache-2.0 */
/* Resistance of the liver to portal flow from its volume, by Darcy's law in hexagonal lobules that are perfused in
 * parallel (key readouts: ppg: liver: {model: lobules}).
 *
 * A lobule is a cylinder of radius b (`radius_mm`) around a central vein of radius a (`vein_radius_mm`). Blood enters
 * the sinusoids evenly over the cross-section of the lobule and leaves through the central vein. The sinusoids have the
 * permeability K, the blood the viscosity mu, the liver the volume V:
 *
 *   R = mu (b^2 ln(b/a) - (b^2 - a^2) / 2) / (2 K V)    pressure drop over the whole flow of the liver        (1)
 *   R_portal = R / (1 - s)                              the same pressure drop over the portal flow           (2)
 *
 * s (`arterial_share`): part of the whole flow that the hepatic artery brings. If all blood entered at the rim of the
 * lobule, the last term of (1) would vanish, and R would be 1.2 times as large for b = 0.5 mm and a = 0.03 mm.
 *
 * Default values and half-widths of 95 % intervals. No source gives an interval: all half-widths are assumptions.
 *
 *   b  0.5 mm +- 20 %; cirrhosis: 0.75 mm +- 25 %, half the width of a regenerative nodule of 1.5 mm (an assumption;
 *      nodules of micronodular cirrhosis are below 3 mm)
 *   a  0.03 mm +- 30 %
 *   K  1.56e-14 m2 +- 40 %, radial permeability of human sinusoids (debbaut2012); also used for cirrhosis. The
 *      permeability that peeters2015 gives for one cirrhotic liver belongs to dilated sinusoids between the nodules.
 *      F1 to F3, Child A to C: see below
 *   s  25 % +- 40 %, textbook value
 *   mu is the viscosity of the case, +- 20 %
 *
 * Stages between a healthy liver (F0 of the METAVIR score) and cirrhosis (F4), and classes of cirrhosis (Child-Pugh).
 * No source gives K or b for them: their values are assumptions, none is fitted to a measured gradient. R grows by one
 * factor from stage to stage, the fourth root of R(F4) / R(F0), 1.275:
 *
 *   F1, F2, F3         b of the healthy liver, because nodules define F4; K divided by 1.275, 1.275^2, 1.275^3
 *   Child A, B, C      b of cirrhosis; K times 1.275, 1, 1 / 1.275
 *
 * The direction has sources: collagen grows with the gradient (calvaruso2009), in cirrhosis also with the Child-Pugh
 * score (nielsen2014). Half-width of K: 49 %, the root of the summed squares of 40 % and of one step of 28 %. The
 * interval of R then holds R of both neighbours; the interval of F2 also holds F0 and F4.
 *
 * Plausibility at 1.5 L, 3.5 mPa s and a portal flow of 1 L/min, in mmHg, with the bounds of lobule_bounds, beside
 * gradients that catheters measured:
 *
 *   F0   7.2 +- 5.3    3.6 to 15   measured 1 to 5
 *   F1   9.2 +- 7.9    4.4 to 22   measured at most 6 in about 70 % of F0 to F2 (sourianarayanane2017): the law is too
 *                                  high
 *   F2  11.7 +- 10.0   5.6 to 27
 *   F3  15.0 +- 12.8   7.2 to 35
 *   F4  19.1 +- 15.4   8.5 to 42   resistances 12 to 25 mmHg min/L
 *   A   15.0 +- 13.7   6.5 to 37   measured 12.2, standard deviation 5.9 (wadhawan2006)
 *   B   19.1 +- 17.5   8.2 to 47   measured 17.4, standard deviation 6.9
 *   C   24.3 +- 22.3   10 to 59    measured 19.0, standard deviation 5.7: the law is too high at 1 L/min. The portal
 *                                  flow of Child B and C is lower than that of Child A (chawla1998)
 * Test: tests/unit/common/test_lobule_law.c */
#ifndef PORTAFLOW_LOBULE_LAW_H
#define PORTAFLOW_LOBULE_LAW_H
#include <stdbool.h>

enum lobule_stage {
    LOBULE_HEALTHY,
    LOBULE_CIRRHOSIS,
    LOBULE_F1,
    LOBULE_F2,
    LOBULE_F3,
    LOBULE_CHILD_A,
    LOBULE_CHILD_B,
    LOBULE_CHILD_C,
    LOBULE_STAGES
};
/* Names of the stages in the order of the enum, as choices of a key of the case. */
#define LOBULE_STAGE_CHOICES "healthy|cirrhosis|F1|F2|F3|Child A|Child B|Child C"

typedef struct {
    double value, error; /* error: half-width of the 95 % interval, in the unit of the value; 0: exact */
} lobule_quantity;

enum {
    LOBULE_VOLUME,
    LOBULE_RADIUS,
    LOBULE_VEIN,
    LOBULE_PERMEABILITY,
    LOBULE_VISCOSITY,
    LOBULE_SHARE,
    LOBULE_QUANTITIES
};
typedef union {
    struct {
        lobule_quantity volume_ml, radius_mm, vein_radius_mm, permeability_m2, viscosity_pa_s;
        lobule_quantity arterial_share; /* 0 to below 1 */
    };
    lobule_quantity quantity[LOBULE_QUANTITIES]; /* the quantities above as an array, in the order of the enum */
} lobule_liver;

/* "healthy", "F1", "Child A", .. */
const char *lobule_stage_name(enum lobule_stage stage);
/* True for F1 to F3 and Child A to C, whose permeability no source gives. */
bool lobule_stage_is_assumed(enum lobule_stage stage);
/* Default values. Volume and viscosity are NaN: the case gives them. */
lobule_liver lobule_default_liver(enum lobule_stage stage);

/* True if b > a and all values are positive, the arterial share 0 to below 1, also at the ends of their intervals. */
bool lobule_is_valid(const lobule_liver *l);
/* R_portal, Pa s/m3, and the half-width of its 95 % interval: root sum of squares over the quantities of half the
 * difference between R_portal at both ends of the quantity's interval. l must be valid (lobule_is_valid). */
double lobule_resistance(const lobule_liver *l, double *error);
/* 2.5 and 97.5 % bounds of R_portal, Pa s/m3. R_portal is nearly a product, so its distribution is skewed, and the
 * half-width above understates the upper bound:
 *   ln(bound / R_portal) = -+ root sum of squares over the quantities of ln(R_portal at an end of its interval
 *                          / R_portal)
 * with the end that lowers R_portal for the lower bound, and the end that raises it for the upper one. Normally
 * distributed quantities give these bounds within 2 %. l must be valid (lobule_is_valid). */
void lobule_bounds(const lobule_liver *l, double bound[2]);
#endif
