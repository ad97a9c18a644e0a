/* SPDX-License-Identifier: Apache-2.0 */
/* The level set on research images against lumens made by others (skipped where the data is absent): agreement printed.
 *
 * - aorta: the surface of VMTK's tutorial, made by its own level sets from the same image (RAS)
 * - avf: a surface of the fistula of unknown making (RAS)
 * - abdomen: a mask, and the image itself, in slices of 7.7 mm
 * - siphon: a stretch of a carotid artery in head_mra is blanked
 * References end where their makers stopped; what lies further than 6 mm along the vessel is not counted. */
#include "common/case/case.h"
#include "common/base/file.h"
#include "common/base/order.h"
#include "common/image_file/itk_image.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/voxel/distance.h"
#include "segment/import/given_surface.h"
#include "segment/voxel/region.h"
#include "segment/segment.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/record/json.h"
#include "tests/unit/segment/coverage.h"
#include "tests/unit/temp.h"

static void need(const char *path) {
    if (access(path, R_OK) != 0) {
        print_message("skipped: no research data at %s\n", path);
        skip();
    }
}

/* Run a case of tests/real; phi of the lumen. */
static volume run_case(const char *name) {
    char path[512], out[300];
    volume phi;
    snprintf(path, sizeof path, PORTAFLOW_SOURCE_DIR "/tests/real/%s/case.yaml", name);
    snprintf(out, sizeof out, "%s", temp_path(name));
    char *argv[] = {"segment", "--case", path, "--out", out};
    const segment_options o = {path, out, 5, argv};
    status_clear();
    int rc = segment_run(&o);
    if (rc != OK)
        print_message("%s\n", status_message());
    assert_int_equal(rc, OK);
    snprintf(path, sizeof path, "%s/phi.nii.gz", out);
    assert_int_equal(image_read(path, NULL, &phi), OK);
    return phi;
}

typedef struct {
    double dice, mean_mm, p95_mm, ours_ml, theirs_ml; /* volumes within low..high */
    double covered; /* part of the reference's wall, by area, in the 95 % interval of ours */
} agreement;

/* Where the reference is compared: next to voxels between the openings, in a box. */
typedef struct {
    const volume *reference;
    const uint8_t *mask;
    const double *low, *high;
} compared;

static bool is_compared(const double p[3], const void *with) {
    const compared *c = with;
    double index[3];
    volume_to_index(c->reference, p, index);
    bool in = false;
    for (int corner = 0; corner < 8; corner++) /* a voxel beside it is between the openings */
        in = in || c->mask[volume_index(c->reference, (int)index[0] + corner % 2, (int)index[1] + corner / 2 % 2,
                                        (int)index[2] + corner / 4)];
    for (int a = 0; a < 3; a++)
        in = in && p[a] >= c->low[a] && p[a] <= c->high[a];
    return in;
}

/* The interval in the segment.json of run_case. */
static wall_uncertainty read_interval(const char *name) {
    char path[512];
    cJSON *record = NULL;
    snprintf(path, sizeof path, "%s/segment.json", temp_path(name));
    assert_int_equal(json_read(path, &record), OK);
    const cJSON *o = json_find(record, "result"), *part = json_find(o, "wall_uncertainty_parts_mm");
    wall_uncertainty e = wall_uncertainty_unknown();
    e.measured_mm = json_get_number(part, "measured");
    e.threshold_mm = json_get_number(part, "threshold");
    e.resolution_mm = json_get_number(part, "resolution");
    e.uncertainty_mm = json_get_number(o, "wall_uncertainty_mm");
    e.shift_mm = json_get_number(o, "wall_shift_uncertainty_mm");
    cJSON_Delete(record);
    return e;
}

static double at(const volume *phi, const double p[3]) {
    return volume_contains(phi, p) ? volume_sample(phi, p) : 10;
}

/* What a flood from the middle of the seed's vessel reaches through voxels inside either lumen without passing an
 * opening of the case: discs of 1.5 voxels and 2.5 radii. mask [voxels of reference]. */
