/* SPDX-License-Identifier: Apache-2.0 */
/* The level set of `segment` as a smooth signed distance at any point.
 *
 * The volume is cropped to the lumen, redistanced unless 90 % of its voxels have the slope of a distance, and
 * interpolated by cubic splines. The outermost voxel centres of the image close the vessel, since nothing is known
 * beyond them. */
#ifndef PORTAFLOW_PHI_FIELD_H
#define PORTAFLOW_PHI_FIELD_H
#include "common/base/must_check.h"
#include "mesh/lumen/spline.h"
#include <stdbool.h>

typedef struct {
    spline s;
    double low_mm[3], high_mm[3]; /* corners of the box around the lumen with a margin of a voxel, LPS */
    double quality;               /* result of redistance_quality for the input */
    bool redistanced;             /* true: the input was redistanced */
} phi_field;

/* Builds the spline of phi_mm and frees the values of phi_mm, which may fill half of the memory. Errors: ERR_INPUT (a
 * value is not finite; no voxel, or every voxel, is inside the vessel), ERR_RESOURCE. */
MUST_CHECK int phi_field_create(phi_field *f, volume *phi_mm);
void phi_field_free(phi_field *f);

/* For voxelize_input.distance, with a phi_field as data; its steepness is PHI_FIELD_STEEPNESS. */
double phi_field_distance(const void *data, const double lps_mm[3]);
#define PHI_FIELD_STEEPNESS 1.5

/* How far a point is beyond the outermost voxel centres, mm; negative inside. */
double phi_field_border(const phi_field *f, const double lps_mm[3]);

/* For voxelize_input.solid, with a phi_field whose distance is increased by shift_mm; distance_mm is phi_field_distance
 * at the centre. */
int phi_field_solid(const phi_field *f, const double centre[3], double width_mm, int subcells, double distance_mm,
                    double shift_mm);
#endif
