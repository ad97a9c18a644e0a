/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/vessel_contact.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/ends_constants.h"
#include "segment/vessel/narrow_contact.h"
#include <math.h>
#include <string.h>

enum { ARMS = 3, ARM_POINTS = 32 };

/* Points of the tree that lead away from a junction. */
typedef struct {
    int n;
    double at_mm[ARM_POINTS][3];
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

int vessel_contact_find(const volume *image, double tissue, const centerline_tree *t, double (*place_mm)[3], int *n) {
    int rc = OK;
    *n = 0;
    for (int k = 1; k < t->n; k++) {
        junction_arm arm[ARMS];
        double value[ARMS * ARM_POINTS];
        bool narrow = false;
        int points = 0;
        find_arms(t, k, arm);
        for (int m = 0; m < ARMS; m++)
            for (int i = 0; i < arm[m].n; i++)
                value[points++] = volume_sample(image, arm[m].at_mm[i]);
        if (points == 0)
            continue;
        const double level = (order_quantile(value, points, 0.5) + tissue) / 2;
        const contact_arm arms[ARMS] = {{arm[0].n, arm[0].at_mm}, {arm[1].n, arm[1].at_mm}, {arm[2].n, arm[2].at_mm}};
        TRY(narrow_contact_test(image, level, t->branch[k].at_mm[t->branch[k].n - 1], CONTACT_STEP_MM, ARMS, arms,
                                &narrow, place_mm[*n]));
        *n += narrow;
    }
cleanup:
    return rc;
}
