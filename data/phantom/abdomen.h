/* The organs round a random patient's portal vein, many of them touching it. */
#ifndef PORTAFLOW_ABDOMEN_H
#define PORTAFLOW_ABDOMEN_H
#include "common/base/must_check.h"
#include "data/phantom/phantom.h"
#include "data/phantom/scanner.h"
#include <stdint.h>

enum { ABDOMEN_ORGANS = 32, ABDOMEN_WAVES = 24 };

typedef struct {
    double centre_mm[3], half_mm[3], axis[9]; /* ellipsoid; rows of axis: unit directions of the half axes */
    double reach_mm;                          /* of a ball that holds it */
    int tissue;
} abdomen_organ;

typedef struct {
    int n_organ;
    abdomen_organ organ[ABDOMEN_ORGANS]; /* later ones lie over earlier ones */
    double centre_mm[2], half_mm[2];     /* outline of the body */
    double wave[ABDOMEN_WAVES][4];       /* texture: wave vector per mm and phase */
} abdomen;

/* A random portal vein, the same for the same seed: PHANTOM_PORTAL moved, bent and scaled by about a tenth, its trunk
 * oval. Errors: ERR_USAGE (scale). */
MUST_CHECK int abdomen_patient(uint64_t seed, double scale, phantom *p);

/* Its organs: spleen, kidney, stomach, bowel, cava, arteries and hepatic veins lie against the vein's wall (from 0.3 mm
 * into it to 0.6 mm beside it), nowhere else in it. margin_mm: from the lumen to the border of the image. */
void abdomen_create(const phantom *p, uint64_t seed, double margin_mm, abdomen *a);

/* enum scanner_tissue at a place (the vein is not drawn), and a field of mean 0 and standard deviation 1 with waves of
 * 5 to 16 mm. */
int abdomen_tissue(const abdomen *a, const double lps_mm[3]);
double abdomen_texture(const abdomen *a, const double lps_mm[3]);
#endif
