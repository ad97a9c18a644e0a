/* SPDX-License-Identifier: Apache-2.0 */
/* shang2023:figure12, the geometry of table 5 with flow: portal inflow from two veins into a liver drawn as one
 * chamber, three hepatic veins, vena cava. The paper prints neither flows nor field values. Checked: inflow of the
 * liver equals the flow of the hepatic veins, and the flow balance. shang2023:porous-liver: the same vessels, the liver
 * as a porous medium; also Darcy's law. */
#include "common/base/units.h"
#include "common/base/vec.h"
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"

enum { VESSELS = 9, SHARES = 2, TISSUES = 2, NODES = 13, VEIN_NODE = 9, MIDDLE_VEIN = 4, LINE = 241 };

/* Same values as in case.yaml of this study. */
static const double spacing_mm = 0.35, widest_mm = 2.5, whole_flow_mm = 1.4, smv_l_min = 0.6, sv_l_min = 0.4,
                    cava_l_min = 2;
static const long whole_flow_steps = 400000;
static const double vein_mm[2] = {-5, 20}, vein_radius_mm = 4.2,
                    /* vein_mm, vein_radius_mm: position and radius of the straight part of the middle hepatic vein */
    viscosity_pa_s = 3.498e-3;
static const char *const vessel[VESSELS] = {"openings/SMV", "openings/SV",    "sections/PV",
                                            "sections/RHV", "sections/MHV",   "sections/LHV",
                                            "sections/IVC", "openings/IVCin", "openings/IVCout"};
/* Path from the SMV through portal vein, liver and middle hepatic vein to the cava, LPS mm. */
static const double path[NODES][3] = {{168, 105, 0.5}, {168, 105, 12},  {170, 120, 36}, {163, 132, 55}, {148, 132, 68},
                                      {128, 122, 72},  {105, 105, 74},  {84, 69, 84},   {95, 100, 112}, {110, 140, 124},
                                      {122, 174, 134}, {122, 174, 140}, {122, 174, 154}};

typedef struct {
    double share;           /* flows of this run over the flows of the case */
    double permeability_m2; /* of the liver; 0: a chamber full of blood */
    double flow[VESSELS], velocity[VESSELS], pressure[VESSELS], balance, gradient_mmhg, steps, largest_m_s, change;
    double at[LINE], line_pa[LINE], line_m_s[LINE];
    /* vein_at: ends of the straight part of the middle vein, along the path; vein_pa_m: its pressure gradient */
    double vein_at[2], vein_pa_m;
} found;

/* Pressure at the distance `at` along the path. */
static double pressure_at(const found *f, double at) {
    return numbers_interpolate(LINE, f->at, f->line_pa, at);
}

/* Hagen-Poiseuille pressure gradient 8 mu Q / (pi R^4), Pa/m, with the computed flow in the middle hepatic vein. */
static double poiseuille_pa_m(const found *f) {
    return 8 * viscosity_pa_s * f->flow[MIDDLE_VEIN] * 1e-6 / (M_PI * pow(vein_radius_mm * 1e-3, 4));
}

static void read_vessels(const study_case *t, found *f) {
    for (int k = 0; k < VESSELS; k++) {
        f->flow[k] = study_case_readout(t, "%s/flow_ml_s", vessel[k]);
        f->velocity[k] = study_case_readout(t, "%s/mean_velocity_m_s", vessel[k]);
        f->pressure[k] = study_case_readout(t, "%s/pressure_pa", vessel[k]);
    }
    f->balance = study_case_readout(t, "flow_balance");
    f->gradient_mmhg = study_case_readout(t, "ppg/0/terms/0/value_mmhg");
    f->steps = study_case_readout(t, "solve/steps");
    f->largest_m_s = study_case_readout(t, "velocity/max_m_s");
    f->change = study_case_solved(t, "residual");
}

static void read_path(const study_case *t, found *f) {
    double point[LINE][3], velocity[LINE][3], length[NODES] = {0};
    for (int n = 1; n < NODES; n++)
        length[n] = length[n - 1] + vec_distance(path[n], path[n - 1]);
    for (int k = 0, n = 1; k < LINE; k++) {
        f->at[k] = length[NODES - 1] * k / (LINE - 1);
        while (n < NODES - 1 && length[n] < f->at[k])
            n++;
        const double part = (f->at[k] - length[n - 1]) / (length[n] - length[n - 1]);
        for (int c = 0; c < 3; c++)
            point[k][c] = path[n - 1][c] + part * (path[n][c] - path[n - 1][c]);
    }
    study_case_probe(t, LINE, point, velocity, f->line_pa);
    for (int k = 0; k < LINE; k++)
        f->line_m_s[k] = vec_length(velocity[k]);
    for (int k = 0; k < 2; k++)
        f->vein_at[k] = length[VEIN_NODE] + vein_mm[k];
    f->vein_pa_m = (pressure_at(f, f->vein_at[0]) - pressure_at(f, f->vein_at[1])) * 1e3 / (vein_mm[1] - vein_mm[0]);
}

/* Last part of the names of a run's folder and pictures: "" with a chamber, "-porous-1000" with a porous liver of
 * 1000 um2. */
