/* SPDX-License-Identifier: Apache-2.0 */
/* verify:heat. Heat compared with exact solutions: conduction between two pipes, a tall slot between a warm and a cold
 * wall, convection through an oblique tube. */
#include "common/base/status.h"
#include "pipeline/reproduce_exact/graetz.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/run/stages.h"
#include "pipeline/reproduce/study_case.h"
#include <math.h>
#include <stdio.h>

enum { LEVELS = 3, OFFSETS = 3, LINE = 64 };

static int levels(const study_context *x, int most) {
    return x->scale < 0.5 ? most - 1 : most;
}

static void source_of(const study_context *x, const char *name, char path[STUDY_CASE_PATH_MAX]) {
    snprintf(path, STUDY_CASE_PATH_MAX, "%s/%s", x->source, name);
}

static double order(double first, double last, int halvings) {
    return log2(fabs(first / last)) / halvings;
}

/* --- conduction, and walls at all angles to the grid ------------------------------------------------------------ */

/* same values as in case.yaml of this study, with a temperature difference of 1 K */
static const double outer_mm = 10, inner_mm = 4, annulus_diffusivity_mm2_s = 0.14;

/* Computes the annulus. *error: relative error of the heat flux, exact 2 pi kappa dT h / ln(R / r). The computed heat
 * flux is the mean of both walls, because their heat fluxes differ by the remaining transient. */
static int annulus(const study_context *x, double dx, int offset, double *error) {
    char source[STUDY_CASE_PATH_MAX], name[32];
    study_case t = {0};
    double warm, cold;
    int rc;
    source_of(x, "annulus", source);
    snprintf(name, sizeof name, "annulus-%.0f-%d", (outer_mm - inner_mm) / dx, offset);
    study_case_create(&t, source, x->work, name);
    study_case_set(&t, "mesh.shape.from", "[%.12g, %.12g, 0]", 0.25 * offset * dx, 0.4 * offset * dx);
    study_case_set(&t, "mesh.shape.to", "[%.12g, %.12g, 1]", 0.25 * offset * dx, 0.4 * offset * dx);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "mesh.box.high", "[12, 12, %.12g]", 2 * dx);
    TRY(study_case_run(&t, x->run, STAGE_SOLVE));
    TRY(study_case_number(&t, "solve/solve.json", "result/heat/sides/warm/heat_k_mm3_s", &warm));
    TRY(study_case_number(&t, "solve/solve.json", "result/heat/sides/cold/heat_k_mm3_s", &cold));
    *error = 0.5 * (warm - cold) * log(outer_mm / inner_mm) / (2 * M_PI * annulus_diffusivity_mm2_s * 2 * dx) - 1;
cleanup:
    study_case_free(&t);
    return rc;
}

static int annuli(const study_context *x, results *r) {
    double error[LEVELS] = {0}, one;
    const int n = levels(x, LEVELS);
    int rc = OK;
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < OFFSETS; j++) {
            TRY(annulus(x, 1.0 / (1 << k), j, &one));
            error[k] += one * one / OFFSETS;
        }
        error[k] = sqrt(error[k]);
    }
    results_text(r, "**Conduction between two pipes**: heat compared with 2 pi kappa dT / ln(R / r), root mean square "
                    "of both walls and three positions of the axis. This mean was chosen after the first run (one wall "
                    "at one position: order 1.56).");
    results_table(r, "annulus", "cells between the walls|error of heat, %|order");
    for (int k = 0; k < n; k++)
        if (k)
            results_row(r, "%d|%.4f|%.2f", 6 << k, 100 * error[k], order(error[k - 1], error[k], 1));
        else
            results_row(r, "%d|%.4f|", 6, 100 * error[k]);
    results_at_least(r, "conduction: order from the coarsest to the finest", order(error[0], error[n - 1], n - 1), 1.8);
    results_at_most(r, "conduction, finest: error of heat (percent; limit for 24 cells)", 100 * fabs(error[n - 1]),
                    0.05 * pow(4, LEVELS - n));
