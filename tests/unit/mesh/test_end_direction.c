/* SPDX-License-Identifier: Apache-2.0 */
/* The blunt end of a straight mask, oblique to coarse and uneven voxels: the plane of an opening without a normal. */
#include "common/base/status.h"
#include "mesh/openings/opening_plane.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double half = 20; /* of the length, mm */

typedef struct {
    double way[3], radius, spacing[3];
} blunt;

static bool is_inside(const blunt *b, const double p[3]) {
    const double along = p[0] * b->way[0] + p[1] * b->way[1] + p[2] * b->way[2];
    return fabs(along) < half && p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - along * along < b->radius * b->radius;
}

/* The level set of the mask: signed distance of its voxels, by the definition, smoothed by one voxel as masks are. */
static void make_lumen(const blunt *b, lumen *l, double low[3], double high[3]) {
    int dims[3];
    double ext[3];
    volume mask, phi;
    for (int a = 0; a < 3; a++) {
        ext[a] = half * fabs(b->way[a]) + b->radius + 3 * b->spacing[a];
        low[a] = -ext[a] + 0.3 * b->spacing[a];
        dims[a] = (int)(2 * ext[a] / b->spacing[a]) + 1;
        high[a] = low[a] + (dims[a] - 1) * b->spacing[a];
    }
    assert_int_equal(volume_create(&mask, dims, b->spacing, low, NULL), OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                double p[3];
                volume_to_lps(&mask, (const double[3]){i, j, k}, p);
                mask.value[volume_index(&mask, i, j, k)] = is_inside(b, p) ? -1 : 1;
            }
    /* on cubes, each the mean of the mask within 1.2 of its voxels, times a voxel: about a distance at the wall */
    int fine[3];
    for (int a = 0; a < 3; a++)
        fine[a] = (int)((high[a] - low[a]) / b->spacing[0]) + 1;
    assert_int_equal(
        volume_create(&phi, fine, (const double[3]){b->spacing[0], b->spacing[0], b->spacing[0]}, low, NULL), OK);
    for (int k = 0; k < fine[2]; k++)
        for (int j = 0; j < fine[1]; j++)
            for (int i = 0; i < fine[0]; i++) {
                double p[3], sum = 0;
                volume_to_lps(&phi, (const double[3]){i, j, k}, p);
                for (int n = 0; n < 125; n++) {
                    const double q[3] = {p[0] + 0.6 * (n % 5 - 2) * b->spacing[0],
                                         p[1] + 0.6 * (n / 5 % 5 - 2) * b->spacing[1],
                                         p[2] + 0.6 * (n / 25 - 2) * b->spacing[2]};
                    sum += volume_sample(&mask, q) / 125;
                }
                phi.value[volume_index(&phi, i, j, k)] = (float)(sum * 1.2 * b->spacing[0]);
            }
    memset(l, 0, sizeof *l);
    assert_int_equal(phi_field_create(&l->phi, &phi), OK);
    l->voxel_mm = b->spacing[0];
    volume_free(&mask);
    volume_free(&phi);
}

static double worst_of(const blunt *b) {
    lumen l;
    case_file c;
    double low[3], high[3], worst = 0;
    make_lumen(b, &l, low, high);
    for (int end = -1; end < 2; end += 2) {
        char text[400];
        opening_plane o;
        double cosine = 0, p[3];
        for (int a = 0; a < 3; a++)
            p[a] = end * (half - 1) * b->way[a];
        const int n = snprintf(text, sizeof text,
                               "space: LPS\nsegment: {method: surface, surface: {path: v.stl}}\nopenings:\n"
                               "  - {name: A, role: inlet, point: [%.9g, %.9g, %.9g], normal: auto, flow: 0.1 L/min}\n"
                               "  - {name: B, role: outlet, point: [0, 0, 0], pressure: 0 Pa}\n",
                               p[0], p[1], p[2]);
        assert_int_equal(case_read_text(text, (size_t)n, "case.yaml", 0, &c), OK);
        if (opening_plane_place(&c, 0, NULL, &l, low, high, &o) != OK)
            fail_msg("%s", status_message());
        for (int a = 0; a < 3; a++)
            cosine += o.plane.normal[a] * b->way[a];
        worst = fmax(worst, acos(fmin(1, fabs(cosine))) * 180 / M_PI);
        case_free(&c);
    }
    printf("way %.2f %.2f %.2f, radius %g mm, voxels of %g x %g x %g mm: %.1f degrees off\n", b->way[0], b->way[1],
           b->way[2], b->radius, b->spacing[0], b->spacing[1], b->spacing[2], worst);
    lumen_free(&l);
    return worst;
}

static void blunt_ends(void **state) {
    (void)state;
    static const double way[][3] = {{2, 0, 1}, {3, 1, 3}, {3, 9, 8}, {10, 5, 1}, {0, 3, 4}};
    static const double slices[][2] = {{0.7, 4}, {1.5, 4}, {2, 5}};
    for (size_t k = 0; k < sizeof slices / sizeof *slices; k++)
        for (size_t j = 0; j < sizeof way / sizeof *way; j++) {
            blunt b = {.radius = slices[k][1], .spacing = {0.7, 0.7, slices[k][0]}};
            const double length = sqrt(way[j][0] * way[j][0] + way[j][1] * way[j][1] + way[j][2] * way[j][2]);
            for (int a = 0; a < 3; a++)
                b.way[a] = way[j][a] / length;
            assert_true(worst_of(&b) < 4);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blunt_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