static const char *liver_name(results *r, const found *f) {
    return f->permeability_m2 > 0 ? results_format(r, "-porous-%.0f", 1e12 * f->permeability_m2) : "";
}

static void run_flow(const study_context *x, double dx, found *f, results *r) {
    static const char *const figure[2][2] = {{"velocity", "Speed in a cut"}, {"pressure", "Pressure on the wall"}};
    study_case t;
    study_case_open(&t, x, study_path(x, "../shang2023-figure12"), "spacing-%.0f-um-flow-%.0f%s", 1000 * dx,
                    100 * f->share, liver_name(r, f));
    t.pictures = true;
    if (f->permeability_m2 > 0) {
        /* a tenth of the flow: short steps, so that the pressure in the liver stays below rho c_s^2. The whole flow
         * diverges with them (0.875 mm); with "" the program chooses the step and shortens it where necessary. */
        study_case_set(&t, "porous.liver.permeability", "%.6g m2", f->permeability_m2);
        study_case_set(&t, "solve.max_lattice_velocity", "%s", f->share < 1 ? "0.04" : "");
    } else {
        study_case_set(&t, "porous", "%s", "");
    }
    study_case_set(&t, "mesh.spacing", "%.6g mm", dx);
    study_case_set(&t, "openings.SMV.flow", "%.9g L/min", smv_l_min * f->share);
    study_case_set(&t, "openings.SV.flow", "%.9g L/min", sv_l_min * f->share);
    study_case_set(&t, "openings.IVCin.flow", "%.9g L/min", cava_l_min * f->share);
    if (dx > widest_mm / 2)
        study_case_set(&t, "solve.tolerance", "1e-3");
    if (f->share >= 1 && f->permeability_m2 == 0) { /* at Re 600 the jets into the chamber may stay unsteady */
        study_case_set(&t, "solve.max_steps", "%ld", whole_flow_steps);
        study_case_set(&t, "solve.accept_unconverged", "true");
    }
    study_case_run(&t, STAGE_POST);
    read_vessels(&t, f);
    read_path(&t, f);
    for (int k = 0; k < 2; k++)
        study_case_picture(&t, figure[k][0],
                           results_format(r, "%s-%.0f%s", figure[k][0], 100 * f->share, liver_name(r, f)),
                           results_format(r, "%s, %.0f %% of the flow", figure[k][1], 100 * f->share));
    study_case_close(&t);
}

static double portal_in(const found *f) {
    return f->flow[0] + f->flow[1];
}

static double veins_out(const found *f) {
    return f->flow[3] + f->flow[4] + f->flow[5];
}

static void show(results *r, double dx, const found *f) {
    results_text(r,
                 "**%.0f %% of the flow** (SMV %.3g, SV %.3g, cava below the liver %.3g L/min): %.0f steps, residual "
                 "%.2g, flow balance %.3f %%, largest velocity %.3f m/s. Portal vein to cava **%.4f mmHg**; outflow of "
                 "the hepatic veins %.1f %% of the portal inflow. Straight middle hepatic vein (radius %.1f mm, %.1f "
                 "cells across): %.1f Pa/m, Hagen-Poiseuille %.1f Pa/m.",
                 100 * f->share, smv_l_min * f->share, sv_l_min * f->share, cava_l_min * f->share, f->steps, f->change,
                 100 * f->balance, f->largest_m_s, f->gradient_mmhg, 100 * veins_out(f) / portal_in(f), vein_radius_mm,
                 2 * vein_radius_mm / dx, f->vein_pa_m, poiseuille_pa_m(f));
    if (f->change > 0.01)
        results_text(r, "**This flow does not become steady**: the jets out of the portal branches break up in the "
                        "chamber; numbers and pictures are of the last instant. The paper calls its run converged.");
    results_table(r, results_format(r, "vessels-%.0f", 100 * f->share),
                  "vessel|flow (mL/s)|of the portal inflow (%)|mean velocity (m/s)|pressure (Pa)|pressure (mmHg)");
    for (int k = 0; k < VESSELS; k++)
        results_row(r, "%s|%.3f|%.1f|%.4f|%.3f|%.5f", vessel[k] + 9, f->flow[k], 100 * f->flow[k] / portal_in(f),
                    f->velocity[k], f->pressure[k], f->pressure[k] / UNITS_PA_PER_MMHG);
}

/* Exact pressure in the middle hepatic vein, through our value in its middle. */
static double poiseuille_pa(double at, const void *data) {
    const found *f = data;
    const double middle = 0.5 * (f->vein_at[0] + f->vein_at[1]);
    return pressure_at(f, middle) - poiseuille_pa_m(f) * (at - middle) * 1e-3;
}

