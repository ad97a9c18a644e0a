/* SPDX-License-Identifier: Apache-2.0 */
/* Narrow places by loss of signal: a bend that loses signal is found where it is and bridged to its true radius; true
 * stenoses and whole vessels give no finding. Loss on one side of the vessel is found, too. The head's carotid siphon
 * in a time-of-flight MRA (skipped where the data is absent).
 *
 * By hand: test_segment_signal_loss FIRST LAST    findings in random vessels without loss of signal, by seed */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/image_file/itk_image.h"
#include "data/phantom/scan.h"
#include "segment/bridge/signal_loss.h"
#include "segment/level_set/level_set.h"
#include "segment/output/segment_messages.h"
#include "segment/voxel/distance.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static phantom p;

/* Mean of the image 2 to 4 mm outside the vessel. */
static double tissue_signal(const volume *image) {
    double sum = 0, n = 0;
    for (int k = 0; k < image->dims[2]; k++)
        for (int j = 0; j < image->dims[1]; j++)
            for (int i = 0; i < image->dims[0]; i++) {
                double at[3];
                volume_to_lps(image, (const double[3]){i, j, k}, at);
                const double away = shape_distance_mm(&p.shape, at);
                const bool in = away > 2 && away < 4;
                n += in;
                sum += in ? (double)image->value[volume_index(image, i, j, k)] : 0;
            }
    return sum / n;
}

/* Scale the vessel's contrast to `part` at the middle of branch 0, over half a length of 1.2 radii (Gaussian). */
static void lose_signal(double part, bool one_side, volume *image) {
    const phantom_branch *b = &p.branch[0];
    const double wide = 1.2 * b->radius_mm;
    double axis[3][3];
    vec_axes(b->direction, axis);
    const float tissue = (float)tissue_signal(image);
    for (int k = 0; k < image->dims[2]; k++)
        for (int j = 0; j < image->dims[1]; j++)
            for (int i = 0; i < image->dims[0]; i++) {
                double at[3], along = 0, across = 0;
                volume_to_lps(image, (const double[3]){i, j, k}, at);
                if (vec_distance(at, b->middle_mm) > 6 * b->radius_mm)
                    continue;
                for (int a = 0; a < 3; a++)
                    along += (at[a] - b->middle_mm[a]) * b->direction[a],
                        across += (at[a] - b->middle_mm[a]) * axis[0][a];
                if (one_side && across < 0)
                    continue;
                float *f = &image->value[volume_index(image, i, j, k)];
                const float lost = (float)((1 - part) * exp(-along * along / (2 * wide * wide)));
                *f -= fmaxf(0, *f - tissue) * lost;
            }
}

/* Segment an image between openings and find losses. level: phi. */
static int find(const volume *image, int n_seed, const double (*seed)[3], int n_opening, const double (*opening)[3],
                const double (*normal)[3], signal_losses *l, volume *phi, volume *bridged) {
    level_set_options o = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN};
    volume level = {0};
    surface wall = {0};
    level_set_report report;
    int rc = OK;
    status_clear();
    o.n_opening = n_opening, o.opening_mm = opening, o.opening_normal = normal;
    TRY(level_set_run(image, n_seed, seed, &o, &level, &report));
    TRY(distance_rebuild(&level, 6, &wall, phi));
    TRY(signal_loss_find(image, phi, &report.seeds, n_opening, opening, l, bridged));
cleanup:
    if (rc != OK)
        print_message("%s\n", status_message());
    surface_free(&wall);
    volume_free(&level);
    return rc;
}

/* Findings in a phantom of n voxels per radius at the narrowest opening, without or with a loss of signal (part < 1).
 * */
static int run(int kind, uint64_t seed, double voxels, double part, bool one_side, signal_losses *l, volume *phi,
               volume *bridged) {
    double point[PHANTOM_MAX_BRANCHES][3], opening[PHANTOM_MAX_OPENINGS][3], normal[PHANTOM_MAX_OPENINGS][3], h;
    volume image;
    assert_int_equal(phantom_make_seeded(kind, seed, 1, &p), OK);
    h = INFINITY;
    for (int k = 0; k < p.n_opening; k++) {
        memcpy(opening[k], p.opening[k].point_mm, sizeof opening[k]);
        memcpy(normal[k], p.opening[k].normal, sizeof normal[k]);
        h = fmin(h, p.opening[k].radius_mm / voxels);
    }
    const scan_settings settings = {
        .spacing_mm = {h, h, h}, .margin_mm = 10 * h, .blur = 1, .snr = 20, .seed = seed, .bias = 0};
    assert_int_equal(scan_grid(&p, &settings, &image), OK);
    assert_int_equal(scan_image(&p, &settings, &image), OK);
    if (part < 1)
        lose_signal(part, one_side, &image);
    for (int k = 0; k < p.n_branch && k < PHANTOM_MAX_BRANCHES; k++) {
        const phantom_branch *b = &p.branch[k];
        memcpy(point[k], part < 1 ? p.segment[b->first + b->count / 5].a : b->middle_mm, sizeof point[k]);
    }
    const int rc = find(&image, p.n_branch, (const double(*)[3])point, p.n_opening, (const double(*)[3])opening,
                        (const double(*)[3])normal, l, phi, bridged);
    volume_free(&image);
    for (int k = 0; rc == OK && k < l->n; k++)
        print_message("%s %d: radius %.2f of %.2f mm over %.1f mm, signal %.2f, at [%.1f %.1f %.1f], %.1f mm along\n",
                      phantom_name(kind), (int)seed, l->found[k].radius_mm, l->found[k].vessel_mm,
                      l->found[k].length_mm, l->found[k].signal, l->found[k].point_mm[0], l->found[k].point_mm[1],
                      l->found[k].point_mm[2], l->found[k].along_mm);
    return rc;
}

