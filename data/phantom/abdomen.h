/* SPDX-License-Identifier: Apache-2.0 */
/* Organs around the portal vein of a random patient; several touch the vein. */
#ifndef PORTAFLOW_ABDOMEN_H
#define PORTAFLOW_ABDOMEN_H
#include "common/base/must_check.h"
#include "data/phantom/phantom.h"
#include "data/phantom/scanner.h"
#include <stdint.h>

enum { ABDOMEN_ORGANS = 32, ABDOMEN_WAVES = 24 };

typedef struct {
    /* ellipsoid: centre, half axes, and their unit vectors as rows of `axis` */
    double centre_mm[3], half_mm[3], axis[9];
    double reach_mm; /* radius of the ball that encloses the organ */
    int tissue;
} abdomen_organ;

typedef struct {
    int n_organ;
    abdomen_organ organ[ABDOMEN_ORGANS]; /* organs; a later organ covers an earlier one */
    double centre_mm[2], half_mm[2];     /* centre and half axes of the body's outline in a plane across z */
    double wave[ABDOMEN_WAVES][4];       /* waves of the texture: wave vector (1/mm) and phase */
} abdomen;

/* Draw a random portal vein: PHANTOM_PORTAL moved, bent and scaled by about 10 %, with an oval trunk. The same seed
 * gives the same vein. Errors: ERR_USAGE (scale), ERR_INTERNAL. */
MUST_CHECK int abdomen_patient(uint64_t seed, double scale, phantom *p);

/* Draw the organs. The surfaces of spleen, kidney, stomach, bowel, cava, arteries and hepatic veins lie 0.3 mm inside
 * to 0.6 mm outside the vein's wall at one place and overlap the vein nowhere else. margin_mm: from the lumen to the
 * image border. */
void abdomen_create(const phantom *p, uint64_t seed, double margin_mm, abdomen *a);

/* abdomen_tissue: enum scanner_tissue at a point, without the vein. abdomen_texture: random field of mean 0 and
 * standard deviation 1, wavelengths 5 to 16 mm. */
int abdomen_tissue(const abdomen *a, const double lps_mm[3]);
double abdomen_texture(const abdomen *a, const double lps_mm[3]);
#endif