cleanup:
    return rc;
}

/* --- buoyancy along a wall -------------------------------------------------------------------------------------- */

/* same values as in case.yaml of this study, with a temperature difference of 1 K */
static const double width_mm = 10, gravity_m_s2 = 9.81, expansion_1_k = 2e-5, viscosity_m2_s = 1e-6;

/* Vertical velocity at s, from -1/2 on the cold wall to 1/2 on the warm wall (Batchelor 1954) */
static double slot_m_s(double s) {
    return gravity_m_s2 * expansion_1_k * width_mm * width_mm * 1e-6 / viscosity_m2_s * (s / 24 - s * s * s / 6);
}

/* Computes the slot. *square: square of the relative L2 error of the velocity at the cell centres; *nusselt: Nusselt
 * number - 1. The middle of the slot is `offset` cells from a face between cells. */
static int slot(const study_context *x, int cells, double offset, double *square, double *nusselt) {
    static double point[LINE][3], velocity[LINE][3];
    const double dx = width_mm / cells, middle = offset * dx;
    char source[STUDY_CASE_PATH_MAX], name[32];
    study_case t = {0};
    double sum = 0, exact = 0, heat;
    const int beside = cells / 2 + 2;
    int rc, n = 0;
    source_of(x, "slot", source);
    snprintf(name, sizeof name, "slot-%d-%.0f", cells, 100 * offset);
    study_case_create(&t, source, x->work, name);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "mesh.shape.point", "[%.12g, 0, 0]", middle);
    study_case_set(&t, "mesh.shape.wall", "[%.12g, 0, 0]", middle + 0.5 * width_mm);
    study_case_set(&t, "mesh.box.low", "[%.12g, 0, 0]", -beside * dx);
    study_case_set(&t, "mesh.box.high", "[%.12g, %.12g, %.12g]", beside * dx, 4 * dx, 4 * dx);
    TRY(study_case_run(&t, x->run, STAGE_SOLVE));
    for (int k = 0; k < cells + 4; k++) {
        const double at = (k - beside + 0.5) * dx;
        if (fabs(at - middle) >= 0.5 * width_mm * (1 - 1e-9))
            continue;
        point[n][0] = at;
        point[n][1] = point[n][2] = 1.5 * dx;
        n++;
    }
    TRY(study_case_probe(&t, n, (const double(*)[3])point, velocity, NULL));
    for (int k = 0; k < n; k++) {
        const double u = slot_m_s((point[k][0] - middle) / width_mm);
        sum += pow(velocity[k][1] - u, 2);
        exact += u * u;
    }
    *square = sum / exact;
    TRY(study_case_number(&t, "solve/solve.json", "result/heat/sides/warm/heat_k_mm3_s", &heat));
    *nusselt = heat * width_mm / (16 * dx * dx) - 1; /* divided by the diffusivity, which is 1 mm2/s */
cleanup:
    study_case_free(&t);
    return rc;
}

static int slots(const study_context *x, results *r) {
    double error[LEVELS] = {0}, heat[LEVELS] = {0}, square, nusselt;
    const int n = levels(x, LEVELS);
    int rc = OK;
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < OFFSETS; j++) {
            TRY(slot(x, 8 << k, j / (2.0 * (OFFSETS - 1)), &square, &nusselt));
            error[k] += square / OFFSETS;
            heat[k] = fmax(heat[k], fabs(nusselt));
        }
        error[k] = sqrt(error[k]);
    }
    results_text(r, "**A tall slot**: cubic profile of Batchelor (1954), heat by conduction only, three positions of "
                    "the walls as above.");
    results_table(r, "slot", "cells between the walls|error of velocity, %|order|Nusselt number less 1, %");
    for (int k = 0; k < n; k++)
        if (k)
            results_row(r, "%d|%.3f|%.2f|%.1e", 8 << k, 100 * error[k], order(error[k - 1], error[k], 1),
                        100 * heat[k]);
        else
            results_row(r, "%d|%.3f||%.1e", 8, 100 * error[k], 100 * heat[k]);
    results_at_least(r, "slot: order from the coarsest to the finest", order(error[0], error[n - 1], n - 1), 1.8);
    results_at_most(r, "slot, finest: error of velocity (percent; limit for 32 cells)", 100 * error[n - 1],
                    1 * pow(4, LEVELS - n));
    results_at_most(r, "slot: error of the Nusselt number (percent)", 100 * fmax(heat[0], heat[n - 1]), 0.1);
