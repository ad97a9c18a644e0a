/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/vessel/narrow_contact.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/least_path.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Lower limit of the radius of the lumen between two arms of a bifurcation, in radii of the narrower arm. Phantoms of
 * the portal vein have 0.8 and more at bifurcations and 0.4 to 0.8 at the cava and the hepatic veins. */
static const double least_width = 0.77;
static const double smooth_steps = 1.2; /* Standard deviation of the Gaussian that smooths the image, in steps */
/* CLIMB: number of steps from a given point to the axis of the lumen. LEAST_POINTS: an arm with fewer points is too
 * short. PATH_POWER: the cost per mm of a path is depth^-PATH_POWER. */
enum { CLIMB = 4, LEAST_POINTS = 4, PATH_POWER = 4 };

/* Depth of the lumen (distance to its border, mm) in a box around `centre`. The lumen is brighter than `level`. */
static int lumen_depth(const volume *image, double level, const double centre[3], double step_mm, volume *depth) {
    const int n = 2 * NARROW_CONTACT_BOX + 1;
    double low[3];
    volume box = {0};
    int rc = OK;
    for (int a = 0; a < 3; a++)
        low[a] = centre[a] - NARROW_CONTACT_BOX * step_mm;
    TRY(volume_create(&box, (const int[3]){n, n, n}, (const double[3]){step_mm, step_mm, step_mm}, low, NULL));
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double p[3];
                volume_to_lps(&box, (const double[3]){i, j, k}, p);
                box.value[volume_index(&box, i, j, k)] = (float)volume_sample(image, p);
            }
    TRY(grid_smooth(&box, (const double[3]){smooth_steps, smooth_steps, smooth_steps}));
    for (size_t i = 0; i < volume_size(&box); i++)
        box.value[i] = (double)box.value[i] > level;
    TRY(mask_distance(&box, (const bool[3]){true, true, true}, n * step_mm, depth));
    for (size_t i = 0; i < volume_size(depth); i++)
        depth->value[i] = -depth->value[i];
cleanup:
    volume_free(&box);
    return rc;
}

/* Moves from a point towards the axis of the lumen, by CLIMB steps at most. */
static size_t climb_to_axis(const volume *depth, const double p[3]) {
    double index[3];
    int at[3];
    volume_to_index(depth, p, index);
    for (int a = 0; a < 3; a++)
        at[a] = (int)fmin(depth->dims[a] - 1, fmax(0, floor(index[a] + 0.5)));
    size_t best = volume_index(depth, at[0], at[1], at[2]);
    for (int step = 0; step < CLIMB; step++) {
        size_t beside[6];
        const int n = voxel_face_neighbours(depth, best, beside);
        for (int k = 0; k < n; k++)
            best = depth->value[beside[k]] > depth->value[best] ? beside[k] : best;
    }
    return best;
}

/* Median depth along an arm, and the voxel of the largest depth. 0: the arm has too few points in the box. */
static double arm_radius_mm(const volume *depth, const contact_arm *arm, size_t *deepest) {
    double value[NARROW_CONTACT_BOX];
    int n = 0;
    *deepest = 0;
    for (int i = 0; i < arm->n && n < NARROW_CONTACT_BOX; i++) {
        if (!volume_contains(depth, arm->at_mm[i]))
            continue;
        const size_t voxel = climb_to_axis(depth, arm->at_mm[i]);
        value[n++] = (double)depth->value[voxel];
        if (n == 1 || depth->value[voxel] > depth->value[*deepest])
            *deepest = voxel;
    }
    return n >= LEAST_POINTS ? fmax(0, order_quantile(value, n, 0.5)) : 0;
}

/* Finds the narrowest place on the way between two voxels: the voxel of the least depth on the path that keeps to the
 * deepest lumen. */
static int find_narrowest(const volume *depth, const size_t end[2], double place_mm[3]) {
    volume cost = {0};
    least_path p = {0};
    int rc = OK;
    int32_t at;
    TRY(volume_copy(&cost, depth));
    for (size_t i = 0; i < volume_size(&cost); i++)
        cost.value[i] = (float)pow(fmax((double)depth->value[i], 0.1 * depth->spacing_mm[0]), -PATH_POWER);
    TRY(least_path_create(&cost, &p));
    TRY(least_path_start(&p, (int32_t)end[0]));
    while (least_path_next(&p, &at) && (size_t)at != end[1])
        TRY(least_path_spread(&p, at));
    int32_t narrowest = at;
    for (; at != LEAST_PATH_NONE; at = least_path_before(&p, at))
        narrowest = depth->value[at] < depth->value[narrowest] ? at : narrowest;
    least_path_place(&p, narrowest, place_mm);
cleanup:
    least_path_free(&p);
    volume_free(&cost);
    return rc;
}

/* Tests one pair of arms. label [voxels of depth]: scratch memory. */
static int test_pair(const volume *depth, const contact_arm *a, const contact_arm *b, int32_t *label, bool *narrow,
                     double place_mm[3]) {
    size_t deepest[2];
    int64_t *size = NULL;
    const double one = arm_radius_mm(depth, a, &deepest[0]), other = arm_radius_mm(depth, b, &deepest[1]);
    int n, rc = OK;
    if (!(fmin(one, other) > 0))
        return OK;
    TRY(region_label(depth, least_width * fmin(one, other), INFINITY, label, &n, &size));
    *narrow = label[deepest[0]] != label[deepest[1]];
    if (*narrow && place_mm != NULL)
        TRY(find_narrowest(depth, deepest, place_mm));
cleanup:
    free(size);
    return rc;
}

int narrow_contact_test(const volume *image, double level, const double centre[3], double step_mm, int n,
                        const contact_arm *arm, bool *narrow, double place_mm[3]) {
    volume depth = {0};
    int32_t *label = NULL;
    int rc = OK;
    *narrow = false;
    TRY(lumen_depth(image, level, centre, step_mm, &depth));
    label = malloc(volume_size(&depth) * sizeof *label);
    if (label == NULL)
        GIVE_UP(fail_memory("the contacts of the vessels", (double)volume_size(&depth) * sizeof *label));
    for (int m = 0; m < (n == 2 ? 1 : n) && !*narrow; m++)
        TRY(test_pair(&depth, &arm[m], &arm[(m + 1) % n], label, narrow, place_mm));
cleanup:
    volume_free(&depth);
    free(label);
    return rc;
}
