/* SPDX-License-Identifier: Apache-2.0 */
#include "common/draw/label_separate.h"
#include <math.h>
#include <stdbool.h>

enum { ROUNDS = 200 };

/* Returns the axis along which two boxes overlap less; -1: no overlap. *by: distance that separates them along this
 * axis. */
static int box_overlap(const double a[2], const double b[2], const double half_a[2], const double half_b[2],
                       double *by) {
    double over[2];
    for (int d = 0; d < 2; d++)
        over[d] = half_a[d] + half_b[d] - fabs(a[d] - b[d]);
    if (over[0] <= 0 || over[1] <= 0)
        return -1;
    const int d = over[1] <= over[0] ? 1 : 0;
    *by = over[d] + 0.5;
    return d;
}

/* Moves two overlapping boxes apart, each by half of the distance. false: no overlap. */
static bool push_apart(double a[2], double b[2], const double half_a[2], const double half_b[2]) {
    double by;
    const int d = box_overlap(a, b, half_a, half_b, &by);
    if (d < 0)
        return false;
    const double sign = a[d] < b[d] ? 1 : -1;
    a[d] -= sign * 0.5 * by;
    b[d] += sign * 0.5 * by;
    return true;
}

/* Moves box a away from the fixed box b; to the other side of b if the page ends on this side. false: no overlap. */
static bool push_from(double a[2], const double b[2], const double half_a[2], const double half_b[2],
                      const double page[2]) {
    double by;
    const int d = box_overlap(a, b, half_a, half_b, &by);
    if (d < 0)
        return false;
    const double apart = half_a[d] + half_b[d] + 0.5;
    double sign = a[d] < b[d] ? -1 : 1;
    const double wanted = b[d] + sign * apart;
    sign = wanted < half_a[d] ? 1 : wanted > page[d] - half_a[d] ? -1 : sign;
    a[d] = b[d] + sign * apart;
    return true;
}

static bool move_into_page(double centre[2], const double half[2], const double page[2]) {
    bool moved = false;
    for (int d = 0; d < 2; d++) {
        const double kept = fmax(half[d], fmin(page[d] - half[d], centre[d]));
        moved = moved || kept != centre[d];
        centre[d] = kept;
    }
    return moved;
}

void label_separate(int n, int n_fixed, double (*centre)[2], const double (*half)[2], const double page[2]) {
    bool moved = true;
    for (int round = 0; round < ROUNDS && moved; round++) {
        moved = false;
        for (int i = n_fixed; i < n; i++)
            for (int j = 0; j < i; j++)
                moved = (j < n_fixed ? push_from(centre[i], centre[j], half[i], half[j], page)
                                     : push_apart(centre[i], centre[j], half[i], half[j])) ||
                        moved;
        for (int i = n_fixed; i < n; i++)
            moved = move_into_page(centre[i], half[i], page) || moved;
    }
}