static void draw(results *r, const found *f) {
    static const char *const title[2] = {"Pressure from the SMV through liver and middle hepatic vein to the cava",
                                         "Speed from the SMV through liver and middle hepatic vein to the cava"};
    for (int d = 0; d < 2; d++) {
        plot p = plot_new(r, results_format(r, "%s-along-%.0f", d ? "speed" : "pressure", 100 * f->share), title[d],
                          "distance (mm)", d ? "speed (m/s)" : "pressure (Pa)");
        plot_curve(&p, PLOT_LINE, LINE, f->at, d ? f->line_m_s : f->line_pa, "ours, %.0f %% of the flow",
                   100 * f->share);
        if (d == 0)
            plot_function(&p, "Hagen-Poiseuille in the middle hepatic vein", PLOT_POINTS, 11, f->vein_at[0],
                          f->vein_at[1], poiseuille_pa, f);
        plot_write(&p);
    }
}

int study_hepatic(const study_context *x, results *r) {
    static found f[SHARES] = {{.share = 0.1}, {.share = 1}};
    const double dx = fmin(spacing_mm / x->scale, widest_mm);
    const int n = dx <= whole_flow_mm ? SHARES : 1;
    results_text(
        r,
        "SMV and SV into the portal vein, its branches into the liver (a chamber full of blood), three hepatic veins, "
        "vena cava; `developed` inlets (SMV, SV, cava below the liver), outlet pressure 0. Box, fluid fraction and "
        "openings as in the paper, vessels of a phantom. Spacing %.3g mm (paper: %.2f mm), `interpolated`, TRT.",
        dx, spacing_mm);
    if (n == 1)
        results_text(r, "The whole flow of a patient at rest needs a spacing of %.1f mm or finer.", whole_flow_mm);
    for (int k = 0; k < n; k++) {
        run_flow(x, dx, &f[k], r);
        show(r, dx, &f[k]);
    }
    for (int k = 0; k < n; k++)
        draw(r, &f[k]);
    results_text(r, "The paper finds a much larger speed in the hepatic veins than elsewhere. Here the three "
                    "hepatic veins (radius 4 to 4.5 mm) have a larger area than the portal vein (6.3 mm), so their "
                    "mean speed is lower. A patient's "
                    "gradient (5 mmHg and more) arises in the tissue, which is not modelled, as in the paper.");
    results_at_most(r, "flow balance (%), a tenth of the flow", 100 * fabs(f[0].balance), 0.1);
    results_at_most(r, "hepatic veins together against the portal inflow (%), a tenth of the flow",
                    100 * fabs(veins_out(&f[0]) / portal_in(&f[0]) - 1), 2 * vein_radius_mm / dx >= 12 ? 2 : 5);
    if (2 * vein_radius_mm / dx >= 12)
        results_at_most(
            r, "pressure gradient (%) in the middle hepatic vein against Hagen-Poiseuille, a tenth of the flow",
            100 * fabs(f[0].vein_pa_m / poiseuille_pa_m(&f[0]) - 1), 10);
    return r->error;
}

/* shang2023:porous-liver. Both flows are the same, so the gradient of the liver is proportional to 1 / permeability
 * (Darcy); the gradient of the vessels is small. */
int study_porous_liver(const study_context *x, results *r) {
    const double dx = fmin(spacing_mm / x->scale, widest_mm);
    const bool fine = 2 * vein_radius_mm / dx >= 8;
    found f[TISSUES] = {{.permeability_m2 = 4e-9}, {.permeability_m2 = 2e-9}};
    for (int k = 0; k < TISSUES; k++)
        f[k].share = fine ? 1 : 0.1;
    results_text(r,
                 "The system of `shang2023:figure12` with a porous liver (Darcy-Brinkman) in place of the chamber, as "
                 "the paper announces; %.0f %% of the flow, spacing %.3g mm. One medium needs the permeability of a "
                 "million lobules in parallel, not that of a sinusoid (1.56e-14 m2). Portal resistance: healthy 3.3 to "
                 "6, cirrhosis 15 to 25 mmHg min/L.",
                 100 * f[0].share, dx);
    for (int k = 0; k < TISSUES; k++)
        run_flow(x, dx, &f[k], r);
    results_table(r, "gradients",
                  "permeability (m2)|portal vein to cava (mmHg)|per flow (mmHg min/L)|hepatic veins of the portal "
                  "inflow (%)|right|middle|left (mL/s)|steps|residual");
    for (int k = 0; k < TISSUES; k++)
        results_row(r, "%.1e|%.3f|%.2f|%.1f|%.2f|%.2f|%.2f|%.0f|%.1e", f[k].permeability_m2, f[k].gradient_mmhg,
                    f[k].gradient_mmhg / (0.06 * portal_in(&f[k])), 100 * veins_out(&f[k]) / portal_in(&f[k]),
                    f[k].flow[3], f[k].flow[4], f[k].flow[5], f[k].steps, f[k].change);
    results_text(r, "The limits of the criteria were set after runs at 1e-9 and 5e-10 m2.");
    results_at_most(r, "hepatic veins together against the portal inflow (%)",
                    100 * fabs(veins_out(&f[0]) / portal_in(&f[0]) - 1), fine ? 2 : 5);
    results_at_most(r, "gradient at half the permeability against twice the gradient (%)",
                    100 * fabs(f[1].gradient_mmhg / (2 * f[0].gradient_mmhg) - 1), 10);
    return r->error;
}
