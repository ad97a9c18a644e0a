/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/lumen/lumen.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* band_voxels: farther from the wall the distance is not refined. sure_voxels: farther from the wall the level set
 * gives the sign of the distance. Both in voxels. */
static const double band_voxels = 3, sure_voxels = 1.5;

void lumen_free(lumen *l) {
    for (int k = 0; k < l->n_extension; k++)
        extension_free(&l->extension[k]);
    free(l->extension);
    if (l->is_shape)
        shape_grid_free(&l->shape.grid);
    else
        phi_field_free(&l->phi);
    surface_distance_free(l->exact);
    surface_free(&l->wall);
    memset(l, 0, sizeof *l);
}

int lumen_use_surface(lumen *l) {
    double low[3], high[3];
    const int rc = surface_distance_create(&l->exact, &l->wall, 0.25 * l->voxel_mm);
    surface_bounds(&l->wall, low, high);
    for (int a = 0; a < 3; a++) { /* a surface may extend beyond the voxels */
        l->phi.low_mm[a] = fmin(l->phi.low_mm[a], low[a]);
        l->phi.high_mm[a] = fmax(l->phi.high_mm[a], high[a]);
    }
    return rc;
}

/* Distance to the triangles if the point is near the wall, otherwise the distance of the level set. If both are larger
 * than sure_voxels, the level set gives the sign, because triangles that cross each other may give a wrong sign. */
static double surface_near(const lumen *l, const double lps_mm[3]) {
    const double sure = sure_voxels * l->voxel_mm;
    double exact = surface_distance_cached_mm(l->exact, lps_mm);
    if (fabs(exact) <= sure)
        return exact;
    const double coarse = phi_field_distance(&l->phi, lps_mm);
    if (fabs(coarse) > band_voxels * l->voxel_mm)
        return coarse;
    if (isnan(exact))
        exact = surface_distance_mm(l->exact, lps_mm);
    return fabs(coarse) > sure && fabs(exact) > sure ? copysign(exact, coarse) : exact;
}

static double base_distance(const void *data, const double lps_mm[3]) {
    const lumen *l = data;
    if (l->is_shape)
        return shape_field_distance(&l->shape, lps_mm);
    return l->exact ? surface_near(l, lps_mm) : phi_field_distance(&l->phi, lps_mm);
}

double lumen_distance(const void *data, const double lps_mm[3]) {
    const lumen *l = data;
    const voxelize_input base = {.distance = base_distance, .data = l};
    double d = base_distance(l, lps_mm);
    for (int k = 0; k < l->n_extension; k++)
        d = extension_distance(&l->extension[k], &base, lps_mm, d);
    return d + l->shift_mm;
}

/* Returns the number of solid subcells of a cube; -1: not available, so that the caller samples the distance. Not
 * available for an analytic shape and near an extension. With a supplied surface it is available only where the wall is
 * not shifted and the whole cube is within sure_voxels of the triangles. */
int lumen_solid(const void *data, const double centre[3], double width_mm, int subcells, double distance_mm) {
    const lumen *l = data;
    /* distance from `centre` of the outermost centres of subcells */
    const double reach = 0.87 * width_mm * (subcells - 1) / subcells;
    for (int k = 0; k < l->n_extension; k++)
        if (!extension_is_behind(&l->extension[k], centre, reach))
            return -1;
    if (l->is_shape)
        return -1;
    if (!l->exact)
        return phi_field_solid(&l->phi, centre, width_mm, subcells, distance_mm - l->shift_mm, l->shift_mm);
    if (l->shift_mm != 0 || fabs(distance_mm) + reach > sure_voxels * l->voxel_mm)
        return -1;
    return surface_distance_count_outside(l->exact, centre, width_mm, subcells, distance_mm);
}

/* Computes the distance and its gradient. Returns false for a shape, near an extension, and for a supplied surface
 * where the distance is not the distance to its triangles. */
bool lumen_slope(const void *data, const double lps_mm[3], double *distance_mm, double gradient[3]) {
    const lumen *l = data;
    for (int k = 0; k < l->n_extension; k++)
        if (!extension_is_behind(&l->extension[k], lps_mm, 0))
            return false;
    if (l->is_shape)
        return false;
    if (!l->exact) {
        *distance_mm = spline_value(&l->phi.s, lps_mm, gradient) + l->shift_mm;
        return *distance_mm - l->shift_mm >= phi_field_border(&l->phi, lps_mm);
    }
    const double exact = surface_distance_gradient_mm(l->exact, lps_mm, gradient);
    *distance_mm = exact + l->shift_mm;
    return fabs(exact) <= sure_voxels * l->voxel_mm;
}

double lumen_steepness(const lumen *l) {
    return l->is_shape ? 1 : PHI_FIELD_STEEPNESS;
}

double lumen_border(const lumen *l, const double lps_mm[3]) {
    return l->is_shape ? -INFINITY : phi_field_border(&l->phi, lps_mm);
}

int lumen_extend(lumen *l, const voxelize_input *in, mesh_opening *opening, double length_mm) {
    extension *more = realloc(l->extension, (size_t)(l->n_extension + 1) * sizeof *more);
    if (!more)
        return fail_memory("the extension of an opening", sizeof *more);
    l->extension = more;
    const int rc = extension_create(&l->extension[l->n_extension], in, opening, length_mm);
    if (rc != OK)
        return rc;
    l->n_extension++;
    for (int a = 0; a < 3; a++)
        opening->point_mm[a] += length_mm * l->extension[l->n_extension - 1].s.normal[a];
    return OK;
}
