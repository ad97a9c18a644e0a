/* SPDX-License-Identifier: Apache-2.0 */
/* verify:image-uncertainty. Does the total interval of a pressure drop, from lattice and image, contain the truth?
 * Random vessels in synthetic images with several noise levels, blurs and voxel sizes run from image to readouts
 * with three grid levels. Truth: extrapolated pressure drop of the exact shape, on lattices with a spacing 1.25
 * times finer. */
#include "common/base/file.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/run/stages.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/pressure_drops.h"
#include "pipeline/reproduce/run_outcome.h"
#include "pipeline/reproduce/speed_table.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/workers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VESSELS = 10, IMAGES = 6, TEXT = 48 };
static const double usual_across = 16, least_across = 12, finer = 1.25;
/* Scale below which the study has only one image of a straight tube, to test the study itself */
static const double few = 0.5;

/* Properties of each image: signal over noise; blur in voxels; voxels per diameter at the smallest opening; slice
 * thickness over voxel size. */
static const struct {
    double snr, blur, across, thick;
} kind[IMAGES] = {{30, 1, 6, 1}, {20, 1, 6, 1}, {10, 1, 6, 1}, {20, 2, 6, 1}, {20, 1, 6, 1.5}, {20, 1, 4.5, 1}};

typedef struct {
    const study_context *x;
    double across;
    int vessels, images;
} image_work;

/* ------------------------------------------------------------------------------------------------ one case */

/* Finds the radius of the smallest opening of a drawn vessel. */
static int narrowest_mm(const char *folder, double *radius) {
    char truth[FILE_PATH_MAX];
    speed_table t = {0};
    int rc;
    *radius = INFINITY;
    TRY(file_path(truth, sizeof truth, "%s/truth", folder));
    TRY(speed_table_read(truth, "truth.csv", &t));
    for (int row = 0; row < t.n_row; row++)
        if (file_ends_with(speed_table_word(&t, row, "name"), "_radius"))
            *radius = fmin(*radius, speed_table_number(&t, row, "value"));
cleanup:
    speed_table_free(&t);
    return rc;
}

static int solve_case(const image_work *w, const char *source, const char *name, double across, run_outcome *end,
                      pressure_drops *d) {
    study_case t = {0};
    int rc;
    study_case_create(&t, source, w->x->work, name);
    study_case_set(&t, "solve.collision", "trt");
    study_case_set(&t, "mesh.cells_per_diameter", "%g", across);
    study_case_set(&t, "mesh.grid_levels", "3");
    study_case_set(&t, "solve.tolerance", "1e-5");
    TRY(run_outcome_compute(&t, w->x->run, STAGE_POST, end));
    d->n = 0;
    if (end->exit == OK && run_outcome_is_good(end))
        TRY(pressure_drops_read(&t, d));
cleanup:
    study_case_free(&t);
    return rc;
}

static const char *vessel(const image_work *w) {
    return w->x->scale < few ? "tube" : "random";
}

static int solve_truth(const image_work *w, int seed, char *folder, run_outcome *end, pressure_drops *d) {
    char name[TEXT], number[16];
    const char *option[] = {"--kind", vessel(w), "--seed", number, "--exact", NULL};
    int rc;
    snprintf(number, sizeof number, "%d", seed);
    TRY(file_path(folder, FILE_PATH_MAX, "%s/patient-%02d", w->x->work, seed));
    TRY(draw_patient(folder, option));
    snprintf(name, sizeof name, "truth-%02d", seed);
    TRY(solve_case(w, folder, name, finer * w->across, end, d));
cleanup:
    return rc;
}

static int solve_image(const image_work *w, int seed, int k, const char *exact, run_outcome *end, pressure_drops *d) {
    char number[16], snr[16], blur[16], voxels[64], name[TEXT], folder[FILE_PATH_MAX];
    const char *option[] = {"--kind", vessel(w), "--seed",    number, "--snr",      snr,
                            "--blur", blur,      "--spacing", voxels, "--no-truth", NULL};
    double radius;
    int rc;
    TRY(narrowest_mm(exact, &radius));
    const double wide = 2 * radius / kind[k].across;
    snprintf(number, sizeof number, "%d", seed);
    snprintf(snr, sizeof snr, "%g", kind[k].snr);
    snprintf(blur, sizeof blur, "%g", kind[k].blur);
    snprintf(voxels, sizeof voxels, "%.3fx%.3fx%.3f", wide, wide, wide * kind[k].thick);
    snprintf(name, sizeof name, "image-%02d-%d", seed, k + 1);
    TRY(file_path(folder, sizeof folder, "%s/%s", w->x->work, name));
    TRY(draw_patient(folder, option));
    TRY(solve_case(w, folder, name, w->across, end, d));
cleanup:
    return rc;
}

