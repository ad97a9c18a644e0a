/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface_vtk/surface_close.h"
#include "common/base/status.h"
#include "common/surface/surface_contact.h"
#include "common/surface_vtk/surface_hollow.h"
#include "common/surface_vtk/vtk_surface.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Limits of the longest edge of a vessel's bounding box; it is rarely outside short_mm to long_mm */
static const double smallest_mm = 2, short_mm = 10, long_mm = 700, largest_mm = 2000;
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

/* Adds to the refusal of a surface that its length is rare for vessels. */
static int add_length(int rc, double longest) {
    char reason[800];
    snprintf(reason, sizeof reason, "%s", status_message());
    status_clear();
    return fail(rc, "%s. It is %.3g mm long: check its unit as well", reason, longest);
}

int surface_close(const char *path, surface *wall, int *filled) {
    double low[3], high[3], longest = 0;
    surface_bounds(wall, low, high);
    for (int a = 0; a < 3; a++)
        longest = fmax(longest, high[a] - low[a]);
    const bool possible = longest >= smallest_mm && longest <= largest_mm;
    const bool usual = longest >= short_mm && longest <= long_mm;
    /* both findings at once, so that the user does not meet the second one after mending the first */
    const bool hollow = !usual && surface_is_hollow(wall);
    int rc;
    *filled = 0;
    if (possible || !hollow) {
        rc = close_ends(path, wall, filled);
        if (rc != OK)
            return hollow ? add_length(rc, longest) : rc;
    }
    if (!possible)
        return fail(ERR_INPUT,
                    "'%s' is %.4g mm long, outside %g to %g mm; is its unit right (unit: mm, cm, m, in or um)?%s", path,
                    longest, smallest_mm, largest_mm,
                    hollow ? " It is also a hollow wall, between an outer and an inner surface: give the inner surface "
                             "alone, closed or open"
                           : "");
    if (!(surface_volume_mm3(wall) > 1e-6 * longest * longest * longest))
        return fail(ERR_INPUT, "'%s' encloses no volume (%.4g mm3); repair the surface", path,
                    surface_volume_mm3(wall));
    return OK;
}