static void between_openings(const char *name, const volume *phi, const volume *reference, uint8_t *mask) {
    char path[512];
    case_file c;
    volume either;
    int64_t count;
    double seed[3], index[3];
    int start[1][3];
    snprintf(path, sizeof path, PORTAFLOW_SOURCE_DIR "/tests/real/%s/case.yaml", name);
    assert_int_equal(case_read(path, CASE_LUMEN, &c), OK);
    assert_int_equal(volume_create_like(&either, reference), OK);
    const double thick = 1.5 * reference->spacing_mm[0];
    for (int k = 0; k < reference->dims[2]; k++)
        for (int j = 0; j < reference->dims[1]; j++)
            for (int i = 0; i < reference->dims[0]; i++) {
                double p[3], point[3];
                const size_t here = volume_index(reference, i, j, k);
                volume_to_lps(reference, (const double[3]){i, j, k}, p);
                either.value[here] = reference->value[here] < 0 || at(phi, p) < 0;
                for (int n = 0; n < c.n_opening; n++) {
                    double away = 0;
                    case_point_lps(&c, c.opening[n].point, NULL, point);
                    for (int a = 0; a < 3; a++)
                        away += (p[a] - point[a]) * (p[a] - point[a]);
                    /* no normal is given: a ball is in the way as well as a disc, when it is as wide as the vessel */
                    either.value[here] = sqrt(away) < 3 * thick + 2.5 ? 0 : either.value[here];
                }
            }
    case_point_lps(&c, c.segment.seed[0], NULL, seed);
    volume_to_index(reference, seed, index);
    for (int a = 0; a < 3; a++)
        start[0][a] = (int)lround(index[a]);
    assert_int_equal(region_grow(&either, 0.5, 2, 1, (const int(*)[3])start, mask, &count), OK);
    assert_true(count > 1000);
    volume_free(&either);
    case_free(&c);
}

/* Dice over voxels between the openings, and the distance of the reference's wall to ours, both within low..high. */
static agreement compare(const char *name, const volume *phi, const surface *wall, const volume *reference,
                         const double low[3], const double high[3]) {
    agreement a = {0};
    double both = 0, ours = 0, theirs = 0;
    uint8_t *mask = malloc(volume_size(reference));
    assert_non_null(mask);
    between_openings(name, phi, reference, mask);
    for (int k = 0; k < reference->dims[2]; k++)
        for (int j = 0; j < reference->dims[1]; j++)
            for (int i = 0; i < reference->dims[0]; i++) {
                double p[3];
                volume_to_lps(reference, (const double[3]){i, j, k}, p);
                bool in = mask[volume_index(reference, i, j, k)];
                for (int n = 0; n < 3; n++)
                    in = in && p[n] >= low[n] && p[n] <= high[n];
                if (!in)
                    continue;
                bool t = reference->value[volume_index(reference, i, j, k)] < 0, o = at(phi, p) < 0;
                both += t && o, ours += o, theirs += t;
            }
    a.dice = 2 * both / (ours + theirs);
    double voxel_ml = reference->spacing_mm[0] * reference->spacing_mm[1] * reference->spacing_mm[2] / 1000;
    a.ours_ml = ours * voxel_ml;
    a.theirs_ml = theirs * voxel_ml;
    double *d = malloc((size_t)wall->n_point * sizeof *d);
    int64_t n = 0;
    const compared where = {reference, mask, low, high};
    for (int64_t i = 0; i < wall->n_point; i++)
        if (is_compared(wall->point_mm + 3 * i, &where))
            d[n++] = fabs(at(phi, wall->point_mm + 3 * i));
    for (int64_t i = 0; i < n; i++)
        a.mean_mm += d[i] / (double)n;
    qsort(d, (size_t)n, sizeof *d, order_double);
    a.p95_mm = d[n * 95 / 100];
    const wall_uncertainty e = read_interval(name);
    coverage c = coverage_measure(phi, wall, is_compared, &where);
    a.covered = coverage_print(name, &c, &e);
    coverage_free(&c);
    free(d);
    free(mask);
    return a;
}

