/* Fully developed velocity in a cross-section of any shape: lap w = -1 inside, w = 0 on the wall, scaled to mean 1.
 *
 * Five-point differences on the nodes of the section with arms that end on the wall (Shortley and Weller 1938; second
 * order up to the rim), solved by over-relaxation. No flux through periodic faces; a section without a wall has uniform
 * velocity. Test: tests/unit/mesh/test_profile.c, against circle and ellipse. */
#ifndef PORTAFLOW_DEVELOPED_PROFILE_H
#define PORTAFLOW_DEVELOPED_PROFILE_H
#include "common/base/must_check.h"
#include "mesh/section/cross_section.h"

typedef struct {
    const section *section; /* borrowed */
    double *value;          /* [n][n] at the nodes, 0 outside */
} profile;

/* Errors: ERR_RESOURCE, ERR_NUMERIC. */
MUST_CHECK int profile_create(profile *p, const section *s, const voxelize_input *in);
void profile_free(profile *p);

/* Value at a point of the plane (its height above the plane is ignored), 0 outside the fluid. Linear between nodes; at
 * the rim value over distance is interpolated. */
double profile_value(const profile *p, const voxelize_input *in, const double lps_mm[3]);

/* Value at the point reached by a link from a cell at `from`. If the point is behind the wall, up to one spacing, and
 * the cell in front of it, the profile is continued antisymmetrically; with 0 there, blood would slip at the rim. >=
 * LATTICE_LEAST_PROFILE. */
double profile_from(const profile *p, const voxelize_input *in, const double from[3], const double lps_mm[3]);
#endif
