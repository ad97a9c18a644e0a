/* SPDX-License-Identifier: Apache-2.0 */
/* shang2023:stages. The parametric study that the paper announces: portal pressure gradient (PPG) against permeability
 * and porosity of the sinusoids, size of the lobules and stage. PPG = drop of the portal tree + R_portal Q. The drop is
 * computed in CT phantoms (`phantom --scanner ct-portal`, seeds 1 to 20) from image to readout, R_portal follows from
 * the lobule law (common/liver/lobule_law.h). The drop of a tree is taken as proportional to viscosity and to the
 * inflow to the power of 1.5 (solve/start/finest_level.c). All ranges are uniform and independent. */
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/liver/lobule_law.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce/workers.h"
#include "pipeline/reproduce_cohorts/sobol.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TREES = 20, SETS = 32768, CURVE = 13, DRAWN = 2001 };
enum parameter { PERMEABILITY, POROSITY, LOBULE, VEIN, VOLUME, ARTERY, INFLOW, VISCOSITY, TREE, STAGE, PARAMETERS };

static const char *const parameter_name[PARAMETERS] = {"permeability of the sinusoids",
                                                       "porosity, relative to the specimen",
                                                       "radius of the lobule",
                                                       "radius of the central vein",
                                                       "volume of the liver",
                                                       "arterial share",
                                                       "portal inflow",
                                                       "viscosity of blood",
                                                       "portal tree",
                                                       "stage"};

enum range { OF_VOLUME, OF_INFLOW, OF_VISCOSITY, OF_POROSITY, RANGES };

static const double drop_power = 1.5;

typedef struct {
    /* Ranges of ranges.csv: mL, L/min, mPa s, 1. The permeability is proportional to the porosity, as in parallel
     * capillaries of equal width. */
    lobule_quantity range[RANGES];
    int n_tree;
    double drop_mmhg[TREES]; /* drop of each tree at the middle of the ranges of inflow and viscosity */
    int stage;               /* 0 healthy, 1 cirrhosis, -1: the parameter STAGE decides */
} liver_study;

/* Value at a place of the range q.value +- q.error. */
static double at(lobule_quantity q, double place) {
    return q.value + (2 * place - 1) * q.error;
}

/* PPG in mmHg of one set of parameters. */
static double gradient_mmhg(const void *data, const double *place) {
    const liver_study *s = data;
    const bool cirrhosis = s->stage < 0 ? place[STAGE] >= 0.5 : s->stage == 1;
    const lobule_liver range = lobule_default_liver(cirrhosis ? LOBULE_CIRRHOSIS : LOBULE_HEALTHY);
    const lobule_quantity *given = s->range;
    const double inflow = at(given[OF_INFLOW], place[INFLOW]), viscosity = at(given[OF_VISCOSITY], place[VISCOSITY]),
                 porosity = at(given[OF_POROSITY], place[POROSITY]);
    const lobule_liver liver = {.volume_ml = {at(given[OF_VOLUME], place[VOLUME]), 0},
                                .radius_mm = {at(range.radius_mm, place[LOBULE]), 0},
                                .vein_radius_mm = {at(range.vein_radius_mm, place[VEIN]), 0},
                                .permeability_m2 = {at(range.permeability_m2, place[PERMEABILITY]) * porosity, 0},
                                .viscosity_pa_s = {1e-3 * viscosity, 0},
                                .arterial_share = {at(range.arterial_share, place[ARTERY]), 0}};
    double error;
    const double resistance = lobule_resistance(&liver, &error), tree = s->drop_mmhg[(int)(place[TREE] * s->n_tree)];
    return resistance * inflow * 1e-3 / 60 / UNITS_PA_PER_MMHG +
           tree * pow(inflow / given[OF_INFLOW].value, drop_power) * viscosity / given[OF_VISCOSITY].value;
}