static agreement against_surface(const char *name, const char *file, double spacing, const double low[3],
                                 const double high[3]) {
    surface wall = {0};
    volume reference = {0}, phi = run_case(name);

    given_surface_report report;
    int rc = given_surface_read(file, 1, 1, spacing, NULL, &wall, &reference, &report);
    if (rc != OK)
        print_message("%s\n", status_message());
    assert_int_equal(rc, OK);
    agreement a = compare(name, &phi, &wall, &reference, low, high);
    print_message("%s against %s: Dice %.4f, wall off by %.3f mm (mean), %.3f mm (95 %%), volume %.3g mL of %.3g mL\n",
                  name, file_name(file), a.dice, a.mean_mm, a.p95_mm, a.ours_ml, a.theirs_ml);
    surface_free(&wall);
    volume_free(&reference);
    volume_free(&phi);
    return a;
}

static void aorta(void **state) {
    (void)state;
    const char *file = PORTAFLOW_DATA_DIR "/vmtk_aorta_mra/aorta-surface.vtp";
    const double low[3] = {-1e3, -170, -1e3}, high[3] = {1e3, -104, 1e3}; /* the reference: y -181.6 .. -97.7 */
    need(file);
    agreement a = against_surface("aorta", file, 0.6, low, high);
    assert_true(a.dice > 0.93 && a.mean_mm < 0.6 && a.covered >= 0.9); /* voxels of 0.88 x 0.88 x 1.5 mm */
}

static void avf(void **state) {
    (void)state;
    const char *file = PORTAFLOW_DATA_DIR "/fnndsc_avf_mra/avf.vtk";
    const double low[3] = {-1e3, -1e3, -1e3}, high[3] = {1e3, 1e3, 1e3};
    need(file);
    agreement a = against_surface("avf", file, 0.3, low, high);
    assert_true(a.dice > 0.85 && a.mean_mm < 0.5 && a.covered >= 0.9);
}

/* Slices of 7.7 mm: the mask's volume to 2 %. */
static void abdomen(void **state) {
    (void)state;
    const char *file = PORTAFLOW_DATA_DIR "/abdomen_mr_t2spir/label_1.nii.gz";
    volume label = {0};
    double mask = 0, ours = 0;
    need(file);
    volume phi = run_case("abdomen");
    assert_int_equal(image_read(file, NULL, &label), OK);
    for (size_t i = 0; i < volume_size(&label); i++)
        mask += label.value[i] > 1.5F && label.value[i] < 2.5F;
    for (size_t i = 0; i < volume_size(&phi); i++)
        ours += phi.value[i] < 0;
    mask *= label.spacing_mm[0] * label.spacing_mm[1] * label.spacing_mm[2] / 1000;
    ours *= phi.spacing_mm[0] * phi.spacing_mm[1] * phi.spacing_mm[2] / 1000;
    print_message("abdomen, %.1f mm slices: %.2f mL of the mask's %.2f mL, voxels of %.2f mm\n", label.spacing_mm[2],
                  ours, mask, phi.spacing_mm[2]);
    assert_true(label.spacing_mm[2] > 7 && fabs(ours / mask - 1) < 0.02);
    volume_free(&label);
    volume_free(&phi);
}

/* Area inside the level set, and of the image above half its height, in a disc of 11 mm in slice k, mm2. */
static void slice_areas(const volume *phi, const volume *image, const double seed[3], int k, double *ours,
                        double *bright) {
    const double step = 0.2, half = 540; /* blood 830, around it 250 */
    *ours = *bright = 0;
    for (double x = -11; x <= 11; x += step)
        for (double y = -11; y <= 11; y += step) {
            double p[3];
            if (x * x + y * y > 11 * 11)
                continue;
            volume_to_lps(
                image, (const double[3]){seed[0] + x / image->spacing_mm[0], seed[1] + y / image->spacing_mm[1], k}, p);
            *ours += (at(phi, p) < 0) * step * step;
            *bright += (volume_sample(image, p) > half) * step * step;
        }
}