/* Largest distance of phi's wall from the true one inwards near a place: mean of the missing radius over the section.
 * */
static double missing_mm(const volume *phi) {
    const phantom_branch *b = &p.branch[0];
    double axis[3][3], sum = 0;
    vec_axes(b->direction, axis);
    for (int r = 0; r < 48; r++) {
        const double angle = 2 * M_PI * r / 48;
        double far = 0;
        for (; far < 2 * b->radius_mm; far += 0.02) {
            double at[3];
            vec_add(b->middle_mm, far * cos(angle), axis[0], at);
            vec_add(at, far * sin(angle), axis[1], at);
            if (!volume_contains(phi, at) || volume_sample(phi, at) > 0)
                break;
        }
        sum += far / 48;
    }
    return b->radius_mm - sum;
}

static void bend(void **state) {
    (void)state;
    signal_losses l;
    volume phi = {0}, bridged = {0};
    assert_int_equal(run(PHANTOM_CURVED, 1, 4, 0.3, false, &l, &phi, &bridged), OK);
    const double radius = p.branch[0].radius_mm, before = missing_mm(&phi), after = missing_mm(&bridged);
    print_message("bend: %.2f mm of %.2f mm missing, bridged %.2f mm\n", before, radius, after);
    assert_int_equal(l.n, 1);
    assert_true(vec_distance(l.found[0].point_mm, p.branch[0].middle_mm) < 1.5 * radius);
    assert_true(fabs(l.found[0].vessel_mm / radius - 1) < 0.1);
    assert_true(l.found[0].signal < 0.6);
    assert_true(before > 0.2 * radius);
    assert_true(fabs(after) < 0.1 * radius);
    /* half of the vessel from an opening */
    double length = 0;
    for (int k = 0; k < p.branch[0].count; k++)
        length += vec_distance(p.segment[p.branch[0].first + k].a, p.segment[p.branch[0].first + k].b);
    assert_true(l.found[0].opening >= 0);
    assert_true(l.found[0].along_mm > 0.2 * length && l.found[0].along_mm < 0.7 * length);
    volume_free(&phi);
    volume_free(&bridged);
}

/* Loss of signal in one half of the cross-section: the middle of the lumen that remains has the full signal. */
static void one_side(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        signal_losses l;
        volume phi = {0}, bridged = {0};
        assert_int_equal(run(k == 0 ? PHANTOM_TUBE : PHANTOM_CURVED, 1, 4, 0.3, true, &l, &phi, &bridged), OK);
        const double radius = p.branch[0].radius_mm, missing = missing_mm(&phi), after = missing_mm(&bridged);
        print_message("one side: %.2f mm of %.2f mm missing, bridged %.2f mm\n", missing, radius, after);
        assert_true(fabs(after) < 0.12 * radius && l.found[0].one_side);
        assert_true(missing > 0.2 * radius);
        assert_int_equal(l.n, 1);
        assert_true(vec_distance(l.found[0].point_mm, p.branch[0].middle_mm) < 1.5 * radius);
        volume_free(&phi);
        volume_free(&bridged);
    }
}

static void assert_none(int kind, uint64_t seed, double voxels) {
    signal_losses l;
    volume phi = {0}, bridged = {0};
    assert_int_equal(run(kind, seed, voxels, 1, false, &l, &phi, &bridged), OK);
    assert_int_equal(l.n, 0);
    assert_null(bridged.value);
    volume_free(&phi);
}

static void whole_bend(void **state) {
    (void)state;
    assert_none(PHANTOM_CURVED, 1, 4);
}

/* 64 % of the area, well and badly resolved, and in a carotid. */
static void stenosis(void **state) {
    (void)state;
    assert_none(PHANTOM_STENOSIS, 1, 5);
    assert_none(PHANTOM_STENOSIS, 1, 2.5);
    assert_none(PHANTOM_CAROTID, 1, 3);
}

