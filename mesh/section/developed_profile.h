/* SPDX-License-Identifier: Apache-2.0 */
/* The fully developed velocity over a cross-section of any form.
 *
 *   lap w = -1 inside, w = 0 on the wall, scaled to mean 1 over the area
 *
 * Five-point differences on the nodes of the section with arms that end on the wall (Shortley and Weller 1938; second
 * order up to the rim), solved by over-relaxation. No flux through a periodic face of the box; a section without a wall
 * has a uniform velocity. Test: tests/unit/mesh/test_developed_profile.c, against the circle and the ellipse. */
#ifndef PORTAFLOW_DEVELOPED_PROFILE_H
#define PORTAFLOW_DEVELOPED_PROFILE_H
#include "common/base/must_check.h"
#include "mesh/section/cross_section.h"

typedef struct {
    const section *section; /* the cross-section, borrowed */
    double *value;          /* [n][n] velocity at the nodes; 0 outside the fluid */
} profile;

/* Compute the profile over the section. Errors: ERR_RESOURCE, ERR_NUMERIC. */
MUST_CHECK int profile_create(profile *p, const section *s, const voxelize_input *in);
void profile_free(profile *p);

/* Value at a point projected onto the plane, 0 outside the fluid. Linear between nodes; at the rim the ratio of value
 * to wall distance is interpolated, so the value goes to zero at the wall. */
double profile_value(const profile *p, const voxelize_input *in, const double lps_mm[3]);

/* Value at a point that a link from a cell at `from` reaches. If the point is behind the wall by less than a spacing,
 * and the projection of the cell is in the fluid, the profile continues as its mirror image with the opposite sign. A
 * value of 0 there would let blood slip past the rim. The result is at least LATTICE_PROFILE_MIN. */
double profile_from(const profile *p, const voxelize_input *in, const double from[3], const double lps_mm[3]);
#endif