static void read_ranges(const study_context *x, lobule_quantity range[RANGES]) {
    static const char *const name[RANGES] = {"volume_ml", "inflow_l_min", "viscosity_mpa_s", "porosity"};
    study_table t = {0};
    results_fail(x->page, study_table_read(x->source, "ranges.csv", &t));
    for (int k = 0; k < RANGES && x->page->error == OK; k++) {
        range[k].value = study_table_lookup(&t, "quantity", name[k], "value");
        range[k].error = range[k].value * study_table_lookup(&t, "quantity", name[k], "half_width_percent") / 100;
        if (!(range[k].value > range[k].error))
            results_fail(x->page, fail(ERR_INPUT, "'%s/ranges.csv' has no positive range '%s'; restore this file",
                                       x->source, name[k]));
    }
    study_table_free(&t);
}

/* ---------------------------------------------------------------------------------------------- the portal trees */

/* Pressure drop of the portal tree with seed k + 1, mmHg. */
static double run_tree(const study_context *x, int k) {
    results *r = x->page;
    const char *option[] = {"--kind",     "portal", "--scanner", "ct-portal", "--seed", results_format(r, "%d", k + 1),
                            "--no-truth", NULL};
    const char *patient = results_format(r, "%s/patient-%02d", x->work, k + 1);
    study_case t;
    draw_patient(x, patient, option);
    study_case_open(&t, x, patient, "tree-%02d", k + 1);
    study_case_set(&t, "image.path", "../patient-%02d/images/portal.nii.gz", k + 1); /* from the folder of the case */
    study_case_set(&t, "mesh.fast", "true");
    study_case_run(&t, STAGE_POST);
    const double drop_mmhg = study_case_readout(&t, "ppg/0/terms/0/value_mmhg");
    study_case_close(&t);
    return drop_mmhg;
}

static int work_tree(void *data, int k) {
    const study_context *x = data;
    run_tree(x, k);
    return study_take_error(x);
}

/* ---------------------------------------------------------------------------------------------- tables and figure */

/* PPG of DRAWN sets in ascending order. permeability: place of the permeability in all sets; NaN: it is drawn, too. */
static void draw_sets(const liver_study *s, double permeability, double ppg[DRAWN]) {
    uint64_t state = 7;
    for (int k = 0; k < DRAWN; k++) {
        double place[PARAMETERS];
        for (int i = 0; i < PARAMETERS; i++)
            place[i] = sobol_random(&state);
        if (!isnan(permeability))
            place[PERMEABILITY] = permeability;
        ppg[k] = gradient_mmhg(s, place);
    }
    qsort(ppg, DRAWN, sizeof *ppg, order_double);
}

static double quantile(const double ppg[DRAWN], double part) {
    return ppg[(int)(part * (DRAWN - 1))];
}

static void draw_curves(liver_study *s, results *r) {
    static const char *const series[2][3] = {{"healthy, 5 %", "healthy, median", "healthy, 95 %"},
                                             {"cirrhosis, 5 %", "cirrhosis, median", "cirrhosis, 95 %"}};
    plot p = plot_new(r, "permeability", "Portal pressure gradient against the permeability of the sinusoids",
                      "permeability (1e-14 m2)", "portal pressure gradient (mmHg)");
    for (s->stage = 0; s->stage < 2; s->stage++) {
        const lobule_liver range = lobule_default_liver(s->stage ? LOBULE_CIRRHOSIS : LOBULE_HEALTHY);
        double at_k[CURVE], value[3][CURVE], ppg[DRAWN];
        for (int k = 0; k < CURVE; k++) {
            at_k[k] = 1e14 * at(range.permeability_m2, (double)k / (CURVE - 1));
            draw_sets(s, (double)k / (CURVE - 1), ppg);
            for (int q = 0; q < 3; q++)
                value[q][k] = quantile(ppg, 0.05 + 0.45 * q);
        }
        p.colour = 1 + s->stage;
        for (int q = 0; q < 3; q++)
            plot_curve(&p, PLOT_LINE, CURVE, at_k, value[q], "%s", series[s->stage][q]);
    }
    plot_write(&p);
}

static void show_gradients(liver_study *s, results *r, double median[2]) {
    static const char *const name[2] = {"healthy", "cirrhosis"};
    double ppg[DRAWN];
    results_table(r, "gradient", "stage|PPG, median (mmHg)|5 %|95 %|sets at 10 mmHg or more (%)");
    for (s->stage = 0; s->stage < 2; s->stage++) {
        int above = 0;
        draw_sets(s, NAN, ppg);
        for (int k = 0; k < DRAWN; k++)
            above += ppg[k] >= 10;
        median[s->stage] = quantile(ppg, 0.5);
        results_row(r, "%s|%.1f|%.1f|%.1f|%.0f", name[s->stage], median[s->stage], quantile(ppg, 0.05),
                    quantile(ppg, 0.95), 100.0 * above / DRAWN);
    }
}