/* Slices of 7.7 mm, level set: in each slice the vessel is as large as where the image falls to half. */
static void thick_slices(void **state) {
    (void)state;
    const char *file = PORTAFLOW_DATA_DIR "/abdomen_mr_t2spir/image_1.nii.gz";
    const double seed[3] = {132.8, 149.5, 8};
    volume image = {0};
    need(file);
    volume phi = run_case("abdomen-aorta");
    assert_int_equal(image_read(file, NULL, &image), OK);
    for (int k = 6; k <= 12; k += 2) {
        double ours, bright;
        slice_areas(&phi, &image, seed, k, &ours, &bright);
        print_message("abdomen, slice %d: %.0f mm2, at half height %.0f mm2\n", k, ours, bright);
        assert_true(bright > 150 && fabs(ours / bright - 1) < 0.06);
    }
    volume_free(&image);
    volume_free(&phi);
}

/* A ball of 2.65 mm in the carotid siphon, whose radius is 2 mm, with the intensity and the noise of the tissue. */
static void blank_siphon(const char *path) {
    const double centre[3] = {8.9, -41.5, -14.2};
    volume image = {0};
    uint32_t seed = 7;
    assert_int_equal(image_read(path, NULL, &image), OK);
    for (int k = 0; k < image.dims[2]; k++)
        for (int j = 0; j < image.dims[1]; j++)
            for (int i = 0; i < image.dims[0]; i++) {
                double p[3], noise = 0;
                volume_to_lps(&image, (const double[3]){i, j, k}, p);
                for (int a = 0; a < 3; a++)
                    p[a] -= centre[a];
                if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 2.65 * 2.65)
                    continue;
                for (int n = 0; n < 4; n++) { /* standard deviation 7 */
                    seed = seed * 1664525U + 1013904223U;
                    noise += 12 * ((seed >> 8) / 16777216.0 - 0.5);
                }
                image.value[volume_index(&image, i, j, k)] = (float)fmax(0, 19 + noise);
            }
    assert_int_equal(image_write(temp_path("siphon.nii.gz"), &image, IMAGE_UINT8), OK);
    volume_free(&image);
}

/* A stretch of the siphon without signal is refused, and bridged only by segment.bridge_signal_loss. */
static void siphon(void **state) {
    (void)state;
    const char *file = PORTAFLOW_DATA_DIR "/head_mra/chris_MRA.nii.gz";
    char path[512], out[300];
    need(file);
    blank_siphon(file);
    snprintf(path, sizeof path, "%s", temp_path("siphon.yaml"));
    snprintf(out, sizeof out, "%s", temp_path("siphon"));
    for (int bridged = 0; bridged < 2; bridged++) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fprintf(f,
                "name: siphon\nspace: LPS\nimage: {path: siphon.nii.gz}\n"
                "segment:\n  bridge_signal_loss: %s\n  seeds: [[9.6, -35, -18.7], [8.39, -39.38, -6.83]]\n"
                "openings:\n  - {name: IN, role: inlet, point: [28.2, -17, -34], normal: auto, flow: 4 mL/s}\n"
                "  - {name: OUT, role: outlet, point: [13.5, -38.2, -3.5], normal: auto, pressure: 0 mmHg}\n",
                bridged ? "true" : "false");
        fclose(f);
        char *argv[] = {"segment", "--case", path, "--out", out};
        const segment_options o = {path, out, 5, argv};
        status_clear();
        const int rc = segment_run(&o);
        print_message("%s\n", status_message());
        assert_int_equal(rc, bridged ? OK : ERR_NUMERIC);
        if (!bridged)
            assert_non_null(strstr(status_message(), "the lumen is interrupted between"));
    }
    cJSON *record = NULL;
    snprintf(path, sizeof path, "%s/segment.json", out);
    assert_int_equal(json_read(path, &record), OK);
    assert_int_equal(cJSON_GetArraySize(json_find(json_find(record, "result"), "bridged_gaps")), 1);
    cJSON_Delete(record);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(aorta), cmocka_unit_test(avf), cmocka_unit_test(abdomen),
                                       cmocka_unit_test(thick_slices), cmocka_unit_test(siphon)};
    (void)argv;
    message_init("test", argc > 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
