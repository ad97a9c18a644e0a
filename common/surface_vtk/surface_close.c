/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface_vtk/surface_close.h"
#include "common/base/status.h"
#include "common/surface/surface_contact.h"
#include "common/surface_vtk/vtk_surface.h"
#include <math.h>

static const double smallest_mm = 2, largest_mm = 2000; /* Limits of the longest edge of a vessel's bounding box */
/* Above this fraction of open edges the triangles of a file do not share corners; in the shortest open tube a third of
 * the edges are open */
static const double unjoined = 0.5;

static void reverse_triangles(surface *s) {
    for (int64_t t = 0; t < s->n_triangle; t++) {
        int32_t *c = s->triangle + 3 * t, keep = c[1];
        c[1] = c[2];
        c[2] = keep;
    }
}

static int close_ends(const char *path, surface *wall, int *filled) {
    surface_contact edges;
    const int64_t sides = 3 * wall->n_triangle;
    int rc = surface_contact_find(wall, &edges);
    *filled = 0;
    if (rc != OK)
        return rc;
    const int64_t alone = edges.open;
    if ((double)alone > unjoined * (double)sides)
        return fail(ERR_INPUT,
                    "'%s': %lld of the %lld edges of its triangles have no neighbour, because equal corners are stored "
                    "as different points; merge the points in the program that made the file",
                    path, (long long)alone, (long long)sides);
    if (edges.crowded > 0)
        return fail(
            ERR_INPUT,
            "'%s': %lld edges have more than two triangles, the first near LPS %.1f, %.1f, %.1f mm: a disc, cap "
            "or wall inside the vessel is joined there; remove it in the program that made the file",
            path, (long long)edges.crowded, edges.crowded_mm[0], edges.crowded_mm[1], edges.crowded_mm[2]);
    if (alone > 0) {
        rc = surface_fill_holes(wall, false, filled);
        if (rc != OK)
            return rc;
    }
    rc = surface_contact_find(wall, &edges);
    if (rc != OK)
        return rc;
    if (edges.open > 0)
        return fail(ERR_INPUT,
                    "'%s' is not closed: %lld edges remain open after closing %d ends, the first near LPS %.1f, %.1f, "
                    "%.1f mm; repair the surface",
                    path, (long long)edges.open, *filled, edges.open_mm[0], edges.open_mm[1], edges.open_mm[2]);
    if (surface_volume_mm3(wall) < 0)
        reverse_triangles(wall);
    return OK;
}

static int check_size(const char *path, const surface *wall, const double low[3], const double high[3]) {
    double longest = 0;
    for (int a = 0; a < 3; a++)
        longest = fmax(longest, high[a] - low[a]);
    if (longest < smallest_mm || longest > largest_mm)
        return fail(ERR_INPUT,
                    "'%s' is %.4g mm long, outside %g to %g mm; is its unit right (unit: mm, cm, m, in or um)?", path,
                    longest, smallest_mm, largest_mm);
    if (!(surface_volume_mm3(wall) > 1e-6 * longest * longest * longest))
        return fail(ERR_INPUT, "'%s' encloses no volume (%.4g mm3); repair the surface", path,
                    surface_volume_mm3(wall));
    return OK;
}

int surface_close(const char *path, surface *wall, int *filled) {
    double low[3], high[3];
    const int rc = close_ends(path, wall, filled);
    surface_bounds(wall, low, high);
    return rc == OK ? check_size(path, wall, low, high) : rc;
}
