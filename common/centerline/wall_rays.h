/* SPDX-License-Identifier: Apache-2.0 */
/* Rays from points inside a lumen to its wall: centre, inscribed sphere and cross-section at a point, sub-voxel.
 *
 * Points are in the frame of the grid: continuous index of phi times spacing, mm. The wall is the zero of phi,
 * interpolated by Catmull-Rom cubics along each axis. At the middle of a vessel phi has a kink. Centres are therefore
 * computed from the wall around them and not from phi. */
#ifndef PORTAFLOW_WALL_RAYS_H
#define PORTAFLOW_WALL_RAYS_H
#include "common/image/volume.h"
#include <stdbool.h>

enum { WALL_RAYS_ROUND = 32 };

typedef struct {
    double area_mm2;
    double perimeter_mm;
    double least_mm, largest_mm; /* smallest and largest width through the centre */
    /* Cosine between wall normal and `along`, the mean over the sixth of the circle where it is largest in size: 0
     * beside a straight vessel, 1 where a flat wall closes it, negative where it widens */
    double lean;
    bool open; /* true at a junction: a ray met no wall within its reach, or is more than twice as long as the median */
} wall_section;

/* phi by linear interpolation. A lumen that leaves the grid ends at the outer faces of the border voxels. */
double wall_rays_phi(const volume *phi, const double at[3]);

/* Distance in mm from `at` to the wall along the unit vector d; reach_mm if there is no wall nearer. */
double wall_rays_cast(const volume *phi, const double at[3], const double d[3], double reach_mm);

/* Moves `at`, in the plane across the unit vector `along`, to the middle between the nearest walls. The middle is the
 * point where the soft minimum of the distances along WALL_RAYS_ROUND rays is largest. It differs from the centre of
 * the largest inscribed circle by less than 0.1 radii, and is also defined in flat cross-sections. Returns the radius
 * of the inscribed circle, mm. */
double wall_rays_centre(const volume *phi, const double along[3], double at[3]);

/* Moves `at` by up to reach_mm to the centre of the largest inscribed sphere nearby. As wall_rays_centre, but with rays
 * in all directions instead of a plane. Returns the radius of the sphere, mm. */
double wall_rays_ball_centre(const volume *phi, double reach_mm, double at[3]);

/* Radius in mm of the largest sphere around `at` that fits into the lumen: the distance to the nearest wall point. Rays
 * to all sides find this point; each ray is continued along the normal of the wall. */
double wall_rays_ball(const volume *phi, const double at[3]);

/* Radius in mm of the sphere around `at` that touches the wall beside it. A wall ahead, as at a closed end, does not
 * count. along: unit vector along the vessel. */
double wall_rays_tube_radius(const volume *phi, const double along[3], const double at[3]);

/* Measures the cross-section through `at`, in the plane across the unit vector `along`, with rays of up to reach_mm. s:
 * out. */
void wall_rays_section(const volume *phi, const double along[3], const double at[3], double reach_mm, wall_section *s);
#endif
