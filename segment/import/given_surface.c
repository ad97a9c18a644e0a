/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/import/given_surface.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/surface/surface_contact.h"
#include "common/surface/surface_crossing.h"
#include "common/surface/surface_orient_pieces.h"
#include "common/surface_vtk/surface_close.h"
#include "common/surface_vtk/surface_hollow.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/import/import_constants.h"
#include "segment/import/vessel_gap.h"
#include "segment/voxel/distance.h"
#include <math.h>
#include <stdlib.h>

double given_surface_part_inside(const surface *wall, const volume *image) {
    int64_t in = 0;
    for (int64_t i = 0; i < wall->n_point; i++)
        in += volume_contains(image, wall->point_mm + 3 * i);
    return (double)in / (double)wall->n_point;
}

static int check_inside_image(const char *path, const surface *wall, const volume *image) {
    const double in = given_surface_part_inside(wall, image);
    if (in < 0.5)
        return fail(ERR_INPUT,
                    "'%s' lies outside the image (%.0f %% of its points are inside, at least 50 %% are needed): check "
                    "its frame (frame: LPS or RAS)",
                    path, 100 * in);
    return OK;
}

static int median_edge(const surface *s, double *edge) {
    float *length = malloc((size_t)s->n_triangle * sizeof *length);
    if (length == NULL)
        return fail_memory("the edges of a surface", (double)s->n_triangle * sizeof *length);
    for (int64_t t = 0; t < s->n_triangle; t++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            double d = s->point_mm[3 * s->triangle[3 * t] + k] - s->point_mm[3 * s->triangle[3 * t + 1] + k];
            sum += d * d;
        }
        length[t] = (float)sqrt(sum);
    }
    qsort(length, (size_t)s->n_triangle, sizeof *length, order_float);
    *edge = (double)length[s->n_triangle / 2];
    free(length);
    return OK;
}

static int make_grid(const surface *wall, double wanted, volume *phi, double *spacing) {
    double low[3], high[3], edge = 1, box = 1, origin[3];
    int dims[3];
    int rc = median_edge(wall, &edge);
    surface_bounds(wall, low, high);
    for (int a = 0; a < 3; a++)
        box *= high[a] - low[a];
    /* radius of a long tube with this volume and area */
    const double width = 2 * surface_volume_mm3(wall) / surface_area_mm2(wall);
    const double usual = fmin(width / 8, fmax(width / 16, edge / 2));
    double h = fmax(cbrt(box / MAX_VOXELS), isnan(wanted) ? usual : wanted);
    for (int a = 0; a < 3; a++) {
        dims[a] = (int)ceil((high[a] - low[a]) / h) + 2 * PHI_MARGIN + 1;
        origin[a] = low[a] - PHI_MARGIN * h;
    }
    *spacing = h;
    return rc == OK ? volume_create(phi, dims, (const double[3]){h, h, h}, origin, NULL) : rc;
}

/* Refuses a surface with overlapping parts, because an overlap is not lumen. Crossing slivers are usual and
 * harmless. */
static int check_crossing(const char *path, const surface *wall) {
    const double area = surface_area_mm2(wall);
    surface_crossing found;
    const int rc = surface_crossing_find(wall, &found);
    if (rc != OK || found.n_pair == 0)
        return rc;
    const double *at = found.place_mm, share = found.wrong_mm2 / area;
    if (share > MAX_WRONG_WALL)
        return fail(
            ERR_INPUT,
            "'%s' crosses itself near LPS %.1f, %.1f, %.1f mm (%lld pairs of triangles): %.3g mm2 of the surface "
            "(%.2g %%, limit %.2g %%) lie inside the vessel or are turned inside out; where parts overlap, the "
            "lumen would have a hole; join the parts into one surface (boolean union), or repair the surface",
            path, at[0], at[1], at[2], (long long)found.n_pair, found.wrong_mm2, 100 * share, 100 * MAX_WRONG_WALL);
    if (found.wrong_mm2 > 0)
        message_warn("the surface crosses itself near LPS %.1f, %.1f, %.1f mm; %.2g mm2 of it (%.1g %%) lie inside "
                     "the vessel; this is below the limit of %.2g %% and has no effect on the results",
                     at[0], at[1], at[2], found.wrong_mm2, 100 * share, 100 * MAX_WRONG_WALL);
    return OK;
}