cleanup:
    return rc;
}

/* --- convection of heat ------------------------------------------------------------------------------------------ */

static const double radius_mm = 6, tube_diffusivity_mm2_s = 1;
/* Lengths of the two tubes in multiples of the vector (1, 2, 6) mm. With these, both outlets have the same offset to
 * the cell centres. */
static const int length_steps[2] = {6, 9};

/* Computes the tube. *heat: heat that leaves through the outlet; *peclet: Peclet number. */
static int tube(const study_context *x, int cells, int which, double *heat, double *peclet) {
    static const double along[3] = {1, 2, 6};
    const double dx = 2 * radius_mm / cells, length = length_steps[which];
    char source[STUDY_CASE_PATH_MAX], name[32];
    study_case t = {0};
    double flow_ml_s;
    int rc;
    source_of(x, "tube", source);
    snprintf(name, sizeof name, "tube-%d-%d", cells, length_steps[which]);
    study_case_create(&t, source, x->work, name);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "mesh.shape.to", "[%.12g, %.12g, %.12g]", length * along[0], length * along[1],
                   length * along[2]);
    study_case_set(&t, "openings.OUT.point", "[%.12g, %.12g, %.12g]", length * along[0], length * along[1],
                   length * along[2]);
    TRY(study_case_run(&t, x->run, STAGE_SOLVE));
    TRY(study_case_number(&t, "solve/solve.json", "result/heat/sides/OUT/heat_k_mm3_s", heat));
    TRY(study_case_number(&t, "solve/solve.json", "result/openings/IN/flow_ml_s", &flow_ml_s));
    *peclet = 2e3 * fabs(flow_ml_s) / (M_PI * radius_mm * tube_diffusivity_mm2_s);
cleanup:
    study_case_free(&t);
    return rc;
}

static int tubes(const study_context *x, results *r) {
    const int n = levels(x, 2);
    double error[2], heat[2], peclet = NAN;
    int rc = OK;
    results_text(r, "**Temperature in Poiseuille flow** through an oblique tube (1, 2, 6) with a colder wall: heat "
                    "carried out of 9.6 over 6.4 radii, compared with Graetz including axial conduction.");
    results_table(r, "tube", "cells per diameter|Peclet number|Nusselt number k Pe / 2|exact|error, %");
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < 2; j++)
            TRY(tube(x, 12 << k, j, &heat[j], &peclet));
        const double rate = log(heat[0] / heat[1]) * radius_mm / ((length_steps[1] - length_steps[0]) * sqrt(41)),
                     exact = graetz(peclet, true);
        error[k] = rate / exact - 1;
        results_row(r, "%d|%.2f|%.4f|%.4f|%.3f", 12 << k, peclet, rate * peclet / 2, exact * peclet / 2,
                    100 * error[k]);
    }
    results_at_most(r, "tube, finest: error of the Nusselt number (percent; limit for 24 cells)",
                    100 * fabs(error[n - 1]), 0.5 * pow(4, 2 - n));
cleanup:
    return rc;
}

int study_heat_exact(const study_context *x, results *r) {
    int rc;
    TRY(annuli(x, r));
    TRY(slots(x, r));
    TRY(tubes(x, r));
    results_text(r, "Without a case file (`ctest -R test_heat -V`): an oblique slab, exact to rounding, and Taylor "
                    "dispersion (Taylor 1953).");
cleanup:
    return rc;
}