static void show_indices(liver_study *s, results *r, int n, sobol_indices index[3]) {
    for (int k = 0; k < 3; k++) {
        s->stage = k < 2 ? k : -1;
        results_fail(r, sobol_estimate(PARAMETERS, n, 1, gradient_mmhg, s, &index[k]));
    }
    results_table(r, "indices",
                  "parameter|healthy: alone (%)|with interactions (%)|cirrhosis: alone (%)|with interactions (%)|both: "
                  "alone (%)|with interactions (%)");
    for (int i = 0; i < PARAMETERS; i++)
        results_row(r, "%s|%.1f|%.1f|%.1f|%.1f|%.1f|%.1f", parameter_name[i], 100 * index[0].first[i],
                    100 * index[0].total[i], 100 * index[1].first[i], 100 * index[1].total[i], 100 * index[2].first[i],
                    100 * index[2].total[i]);
}

/* Names the three parameters with the largest indices with interactions. */
static void show_largest(const sobol_indices *s, results *r) {
    int largest[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) {
        int k = i;
        for (; k > 0 && s->total[largest[k - 1]] < s->total[i]; k--)
            largest[k] = largest[k - 1];
        largest[k] = i;
    }
    results_text(r,
                 "What decides? Of the variance of the PPG over both stages, with interactions: %s %.0f %%, %s %.0f "
                 "%%, %s %.0f %%; the portal tree %.2g %%.",
                 parameter_name[largest[0]], 100 * s->total[largest[0]], parameter_name[largest[1]],
                 100 * s->total[largest[1]], parameter_name[largest[2]], 100 * s->total[largest[2]],
                 100 * s->total[TREE]);
}

int study_stages(const study_context *x, results *r) {
    liver_study s = {.n_tree = (int)fmax(2, round(TREES * x->scale))};
    const int n = (int)fmax(8192, round(SETS * x->scale));
    sobol_indices index[3];
    double median[2], least = INFINITY, most = 0, alone = 0;
    read_ranges(x, s.range);
    if (x->jobs > 1 && r->error == OK)
        results_fail(r, workers_run(x->jobs, s.n_tree, work_tree, (void *)x, x->work));
    for (int k = 0; k < s.n_tree; k++) {
        s.drop_mmhg[k] = run_tree(x, k);
        least = fmin(least, s.drop_mmhg[k]);
        most = fmax(most, s.drop_mmhg[k]);
    }
    if (r->error != OK)
        return r->error;
    results_text(r,
                 "Pressure drop of %d portal trees, computed from CT phantoms at an inflow of %.0f L/min: %.2f to %.2f "
                 "mmHg. Liver: lobule law (`common/liver/lobule_law.h`), %d sets of parameters a stage.",
                 s.n_tree, s.range[OF_INFLOW].value, least, most, n * (PARAMETERS + 2));
    show_gradients(&s, r, median);
    draw_curves(&s, r);
    show_indices(&s, r, n, index);
    show_largest(&index[2], r);
    results_text(r, "**Limits.** The half-widths of all ranges are assumptions, and the indices depend on them. No "
                    "source gives a permeability or a lobule for the stages F0 to F4; cirrhosis acts through the width "
                    "of its nodules alone. A porosity acts through a permeability proportional to it. The healthy "
                    "median is above the measured 1 to 5 mmHg.");
    for (int i = 0; i < PARAMETERS; i++)
        alone += index[2].first[i];
    results_at_least(r, "PPG in cirrhosis over that of the healthy liver, medians", median[1] / median[0], 2);
    results_at_least(r, "PPG in cirrhosis, median (mmHg)", median[1], 10);
    results_at_most(r, "indices alone, sum", alone, 1.05);
    results_at_most(r, "index of the portal tree with interactions", index[2].total[TREE], 0.05);
    return r->error;
}
