/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths of the branches of forks whose axes are circular arcs from one point: the error of the place of the
 * bifurcation is within the interval of the lengths, with exact walls and with walls off by 0.5 mm (95 %).
 *
 * By hand: test_bifurcation_place FIRST LAST WALL_MM, say 1 60 0.5, draws these forks and prints a line for each
 * branch. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/centerline/centerline.h"
#include "common/vessel/vessel_table.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { ARCS = 3, RADIUS = 4, LENGTH = 26, WAVES = 16, FORKS = 40, NEAR_MM = 4, BEYOND = 8 };

/* A tube round a circular arc that starts at the origin in the direction d and bends towards n. It runs on for BEYOND
 * mm behind its given end at the arc length LENGTH. */
typedef struct {
    double d[3], n[3], b[3]; /* unit vectors, b across the plane of the arc */
    double radius, bend_mm;  /* of the tube; of the arc, INFINITY: straight */
} arc_tube;

static arc_tube tube[ARCS];

static double arc_distance(const arc_tube *t, const double q[3]) {
    const double x = vec_dot(q, t->d), y = vec_dot(q, t->n), z = vec_dot(q, t->b);
    const bool straight = !isfinite(t->bend_mm);
    const double s = straight ? x : t->bend_mm * atan2(x, t->bend_mm - y),
                 off = straight ? y : hypot(x, y - t->bend_mm) - t->bend_mm;
    return s < 0 ? vec_length(q) - t->radius : fmax(hypot(off, z) - t->radius, s - LENGTH - BEYOND);
}

static void arc_end(const arc_tube *t, double at[3]) {
    const double angle = isfinite(t->bend_mm) ? LENGTH / t->bend_mm : 0;
    for (int a = 0; a < 3; a++)
        at[a] =
            isfinite(t->bend_mm) ? t->bend_mm * (sin(angle) * t->d[a] + (1 - cos(angle)) * t->n[a]) : LENGTH * t->d[a];
}