/* ------------------------------------------------------------------------------------------- table and criteria */

typedef struct {
    int known, inside, without;
    double width[VESSELS * IMAGES];
} tally;

/* Adds a row for the largest pressure drop of the vessel. */
static void show(results *out, int seed, int k, const run_outcome *end, const pressure_drops *truth,
                 const pressure_drops *d, tally *all) {
    char image[64], word[32];
    const int most = pressure_drops_largest(truth);
    snprintf(image, sizeof image, "%g|%g|%g|%g", kind[k].snr, kind[k].blur, kind[k].across, kind[k].thick);
    const double t = truth->n > most ? truth->value_pa[most] : NAN, v = d->n > most ? d->value_pa[most] : NAN;
    if (truth->n == 0 || d->n != truth->n || !isfinite(d->total_pa[most])) {
        all->without++;
        results_row(out, "%d|%s|%s|%.4g||||no interval: %s|", seed, image, truth->n ? truth->what[most] : "-", t,
                    run_outcome_word(end, word));
        return;
    }
    const bool in = fabs(v - t) <= d->total_pa[most];
    all->inside += in;
    all->width[all->known++] = 100 * d->total_pa[most] / t;
    results_row(out, "%d|%s|%s|%.4g|%.4g|%.1f|%.1f|%s|%.1f", seed, image, truth->what[most], t, v,
                100 * d->total_pa[most] / t, 100 * (v / t - 1), in ? "yes" : "no", 100 * d->image_pa[most] / t);
}

static void judge(const study_context *x, results *out, tally *all) {
    const int n = all->known + all->without;
    qsort(all->width, (size_t)all->known, sizeof *all->width, order_double);
    const double median = all->known ? all->width[all->known / 2] : NAN;
    results_text(out,
                 "%d images, %d with an interval. %d of these contain the truth; their median half-width is %.1f %% of "
                 "the drop.",
                 n, all->known, all->inside, median);
    results_at_least(out, "images with an interval", all->known, x->scale < few ? 1 : 54);
    results_at_least(out, "part of the intervals that hold the truth (%)",
                     all->known ? 100.0 * all->inside / all->known : 0, x->scale < few ? 0 : 85);
}

/* Computes one vessel: the truth and all images. */
static int work_vessel(void *data, int k) {
    const image_work *w = data;
    char folder[FILE_PATH_MAX];
    run_outcome end;
    pressure_drops d;
    int rc;
    TRY(solve_truth(w, k + 1, folder, &end, &d));
    for (int image = 0; image < w->images; image++)
        TRY(solve_image(w, k + 1, image, folder, &end, &d));
cleanup:
    return rc;
}

int study_image_uncertainty(const study_context *x, results *out) {
    const image_work w = {x, fmax(least_across, round(usual_across * x->scale)), x->scale < few ? 1 : VESSELS,
                          x->scale < few ? 1 : IMAGES};
    tally all = {0};
    int rc = OK;
    results_text(out,
                 "Vessels of `phantom --kind random --seed N` in synthetic images: signal over noise, blur (full width "
                 "at half maximum, voxels), voxels per diameter at the smallest opening, slice over voxel size. %g "
                 "cells per diameter there, three grid levels. Half-width: `total`; `image`: part of the segmentation. "
                 "Truth: largest drop of the exact shape, extrapolated, %g times finer.",
                 w.across, finer);
    if (x->jobs > 1)
        TRY(workers_run(x->jobs, w.vessels, work_vessel, (void *)&w, x->work));
    results_table(out, "images",
                  "seed|signal over noise|blur|voxels across|slices|drop|truth (Pa)|value (Pa)|half-width (%)|off by "
                  "(%)|inside|image's part (%)");
    for (int seed = 1; seed <= w.vessels; seed++) {
        char folder[FILE_PATH_MAX];
        run_outcome end;
        pressure_drops truth, d;
        TRY(solve_truth(&w, seed, folder, &end, &truth));
        for (int k = 0; k < w.images; k++) {
            TRY(solve_image(&w, seed, k, folder, &end, &d));
            show(out, seed, k, &end, &truth, &d, &all);
        }
    }
    judge(x, out, &all);
cleanup:
    return rc;
}
