/* The level set of segment as a smooth signed distance that can be asked anywhere.
 *
 * Cropped to the lumen, made a true distance where it is not one, interpolated by cubic splines. The vessel is closed
 * where it meets the outermost voxel centres of the image: nothing is known beyond. */
#ifndef PORTAFLOW_PHI_FIELD_H
#define PORTAFLOW_PHI_FIELD_H
#include "common/base/must_check.h"
#include "mesh/lumen/spline.h"
#include <stdbool.h>

typedef struct {
    spline s;
    double low_mm[3], high_mm[3]; /* LPS, box round the lumen */
    double quality;               /* redistance_quality of what was given */
    bool remade;                  /* it was made a true distance */
} phi_field;

/* The values of phi are let go: they may fill half of the memory. Errors: ERR_INPUT (not finite; no voxel inside the
 * vessel, or all), ERR_RESOURCE. */
MUST_CHECK int phi_field_create(phi_field *f, volume *phi_mm);
void phi_field_free(phi_field *f);

/* For voxelize_input.distance, with a phi_field as data; PHI_FIELD_STEEPNESS for its steepness. */
double phi_field_distance(const void *data, const double lps_mm[3]);
#define PHI_FIELD_STEEPNESS 1.5

/* How far a point lies beyond the outermost voxel centres, negative within them. */
double phi_field_border(const phi_field *f, const double lps_mm[3]);

/* For voxelize_input.solid of the field plus shift_mm; distance_mm is phi_field_distance at the centre. */
int phi_field_solid(const phi_field *f, const double centre[3], double width_mm, int subcells, double distance_mm,
                    double shift_mm);
#endif
