/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/ends_without_opening.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/centerline_ends.h"
#include "segment/ends/ends_constants.h"
#include <math.h>

int ends_without_opening_mask(const volume *phi, double most, volume *mask) {
    const int stride = (int)fmax(1, ceil(cbrt((double)volume_size(phi) / most)));
    int dims[3];
    double spacing[3];
    for (int a = 0; a < 3; a++) {
        dims[a] = (phi->dims[a] - 1) / stride + 1;
        spacing[a] = phi->spacing_mm[a] * stride;
    }
    const int rc = volume_create(mask, dims, spacing, phi->origin_mm, phi->direction);
    for (int k = 0; rc == OK && k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++)
                mask->value[volume_index(mask, i, j, k)] =
                    phi->value[volume_index(phi, i * stride, j * stride, k * stride)] < 0;
    return rc;
}

/* True for a sac with a neck: from the tip, the lumen narrows to a neck within a few radii of the sac. An end at the
 * image border is no sac, because the vessel may continue there. */
static bool is_sac(const centerline_tree *t, const centerline_end *e) {
    const centerline_branch *b = &t->branch[e->branch];
    const bool backwards =
        b->n > 1 && vec_distance(e->tip_mm, b->at_mm[0]) > vec_distance(e->tip_mm, b->at_mm[b->n - 1]);
    double way = 0, widest = 0;
    for (int k = 0; k < b->n && !e->border; k++) {
        const int at = backwards ? b->n - 1 - k : k, before = backwards ? at + 1 : at - 1;
        way += k > 0 ? vec_distance(b->at_mm[at], b->at_mm[before]) : 0;
        widest = fmax(widest, b->radius_mm[at]);
        if (way > widest && b->radius_mm[at] < SAC_NECK * widest)
            return way < SAC_RADII * widest;
    }
    return false;
}

int ends_without_opening(const volume *phi, int n, const double (*opening)[3], int *n_end, centerline_end *end) {
    volume mask = {0};
    centerline_tree t = {0};
    int rc = OK, all = 0;
    *n_end = 0;
    TRY(ends_without_opening_mask(phi, SAMPLED_PLACES, &mask));
    if (centerline_tree_find(&mask, &t) != OK) { /* sampling was coarser than the lumen, so no tree was found */
        status_clear();
        goto cleanup;
    }
    all = centerline_ends_find(&t, &mask, end);
    for (int k = 0; k < all; k++) {
        bool open = false;
        for (int m = 0; m < n; m++)
            open = open || vec_distance(end[k].point_mm, opening[m]) <
                               (end[k].flat ? FLAT_RADII : OPENING_RADII) * end[k].radius_mm;
        if (!open && !is_sac(&t, &end[k]))
            end[(*n_end)++] = end[k];
    }
cleanup:
    centerline_tree_free(&t);
    volume_free(&mask);
    return rc;
}
