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
 *      permeability that peeters2015 gives for one cirrhotic liver is that of dilated sinusoids between the nodules.
 *   s  25 % +- 40 %, textbook value
 *   mu is the viscosity of the case, +- 20 %
 * Test: tests/unit/common/test_lobule_law.c */
#ifndef PORTAFLOW_LOBULE_LAW_H
#define PORTAFLOW_LOBULE_LAW_H
#include <stdbool.h>

enum lobule_stage { LOBULE_HEALTHY, LOBULE_CIRRHOSIS };

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

/* Default values. Volume and viscosity are NaN: the case gives them. */
lobule_liver lobule_default_liver(enum lobule_stage stage);

/* True if b > a and all values are positive, the arterial share 0 to below 1, also at the ends of their intervals. */
bool lobule_is_valid(const lobule_liver *l);
/* R_portal, Pa s/m3, and the half-width of its 95 % interval: root sum of squares over the quantities of half the
 * difference between R_portal at both ends of the quantity's interval. l must be valid (lobule_is_valid). */
double lobule_resistance(const lobule_liver *l, double *error);
#endif
