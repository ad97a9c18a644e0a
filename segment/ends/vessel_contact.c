/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/vessel_contact.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/ends_constants.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARMS = 3, ARM_POINTS = 32 };

/* Points of the tree that lead away from a junction. */
typedef struct {
    int n;
    double at_mm[ARM_POINTS][3];
    double radius_mm; /* median depth of the lumen along the arm; 0: the arm is short */
    size_t deepest;   /* voxel of the largest depth along the arm */
} junction_arm;

/* Follows a branch from its point `from` in steps of CONTACT_STEP_MM, between CONTACT_FROM_MM and CONTACT_TO_MM. */
static void follow_branch(const centerline_branch *b, int from, int direction, junction_arm *out) {
    double way = 0, next = CONTACT_FROM_MM;
    *out = (junction_arm){.n = 0};
    for (int i = from + direction; i >= 0 && i < b->n && out->n < ARM_POINTS; i += direction) {
        way += vec_distance(b->at_mm[i], b->at_mm[i - direction]);
        if (way > CONTACT_TO_MM)
            return;
        if (way < next)
            continue;
        memcpy(out->at_mm[out->n++], b->at_mm[i], sizeof *out->at_mm);
        next = way + CONTACT_STEP_MM;
    }
}

/* Finds the arms of the junction where branch k joins the tree: both directions of the earlier branch, and branch k. */
static void find_arms(const centerline_tree *t, int k, junction_arm arm[ARMS]) {
    const centerline_branch *b = &t->branch[k];
    double nearest = INFINITY;
    int joined = 0, at = 0;
    for (int j = 0; j < k; j++)
        for (int i = 0; i < t->branch[j].n; i++) {
            const double away = vec_distance(t->branch[j].at_mm[i], b->at_mm[b->n - 1]);
            if (away >= nearest)
                continue;
            nearest = away;
            joined = j;
            at = i;
        }
    follow_branch(&t->branch[joined], at, -1, &arm[0]);
    follow_branch(&t->branch[joined], at, 1, &arm[1]);
    follow_branch(b, b->n - 1, -1, &arm[2]);
}

/* Depth of the lumen (distance to its border, mm) in a box around a junction. The lumen is brighter than `level`. */
static int lumen_depth(const volume *image, double level, const double centre[3], volume *depth) {
    const int half = (int)(CONTACT_TO_MM / CONTACT_STEP_MM), n = 2 * half + 1;
    const double h = CONTACT_STEP_MM, low[3] = {centre[0] - half * h, centre[1] - half * h, centre[2] - half * h};
    volume mask = {0};
    int rc = OK;
    TRY(volume_create(&mask, (const int[3]){n, n, n}, (const double[3]){h, h, h}, low, NULL));
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double p[3];
                volume_to_lps(&mask, (const double[3]){i, j, k}, p);
                mask.value[volume_index(&mask, i, j, k)] = volume_contains(image, p) && volume_sample(image, p) > level;
            }
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, CONTACT_TO_MM, depth));
    for (size_t i = 0; i < volume_size(depth); i++)
        depth->value[i] = -depth->value[i];
cleanup:
    volume_free(&mask);
    return rc;
}

/* Moves from a point of the tree towards the axis of the lumen, by CONTACT_CLIMB steps at most. */
static size_t climb_to_axis(const volume *depth, const double p[3]) {
    double index[3];
    int at[3];
    volume_to_index(depth, p, index);
    for (int a = 0; a < 3; a++)
        at[a] = (int)fmin(depth->dims[a] - 1, fmax(0, floor(index[a] + 0.5)));
    size_t best = volume_index(depth, at[0], at[1], at[2]);
    for (int step = 0; step < CONTACT_CLIMB; step++) {
        size_t beside[6];
        const int n = voxel_face_neighbours(depth, best, beside);
        for (int k = 0; k < n; k++)
            best = depth->value[beside[k]] > depth->value[best] ? beside[k] : best;
    }
    return best;
}

static void measure_arm(const volume *depth, junction_arm *arm) {
    double value[ARM_POINTS];
    for (int i = 0; i < arm->n; i++) {
        const size_t voxel = climb_to_axis(depth, arm->at_mm[i]);
        value[i] = (double)depth->value[voxel];
        if (i == 0 || depth->value[voxel] > depth->value[arm->deepest])
            arm->deepest = voxel;
    }
    arm->radius_mm = arm->n >= CONTACT_POINTS ? order_quantile(value, arm->n, 0.5) : 0;
}

/* *apart: the lumen between two arms is narrower than CONTACT_NARROW times the narrower arm. */
static int arms_come_apart(const volume *depth, const junction_arm *a, const junction_arm *b, bool *apart) {
    const double narrow = CONTACT_NARROW * fmin(a->radius_mm, b->radius_mm);
    int32_t *label = malloc(volume_size(depth) * sizeof *label);
    int64_t *size = NULL;
    int n, rc = OK;
    if (label == NULL)
        return fail_memory("the contacts of the vessels", (double)volume_size(depth) * sizeof *label);
    TRY(region_label(depth, narrow, INFINITY, label, &n, &size));
    *apart = label[a->deepest] != label[b->deepest];
cleanup:
    free(label);
    free(size);
    return rc;
}

/* *touch: two of the arms come apart. */
static int examine_junction(const volume *image, double tissue, const double at_mm[3], junction_arm arm[ARMS],
                            bool *touch) {
    double value[ARMS * ARM_POINTS];
    int n = 0, rc = OK;
    volume depth = {0};
    *touch = false;
    for (int m = 0; m < ARMS; m++)
        for (int i = 0; i < arm[m].n; i++)
            value[n++] = volume_sample(image, arm[m].at_mm[i]);
    if (n == 0)
        return OK;
    TRY(lumen_depth(image, (order_quantile(value, n, 0.5) + tissue) / 2, at_mm, &depth));
    for (int m = 0; m < ARMS; m++)
        measure_arm(&depth, &arm[m]);
    for (int m = 0; m < ARMS && !*touch; m++) {
        const junction_arm *a = &arm[m], *b = &arm[(m + 1) % ARMS];
        if (a->radius_mm > 0 && b->radius_mm > 0)
            TRY(arms_come_apart(&depth, a, b, touch));
    }
cleanup:
    volume_free(&depth);
    return rc;
}

int vessel_contact_find(const volume *image, double tissue, const centerline_tree *t, int *branch, int *n) {
    *n = 0;
    for (int k = 1; k < t->n; k++) {
        junction_arm arm[ARMS];
        bool touch;
        find_arms(t, k, arm);
        const int rc = examine_junction(image, tissue, t->branch[k].at_mm[t->branch[k].n - 1], arm, &touch);
        if (rc != OK)
            return rc;
        if (touch)
            branch[(*n)++] = k;
    }
    return OK;
}
