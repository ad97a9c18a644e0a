/* See surroundings.h. */
#include "segment/ends/surroundings.h"
#include "common/base/vec.h"
#include <math.h>

enum { PAIRS = 6, STEPS = 18, SHELL_STEPS = 9, AROUND = 3 }; /* steps of 1 mm; points of the line to both sides */
static const double far_mm = 12, far_times = 3;              /* the far edge: at least so far, and of the near one */

/* Across the line at its point i. */
static void across_line(const centerline_branch *b, int i, double axis[3][3]) {
    const int from = i > AROUND ? i - AROUND : 0, to = i + AROUND < b->n ? i + AROUND : b->n - 1;
    double d[3];
    vec_add(b->at_mm[to], -1, b->at_mm[from], d);
    if (!vec_normalize(d))
        d[2] = 1;
    vec_axes(d, axis);
}

/* Sums of what lies s mm away, and how many. */
typedef struct {
    double sum[STEPS + 1], n[STEPS + 1];
} profile;

/* Way to where the ray gets darker than `half`. */
static double ray(const volume *image, const double from[3], const double d[3], double half, profile *mean) {
    double edge = STEPS + 1;
    for (int s = 0; s <= STEPS; s++) {
        double p[3];
        vec_add(from, s, d, p);
        if (!volume_contains(image, p))
            break;
        const double x = volume_sample(image, p);
        mean->sum[s] += x;
        mean->n[s]++;
        if (edge > STEPS && x < half)
            edge = s;
    }
    return edge;
}

candidate_surroundings vessel_candidates_surroundings(const volume *image, const centerline_tree *t, double tissue,
                                                      double value) {
    profile mean = {{0}, {0}};
    double pairs = 0, one_sided = 0, brightest = value;
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i += 2) {
            double axis[3][3];
            across_line(&t->branch[k], i, axis);
            for (int r = 0; r < PAIRS; r++) {
                double edge[2];
                for (int side = 0; side < 2; side++) {
                    const double turn = M_PI * (r / (double)PAIRS + side);
                    double d[3] = {0};
                    vec_add(d, cos(turn), axis[0], d);
                    vec_add(d, sin(turn), axis[1], d);
                    edge[side] = ray(image, t->branch[k].at_mm[i], d, (tissue + value) / 2, &mean);
                }
                pairs++;
                one_sided += fmax(edge[0], edge[1]) > fmax(far_mm, far_times * fmin(edge[0], edge[1]));
            }
        }
    for (int s = 0; s <= SHELL_STEPS; s++)
        brightest = mean.n[s] > 0 ? fmax(brightest, mean.sum[s] / mean.n[s]) : brightest;
    return (candidate_surroundings){value > tissue ? (brightest - value) / (value - tissue) : 0,
                                    pairs > 0 ? one_sided / pairs : 0};
}
