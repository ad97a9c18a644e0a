/* SPDX-License-Identifier: Apache-2.0 */
/* verify:image-uncertainty. Does the total interval of a pressure drop, from lattice and image, contain the truth?
 * Random vessels in synthetic images with several noise levels, blurs and voxel sizes run from image to readouts
 * with three grid levels. Truth: extrapolated pressure drop of the exact shape, on lattices with a spacing 1.25
 * times finer. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/readings.h"
#include "pipeline/reproduce/run_outcome.h"
#include "pipeline/reproduce/workers.h"
#include "pipeline/run/stages.h"
#include <math.h>

enum { VESSELS = 10, IMAGES = 6 };
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
    const char *vessel; /* kind of the vessel that phantom draws */
} image_work;

/* ------------------------------------------------------------------------------------------------ one case */

/* Radius of the smallest opening of a drawn vessel. */
static double narrowest_mm(const image_work *w, const char *folder) {
    study_table t = {0};
    double radius = INFINITY;
    if (w->x->page->error == OK)
        results_fail(w->x->page, study_table_read(results_format(w->x->page, "%s/truth", folder), "truth.csv", &t));
    for (int row = 0; row < t.n_row; row++)
        if (file_ends_with(study_table_word(&t, row, "name"), "_radius"))
            radius = fmin(radius, study_table_number(&t, row, "value"));
    study_table_free(&t);
    return radius;
}

/* Draws a patient with these options and solves it. */
static void solve_drawn(const image_work *w, const char *folder, const char *const *option, const char *name,
                        double across, run_outcome *end, readings *d) {
    study_case t;
    draw_patient(w->x, folder, option);
    study_case_open(&t, w->x, folder, "%s", name);
    study_case_set(&t, "solve.collision", "trt");
    study_case_set(&t, "mesh.cells_per_diameter", "%g", across);
    study_case_set(&t, "mesh.grid_levels", "3");
    study_case_set(&t, "solve.tolerance", "1e-5");
    run_outcome_compute(&t, STAGE_POST, end);
    d->n = d->n_drop = 0;
    if (end->exit == OK && run_outcome_is_good(end))
        readings_read(&t, d);
    study_case_close(&t);
}

/* Solves the exact shape of the vessel; returns its folder. */
static const char *solve_truth(const image_work *w, int seed, run_outcome *end, readings *d) {
    results *r = w->x->page;
    const char *folder = results_format(r, "%s/patient-%02d", w->x->work, seed);
    const char *option[] = {"--kind", w->vessel, "--seed", results_format(r, "%d", seed), "--exact", NULL};
    solve_drawn(w, folder, option, results_format(r, "truth-%02d", seed), finer * w->across, end, d);
    return folder;
}

static void solve_image(const image_work *w, int seed, int k, const char *exact, run_outcome *end, readings *d) {
    results *r = w->x->page;
    const double wide = 2 * narrowest_mm(w, exact) / kind[k].across;
    const char *name = results_format(r, "image-%02d-%d", seed, k + 1);
    const char *option[] = {"--kind",     w->vessel,
                            "--seed",     results_format(r, "%d", seed),
                            "--snr",      results_format(r, "%g", kind[k].snr),
                            "--blur",     results_format(r, "%g", kind[k].blur),
                            "--spacing",  results_format(r, "%.3fx%.3fx%.3f", wide, wide, wide * kind[k].thick),
                            "--no-truth", NULL};
    solve_drawn(w, results_format(r, "%s/%s", w->x->work, name), option, name, w->across, end, d);
}

/* ------------------------------------------------------------------------------------------- table and criteria */

/* Adds a row for the largest pressure drop of the vessel. */
static void show(results *out, int seed, int k, const run_outcome *end, const readings *truth, const readings *d,
                 readings_tally *all) {
    char word[32];
    const int most = readings_largest_drop(truth);
    const char *image = results_format(out, "%g|%g|%g|%g", kind[k].snr, kind[k].blur, kind[k].across, kind[k].thick);
    const reading *exact = &truth->r[most], *found = &d->r[most];
    const double t = truth->n_drop > most ? exact->value : NAN, v = d->n_drop > most ? found->value : NAN;
    const double half = truth->n_drop > 0 && d->n_drop == truth->n_drop ? found->total : NAN;
    const bool in = readings_tally_add(all, v, t, half);
    if (!isfinite(half))
        results_row(out, "%d|%s|%s|%.4g||||no interval: %s|", seed, image, truth->n_drop ? exact->what : "-", t,
                    run_outcome_word(end, word));
    else
        results_row(out, "%d|%s|%s|%.4g|%.4g|%.1f|%.1f|%s|%.1f", seed, image, exact->what, t, v, 100 * half / t,
                    100 * (v / t - 1), in ? "yes" : "no", 100 * found->image / t);
}

static void judge(const study_context *x, results *out, readings_tally *all) {
    results_text(out,
                 "%d images, %d with an interval. %d of these contain the truth; their median half-width is %.1f %% of "
                 "the drop.",
                 all->known + all->without, all->known, all->inside, readings_tally_median(all));
    results_at_least(out, "images with an interval", all->known, x->scale < few ? 1 : 54);
    results_at_least(out, "part of the intervals that hold the truth (%)", readings_tally_inside(all),
                     x->scale < few ? 0 : 85);
}

/* Computes one vessel, the truth and all images, and writes its rows; all NULL: no rows. */
static void compute_vessel(const image_work *w, int seed, readings_tally *all) {
    run_outcome end;
    readings truth, d;
    const char *folder = solve_truth(w, seed, &end, &truth);
    for (int k = 0; k < w->images; k++) {
        solve_image(w, seed, k, folder, &end, &d);
        if (all)
            show(w->x->page, seed, k, &end, &truth, &d, all);
    }
}

static int work_vessel(void *data, int k) {
    const image_work *w = data;
    compute_vessel(w, k + 1, NULL);
    return study_take_error(w->x);
}

int study_image_uncertainty(const study_context *x, results *out) {
    image_work w = {x, fmax(least_across, round(usual_across * x->scale)), VESSELS, IMAGES, "random"};
    readings_tally all = {0};
    if (x->scale < few) {
        w.vessels = w.images = 1;
        w.vessel = "tube";
    }
    results_text(out,
                 "Vessels of `phantom --kind random --seed N` in synthetic images: signal over noise, blur (full width "
                 "at half maximum, voxels), voxels per diameter at the smallest opening, slice over voxel size. %g "
                 "cells per diameter there, three grid levels. Half-width: `total`; `image`: part of the segmentation. "
                 "Truth: largest drop of the exact shape, extrapolated, %g times finer.",
                 w.across, finer);
    if (x->jobs > 1)
        results_fail(out, workers_run(x->jobs, w.vessels, work_vessel, &w, x->work));
    results_table(out, "images",
                  "seed|signal over noise|blur|voxels across|slices|drop|truth (Pa)|value (Pa)|half-width (%)|off by "
                  "(%)|inside|image's part (%)");
    for (int seed = 1; seed <= w.vessels; seed++)
        compute_vessel(&w, seed, &all);
    judge(x, out, &all);
    return out->error;
}
