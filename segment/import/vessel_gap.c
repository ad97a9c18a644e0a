/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/import/vessel_gap.h"
#include "common/base/status.h"
#include "common/surface/surface_nearest.h"
#include "common/surface/surface_pieces.h"
#include "segment/import/import_constants.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_vessel(const surface_pieces *pieces, int32_t name, double whole_mm3) {
    return pieces->volume_mm3[name] >= LEAST_VESSEL * whole_mm3;
}

/* Searches from the points of all other vessels for the nearest point of vessel `name`. part: [n_triangle] scratch. */
static int search_from(const surface *wall, const surface_pieces *pieces, int32_t name, int32_t *part, double reach_mm,
                       vessel_gap *found) {
    const double whole = surface_volume_mm3(wall);
    surface vessel = *wall;
    surface_facets facets = {0};
    int rc;
    vessel.triangle = part;
    vessel.n_triangle = 0;
    for (int64_t t = 0; t < wall->n_triangle; t++)
        if (pieces->of[wall->triangle[3 * t]] == name)
            memcpy(part + 3 * vessel.n_triangle++, wall->triangle + 3 * t, 3 * sizeof *part);
    TRY(surface_facets_create(&facets, &vessel));
    for (int64_t p = 0; p < wall->n_point; p++) {
        if (pieces->of[p] == name || !is_vessel(pieces, pieces->of[p], whole))
            continue;
        surface_nearest best = surface_nearest_within(fmin(reach_mm, found->mm));
        surface_nearest_search(&facets, wall->point_mm + 3 * p, &best);
        if (best.triangle < 0 || !(sqrt(best.square) < found->mm))
            continue;
        found->mm = sqrt(best.square);
        memcpy(found->lps, wall->point_mm + 3 * p, sizeof found->lps);
    }
cleanup:
    surface_facets_free(&facets);
    return rc;
}

int vessel_gap_find(const surface *wall, double reach_mm, vessel_gap *found) {
    surface_pieces pieces;
    int32_t *part = NULL;
    int n = 0, rc = OK;
    *found = (vessel_gap){.mm = INFINITY};
    TRY(surface_pieces_find(wall, &pieces));
    const double whole = surface_volume_mm3(wall);
    for (int32_t k = 0; k < pieces.n; k++)
        n += is_vessel(&pieces, pieces.name[k], whole);
    if (n < 2)
        goto cleanup;
    part = malloc((size_t)wall->n_triangle * 3 * sizeof *part);
    if (!part)
        GIVE_UP(fail_memory("the triangles", 12.0 * (double)wall->n_triangle));
    for (int32_t k = 0; k < pieces.n; k++)
        if (is_vessel(&pieces, pieces.name[k], whole))
            TRY(search_from(wall, &pieces, pieces.name[k], part, reach_mm, found));
cleanup:
    free(part);
    surface_pieces_free(&pieces);
    return rc;
}
