/* The fully developed velocity over a cross-section of any form.
 *
 *   lap w = -1 inside, w = 0 on the wall, scaled to mean 1 over the area
 *
 * Five-point differences on the nodes of the section with arms that end on the wall (Shortley and Weller 1938; second
 * order up to the rim), solved by over-relaxation. No flux through a periodic face of the box; a section without a
 * wall has the same velocity everywhere.
 * Test: tests/unit/mesh/test_profile.c, against the circle and the ellipse. */
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

/* Value at a point of the plane (its height above the plane does not matter), 0 outside the fluid. Linear between
 * nodes; at the rim the value over the distance is interpolated, which goes to zero with the distance. */
double profile_value(const profile *p, const voxelize_input *in, const double lps_mm[3]);

/* The value at a point that a link from a cell at `from` reaches. Where it lies behind the wall, up to a spacing, and
 * the cell, seen along the axis, in front of it, the profile goes on with the other sign, as far behind the wall as it
 * has it inside: with 0 there blood would slip past the rim. At least LATTICE_LEAST_PROFILE. */
double profile_from(const profile *p, const voxelize_input *in, const double from[3], const double lps_mm[3]);
#endif