static double random_unit(uint64_t *state) {
    uint64_t x = *state += 0x9E3779B97F4A7C15U; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double random_between(uint64_t *state, double low, double high) {
    return low + (high - low) * random_unit(state);
}

/* A tube that leaves at `angle` from z towards the side `turn` round z. The plane of its arc is turned by `roll`. */
static arc_tube make_tube(double angle, double turn, double roll, double radius, double bend_mm) {
    arc_tube t = {
        .d = {sin(angle) * cos(turn), sin(angle) * sin(turn), cos(angle)}, .radius = radius, .bend_mm = bend_mm};
    double axis[3][3];
    vec_axes(t.d, axis);
    for (int a = 0; a < 3; a++)
        t.n[a] = cos(roll) * axis[0][a] + sin(roll) * axis[1][a];
    vec_cross(t.d, t.n, t.b);
    return t;
}

/* Even seeds: a fork into two at 25 to 50 degrees. Odd seeds: a side branch at 50 to 90 degrees of a vessel that runs
 * on along the circle of the trunk. Bend radii of 5 to 20 radii of the trunk. */
static void draw_fork(uint64_t seed) {
    const double degree = M_PI / 180;
    uint64_t s = seed * 0x632BE59BD9B4E019U + 17;
    const double turn = random_between(&s, 0, 2 * M_PI), roll = random_between(&s, 0, 2 * M_PI);
    double bend[ARCS];
    for (int k = 0; k < ARCS; k++)
        bend[k] = RADIUS / random_between(&s, 0.05, 0.2);
    tube[0] = make_tube(M_PI, 0, roll, RADIUS, bend[0]);
    if (seed % 2 == 0) {
        tube[1] = make_tube(random_between(&s, 25, 50) * degree, turn, random_between(&s, 0, 2 * M_PI),
                            random_between(&s, 0.7, 1) * RADIUS, bend[1]);
        tube[2] = make_tube(random_between(&s, 25, 50) * degree, turn + M_PI + random_between(&s, -0.4, 0.4),
                            random_between(&s, 0, 2 * M_PI), random_between(&s, 0.6, 1) * RADIUS, bend[2]);
    } else {
        tube[1] = tube[0];
        for (int a = 0; a < 3; a++) {
            tube[1].d[a] = -tube[0].d[a];
            tube[1].b[a] = -tube[0].b[a];
        }
        tube[2] = make_tube(random_between(&s, 50, 90) * degree, turn, random_between(&s, 0, 2 * M_PI),
                            random_between(&s, 0.5, 1) * RADIUS, bend[2]);
    }
}

static double fork_distance(const double q[3]) {
    return fmin(arc_distance(&tube[0], q), fmin(arc_distance(&tube[1], q), arc_distance(&tube[2], q)));
}

/* Random waves with a standard deviation of 1, wavelengths of 1.5 to 4 radii: errors of the wall's position. */
static double wave[WAVES][4]; /* wave vector, 1/mm; phase */

static void draw_waves(uint64_t seed) {
    uint64_t s = seed * 0x632BE59BD9B4E019U + 43;
    for (int k = 0; k < WAVES; k++) {
        const double z = random_between(&s, -1, 1), turn = random_between(&s, 0, 2 * M_PI),
                     number = 2 * M_PI / (RADIUS * random_between(&s, 1.5, 4));
        wave[k][0] = number * sqrt(1 - z * z) * cos(turn);
        wave[k][1] = number * sqrt(1 - z * z) * sin(turn);
        wave[k][2] = number * z;
        wave[k][3] = random_between(&s, 0, 2 * M_PI);
    }
}

static double sum_waves(const double q[3]) {
    double sum = 0;
    for (int k = 0; k < WAVES; k++)
        sum += sqrt(2.0 / WAVES) * cos(vec_dot(wave[k], q) + wave[k][3]);
    return sum;
}

/* wall_sd_mm: standard deviation of the wall's position. It fades within NEAR_MM of the wall. */
static volume draw_lumen(double wall_sd_mm) {
    enum { MARGIN = 4 };
    double low[3] = {0}, high[3] = {0};
    int dims[3];
    volume v;
    for (int k = 0; k < ARCS; k++)
        for (int i = 0; i <= 8; i++) {
            arc_tube part = tube[k];
            double at[3];
            const double angle = isfinite(part.bend_mm) ? i * (LENGTH + BEYOND) / 8.0 / part.bend_mm : 0;
            for (int a = 0; a < 3; a++) {
                at[a] = part.bend_mm * (sin(angle) * part.d[a] + (1 - cos(angle)) * part.n[a]);
                low[a] = fmin(low[a], at[a] - RADIUS - MARGIN);
                high[a] = fmax(high[a], at[a] + RADIUS + MARGIN);
            }
        }
    for (int a = 0; a < 3; a++) {
        low[a] += 0.37;
        dims[a] = (int)ceil(high[a] - low[a]) + 1;
    }
    assert_int_equal(volume_create(&v, dims, (const double[3]){1, 1, 1}, low, NULL), OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                double p[3];
                volume_to_lps(&v, (const double[3]){i, j, k}, p);
                const double off = fork_distance(p);
                const double fade = fmax(0, 1 - off * off / (NEAR_MM * NEAR_MM));
                v.value[volume_index(&v, i, j, k)] =
                    (float)(wall_sd_mm > 0 && fade > 0 ? off + fade * wall_sd_mm * sum_waves(p) : off);
            }
    return v;
}

typedef struct {
    int all, inside;
} coverage;

static void study_fork(uint64_t seed, double wall_mm, coverage *sum) {
    double end[ARCS][3];
    centerline c;
    vessel_table t;
    draw_fork(seed);
    draw_waves(seed);
    volume phi = draw_lumen(wall_mm / 2);
    for (int k = 0; k < ARCS; k++)
        arc_end(&tube[k], end[k]);
    for (int k = 0; k < ARCS; k++)
        for (int m = 0; m < ARCS; m++)
            if (k != m && arc_distance(&tube[m], end[k]) < RADIUS) {
                print_message("%d: end %d in tube %d\n", (int)seed, k, m);
                volume_free(&phi);
                return;
            }
    assert_int_equal(centerline_find(&phi, ARCS, (const double(*)[3])end, &c), OK);
    assert_int_equal(vessel_table_create(&c, 1, 1, wall_mm, NULL, &t), OK);
    if (c.n_branch != ARCS)
        print_message("%d: %d branches\n", (int)seed, c.n_branch);
    for (int k = 0; k < c.n_branch && c.n_branch == ARCS; k++) {
        const centerline_branch_line *b = &c.branch[k];
        const int side = c.node[b->node[0]].degree == 3 ? 0 : 1;
        const centerline_node *fork = &c.node[b->node[side]], *far = &c.node[b->node[1 - side]];
        const vessel_value v = t.branch[k].length_mm;
        sum->all++;
        sum->inside += v.low <= LENGTH && LENGTH <= v.high;
        print_message("%d, tube %d: length %.2f (%.2f to %.2f) mm, axis %d; bifurcation %.2f mm off\n", (int)seed,
                      far->given, v.value, v.low, v.high, LENGTH, vec_length(fork->at_mm));
    }
    vessel_table_free(&t);
    centerline_free(&c);
    volume_free(&phi);
}

/* 95 % intervals. Forks whose tubes touch again are not counted. */
static void forks_of_arcs(void **state) {
    (void)state;
    for (int rough = 0; rough < 2; rough++) {
        coverage sum = {0, 0};
        for (uint64_t seed = 1; seed <= (rough ? FORKS : 6); seed++)
            study_fork(seed, 0.5 * rough, &sum);
        print_message("%d of %d lengths within their intervals\n", sum.inside, sum.all);
        assert_true(sum.all >= (rough ? 2.7 * FORKS : 15) && sum.inside >= 0.94 * sum.all);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forks_of_arcs)};
    coverage sum = {0, 0};
    message_init("test", false);
    if (argc < 4)
        return cmocka_run_group_tests(tests, NULL, NULL);
    for (long seed = strtol(argv[1], NULL, 10); seed <= strtol(argv[2], NULL, 10); seed++)
        study_fork((uint64_t)seed, strtod(argv[3], NULL), &sum);
    print_message("%d of %d lengths within their intervals\n", sum.inside, sum.all);
    return 0;
}