/* Refuses a surface in which two vessels share points, because they would be one lumen. A small part is a remnant of
 * the meshing. */
static int check_touching(const char *path, const surface *wall) {
    surface_contact found;
    const int rc = surface_contact_find(wall, &found);
    const double *at = found.touching_mm;
    if (rc != OK || found.touching == 0)
        return rc;
    if (found.small_mm3 > LEAST_VESSEL * surface_volume_mm3(wall))
        return fail(ERR_INPUT,
                    "'%s': two vessels touch near LPS %.1f, %.1f, %.1f mm (%lld shared points), where blood would pass "
                    "from one to the other: leave a gap between them, remove one, or join them (boolean union)",
                    path, at[0], at[1], at[2], (long long)found.touching);
    message_warn(
        "'%s': small separate parts of the surface (at most %.2g mm3) touch the vessel at %lld points; the "
        "largest of these parts touches it near LPS %.1f, %.1f, %.1f mm. They are kept as lumen: delete them from "
        "the surface if they are not part of the vessel",
        path, found.small_mm3, (long long)found.touching, at[0], at[1], at[2]);
    return OK;
}

/* Warns of vessels so close that the signed distance cannot separate them. */
static int warn_gap(const surface *wall, double spacing_mm) {
    vessel_gap gap;
    const int rc = vessel_gap_find(wall, spacing_mm, &gap);
    if (rc == OK && gap.mm < spacing_mm)
        message_warn_serious(
            "two vessels of the surface are only %.2g mm apart near LPS %.1f, %.1f, %.1f mm, less than "
            "the spacing of the signed distance, %.2g mm, so they may become one lumen: remove one, "
            "or leave a wider gap",
            gap.mm, gap.lps[0], gap.lps[1], gap.lps[2], spacing_mm);
    return rc;
}

/* Refuses a surface whose volume by triangles differs from its volume by signed distance: where it intersects itself,
 * triangles count some volume twice. */
static int check_volume(const char *path, const surface *wall, const volume *phi) {
    double inside = 0;
    for (size_t i = 0; i < volume_size(phi); i++)
        inside +=
            /* a voxel that the wall crosses counts in part */
            fmin(1, fmax(0, 0.5 - (double)phi->value[i] / phi->spacing_mm[0]));
    inside *= phi->spacing_mm[0] * phi->spacing_mm[1] * phi->spacing_mm[2];
    double triangles = surface_volume_mm3(wall);
    if (fabs(inside - triangles) > MAX_VOLUME_DIFFERENCE * triangles)
        return fail(ERR_INPUT,
                    "'%s' encloses %.4g mL by its triangles but %.4g mL by its signed distance: it intersects itself "
                    "or some triangles are flipped; repair it",
                    path, triangles / 1000, inside / 1000);
    return OK;
}

int given_surface_check_parts(const char *path, const surface *wall) {
    int rc = check_touching(path, wall);
    rc = rc == OK ? check_crossing(path, wall) : rc;
    if (rc != ERR_INPUT || !surface_is_hollow(wall))
        return rc;
    status_clear();
    return fail(
        ERR_INPUT,
        "'%s': this surface is a hollow wall, between an outer and an inner surface that touch or overlap: give "
        "the inner surface alone, closed or open",
        path);
}

int given_surface_read(const char *path, double unit_mm, int ras, double spacing_mm, const volume *image, surface *wall,
                       volume *phi, given_surface_report *report) {
    int rc = OK;
    TRY(surface_read(path, unit_mm, ras, wall));
    TRY(surface_close(path, wall, &report->filled));
    if (image != NULL)
        TRY(check_inside_image(path, wall, image));
    /* orient before phi is computed, so wall and phi agree on holes */
    TRY(surface_orient_pieces(wall, &report->turned));
    TRY(given_surface_check_parts(path, wall));
    TRY(make_grid(wall, spacing_mm, phi, &report->spacing_mm));
    TRY(warn_gap(wall, report->spacing_mm));
    TRY(distance_from_surface(wall, PHI_MARGIN * report->spacing_mm, phi));
    TRY(check_volume(path, wall, phi));
cleanup:
    return rc;
}