/* Radius of the largest ball of the lumen with its center within 1 mm. */
static double widest_mm(const volume *phi, const double near[3]) {
    double most = 0;
    for (int i = 0; i < 11 * 11 * 11; i++) {
        const double at[3] = {near[0] + 0.2 * (i % 11 - 5), near[1] + 0.2 * (i / 11 % 11 - 5),
                              near[2] + 0.2 * (i / 121 - 5)};
        most = fmax(most, volume_contains(phi, at) ? -volume_sample(phi, at) : 0);
    }
    return most;
}

static void siphon(void **state) {
    (void)state;
    const char *path = PORTAFLOW_DATA_DIR "/head_mra/chris_MRA.nii.gz";
    const double seed[1][3] = {{9.6, -35, -18.7}}, opening[2][3] = {{28.2, -17, -34}, {13.5, -38.2, -3.5}},
                 place[3] = {9.3, -42.2, -13.8};
    signal_losses l;
    volume image, phi = {0}, bridged = {0};
    bool found = false;
    if (access(path, R_OK) != 0) {
        print_message("skipped: no research data at %s\n", path);
        skip();
    }
    assert_int_equal(image_read(path, NULL, &image), OK);
    assert_int_equal(find(&image, 1, seed, 2, opening, NULL, &l, &phi, &bridged), OK);
    for (int k = 0; k < l.n; k++) {
        const signal_loss *f = &l.found[k];
        print_message("siphon: radius %.2f of %.2f mm, signal %.2f, at [%.1f %.1f %.1f]\n", f->radius_mm, f->vessel_mm,
                      f->signal, f->point_mm[0], f->point_mm[1], f->point_mm[2]);
        if (vec_distance(f->point_mm, place) > 2)
            continue;
        found = true;
        assert_true(f->radius_mm < 1.0 && f->vessel_mm > 1.4 && f->signal < 0.8);
        print_message("siphon: radius %.2f mm, bridged %.2f mm\n", widest_mm(&phi, f->point_mm),
                      widest_mm(&bridged, f->point_mm));
        assert_true(widest_mm(&phi, f->point_mm) < 1.25);
        assert_true(widest_mm(&bridged, f->point_mm) > 1.4);
    }
    assert_true(found);
    volume_free(&image);
    volume_free(&phi);
    volume_free(&bridged);
}

static int by_hand(char **argv) {
    int n = 0;
    for (long seed = strtol(argv[1], NULL, 10); seed <= strtol(argv[2], NULL, 10); seed++) {
        signal_losses l = {0};
        volume phi = {0};
        n += run(PHANTOM_RANDOM, (uint64_t)seed, 3, 1, false, &l, &phi, NULL) == OK && l.n > 0;
        print_message("random %ld: %d stenoses, largest %.0f %%: %d findings\n", seed, p.features.n_stenosis,
                      p.features.stenosis_percent, l.n);
        volume_free(&phi);
    }
    return n > 0;
}

/* The sentence tells a gap from a narrow place, in both settings of bridge_signal_loss. */
static void sentences(void **state) {
    (void)state;
    char text[1000];
    case_opening opening = {.name = "IN"};
    case_file c = {.space = SPACE_LPS, .n_opening = 1, .opening = &opening};
    signal_loss f = {.length_mm = 2.1, .along_mm = 5, .vessel_mm = 2.5, .signal = 0.4};
    segment_messages_signal_loss(&c, &f, sizeof text, text);
    assert_non_null(
        strstr(text, "5 mm along the vessel from opening 'IN', the lumen is interrupted over a length of 2.1"));
    assert_non_null(strstr(text, "remove the openings behind the gap"));
    assert_null(strstr(text, "radius of 0"));
    f.radius_mm = 1.3;
    segment_messages_signal_loss(&c, &f, sizeof text, text);
    assert_non_null(strstr(text, "narrows to a radius of 1.3 mm over a length of 2.1 mm"));
    assert_non_null(strstr(text, "contrast there, but the bright region is as wide as the vessel"));
    f.one_side = true;
    segment_messages_signal_loss(&c, &f, sizeof text, text);
    assert_non_null(strstr(text, "contrast at one side of the lumen"));
    c.segment.bridge_signal_loss = true;
    segment_messages_signal_loss(&c, &f, sizeof text, text);
    assert_non_null(strstr(text, "replaced the narrow lumen by a tube"));
    f.radius_mm = f.length_mm = 0;
    segment_messages_signal_loss(&c, &f, sizeof text, text);
    assert_non_null(strstr(text, "closed the gap by a tube"));
    assert_null(strstr(text, " 0 mm"));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bend),       cmocka_unit_test(one_side),
                                       cmocka_unit_test(whole_bend), cmocka_unit_test(stenosis),
                                       cmocka_unit_test(siphon),     cmocka_unit_test(sentences)};
    message_init("test", false);
    return argc > 2 ? by_hand(argv) : cmocka_run_group_tests(tests, NULL, NULL);
}
