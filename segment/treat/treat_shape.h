/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of a signed distance: a tube along a curve is united with the lumen, or a disc across a vessel is removed.
 *
 * A voxel keeps its value bit for bit unless the new wall is nearer than the old one. */
#ifndef PORTAFLOW_SEGMENT_TREAT_SHAPE_H
#define PORTAFLOW_SEGMENT_TREAT_SHAPE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* A curve as a polyline of short pieces. */
typedef struct {
    int n;
    double (*point)[3]; /* [n] LPS mm, owned */
    double length_mm;
} treat_curve;

/* The voxels that changed from tissue to lumen or back. */
typedef struct {
    int n_opening;
    const double (*opening_mm)[3]; /* [n_opening] LPS, borrowed */
    double *nearest_mm;            /* [n_opening] distance of the nearest changed voxel; INFINITY: none. Owned */
    double volume_ml;              /* volume of the changed voxels */
} treat_effect;

/* Centripetal Catmull-Rom curve through n >= 2 points (Yuksel, Schaefer, Keyser 2011), in pieces of about step_mm.
 * straight_mm: the curve continues straight beyond its last point by this length. Errors: ERR_INPUT (two equal points
 * in sequence), ERR_RESOURCE. */
MUST_CHECK int treat_curve_through(int n, const double (*point)[3], double step_mm, double straight_mm,
                                   treat_curve *out);
void treat_curve_free(treat_curve *c);

/* Unites phi with the tube of this radius round the curve; both ends of the tube are round. The distance to the tube is
 * computed up to `reach_mm` outside its wall. */
void treat_unite_tube(const treat_curve *c, double radius_mm, double reach_mm, volume *phi, treat_effect *effect);

/* Removes a disc of the lumen around `at`, across the unit vector `along`, of this thickness. The disc ends in the
 * tissue around the vessel. what: kind of the change, for the message. radius_mm: inscribed radius of the vessel.
 * Errors: ERR_INPUT (the disc would reach three radii, as in a bifurcation, or cut a second vessel), ERR_RESOURCE. */
MUST_CHECK int treat_remove_disc(const char *what, const double at[3], const double along[3], double radius_mm,
                                 double thick_mm, volume *phi, treat_effect *effect);
#endif
