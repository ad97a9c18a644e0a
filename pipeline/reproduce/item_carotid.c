/* wang2015:figure10, figures 8 to 13 on a phantom: a carotid bifurcation with a stenosis in the internal branch,
 * pulsatile, Reynolds numbers 100 to 533. The paper's figures carry no numbers; what can be compared is said in the
 * text. */
#include "common/status.h"
#include "pipeline/reproduce/item.h"
#include "pipeline/reproduce/plot.h"
#include "pipeline/reproduce/reference.h"
#include "pipeline/reproduce/trial.h"
#include "pipeline/stages.h"
#include <math.h>
#include <stdio.h>

enum { LINE = 61, STORES = 50, SHOWN = 4, PLACES = 5 };
static const double period_s = 0.9, radius_mm = 3.2, viscosity_m2_s = 3.3e-6;
static const double reynolds[SHOWN] = {100, 200, 400, 533};
/* Lines along x: two diameters in front of the bifurcation, in the widened origin of the internal carotid, in its
 * stenosis, seven millimetres behind that, and in the external carotid. */
static const struct {
    const char *name, *title;
    double centre_mm[3], half_mm;
} place[PLACES] = {
    {"common", "Velocity along z in the common carotid", {-1, 0, -20}, 3.2},
    {"origin", "Velocity along z in the origin of the internal carotid", {3, 2.5, 2}, 3.4},
    {"stenosis", "Velocity along z in the stenosis of the internal carotid", {5.9, 5, 9}, 2},
    {"behind", "Velocity along z behind the stenosis", {8.3, 7.2, 16}, 2.4},
    {"external", "Velocity along z in the external carotid", {-6.5, -4.5, 9}, 2.1},
};

static double reynolds_at(const reference *wave, double t) {
    int k = 1;
    while (k < wave->n_row - 1 && wave->value[0][k] < t)
        k++;
    double part = (t - wave->value[0][k - 1]) / (wave->value[0][k] - wave->value[0][k - 1]);
    double flow = wave->value[1][k - 1] + part * (wave->value[1][k] - wave->value[1][k - 1]);
    return 2 * flow * 1e-6 / (M_PI * radius_mm * 1e-3) / viscosity_m2_s;
}

/* The stored instant whose Reynolds number is nearest. */
static int instant_of(const reference *wave, double re) {
    int best = 0;
    for (int k = 1; k < STORES; k++)
        if (fabs(reynolds_at(wave, k * period_s / STORES) - re) <
            fabs(reynolds_at(wave, best * period_s / STORES) - re))
            best = k;
    return best;
}

static int draw(const trial *t, const reference *wave, int p, results *r) {
    double point[LINE][3], velocity[LINE][3], at[LINE], u[LINE];
    plot picture = {.name = place[p].name, .title = place[p].title, .x_label = "x (mm)", .y_label = "velocity (m/s)"};
    for (int i = 0; i < SHOWN; i++) {
        int instant = instant_of(wave, reynolds[i]), rc;
        char series[48];
        for (int k = 0; k < LINE; k++) {
            at[k] = place[p].half_mm * (2.0 * k / (LINE - 1) - 1);
            point[k][0] = place[p].centre_mm[0] + at[k];
            point[k][1] = place[p].centre_mm[1];
            point[k][2] = place[p].centre_mm[2];
        }
        rc = trial_probe_instant(t, instant, LINE, (const double(*)[3])point, velocity, NULL);
        if (rc != OK)
            return rc;
        for (int k = 0; k < LINE; k++)
            u[k] = velocity[k][2];
        snprintf(series, sizeof series, "Re %.0f at %.3f s", reynolds_at(wave, instant * period_s / STORES),
                 instant * period_s / STORES);
        plot_curve(&picture, series, PLOT_LINE, LINE, at, u);
    }
    plot_write(&picture, r);
    return OK;
}

static int take_picture(const trial *t, const char *figure, const char *caption, results *r) {
    char from[TRIAL_PATH_MAX];
    if (snprintf(from, sizeof from, "%s/out/post/figures/%s.png", t->folder, figure) >= (int)sizeof from)
        return fail(ERR_OUTPUT, "the path '%.60s...' is too long", t->folder);
    results_copy_picture(r, from, figure, caption);
    return OK;
}

/* Reynolds number over the cycle, and the instants that the other pictures show. */
static void draw_cycle(const reference *wave, results *r) {
    double at[91], re[91], shown_at[SHOWN], shown[SHOWN];
    plot p = {.name = "figure8",
              .title = "Reynolds number in the common carotid over the cycle",
              .x_label = "t (s)",
              .y_label = "Reynolds number"};
    for (int k = 0; k < 91; k++) {
        at[k] = period_s * k / 90;
        re[k] = reynolds_at(wave, at[k]);
    }
    for (int i = 0; i < SHOWN; i++) {
        shown_at[i] = instant_of(wave, reynolds[i]) * period_s / STORES;
        shown[i] = reynolds[i];
    }
    plot_curve(&p, "ours", PLOT_LINE, 91, at, re);
    plot_curve(&p, "the paper's four, at the stored instants", PLOT_POINTS, SHOWN, shown_at, shown);
    plot_write(&p, r);
}

int item_carotid(const item_context *x, results *r) {
    static reference wave;
    static const char *const number[][2] = {{"wss/tawss_mean_pa", "TAWSS, mean (Pa)"},
                                            {"wss/p99_pa", "TAWSS, 99th percentile (Pa)"},
                                            {"wss/osi_mean", "OSI, mean"},
                                            {"velocity/max_m_s", "largest velocity (m/s)"},
                                            {"pressure_drops/0/value_pa", "mean pressure drop CCA to ICA (Pa)"},
                                            {"pressure_drops/1/value_pa", "mean pressure drop CCA to ECA (Pa)"}};
    char folder[4200], name[32];
    double value, dx = 0.4 / x->scale, change;
    trial t = {0};
    int rc = OK;
    snprintf(folder, sizeof folder, "%s/flow", x->source);
    snprintf(name, sizeof name, "spacing-%.0f-um", 1000 * dx);
    TRY(reference_read(folder, "cca.csv", &wave));
    trial_create(&t, x->source, x->work, name);
    trial_set(&t, "spacing", "%.6g mm", dx);
    trial_set(&t, "stores", "%d", STORES);
    TRY(trial_run(&t, x->run, STAGE_POST));
    TRY(trial_number(&t, "solve/solve.json", "result/cycle_change", &change));
    results_text(r,
                 "Carotid bifurcation of 26 x 24 x 70 mm, stenosis of 40 %% of the diameter in the internal branch, "
                 "waveform with Reynolds "
                 "numbers 100 to 533 in the common carotid, spacing %.2f mm (the paper's box of 69 x 64 x 176 cells is "
                 "0.4 mm), `interpolated`, TRT; "
                 "the last cycle differs from the one before by %.2f %%. The paper's artery is a patient's and its "
                 "figures carry no "
                 "numbers, so only what they show can be compared: a profile near a parabola in the common carotid and "
                 "less so in the external one, a skewed one in the internal carotid, most while the flow falls, and "
                 "the highest wall "
                 "shear stress at the stenosis. (At 0.8 mm, 5 cells across the ECA, a high stress on the very rim of "
                 "the openings is an error "
                 "of theirs, not of the flow.)",
                 dx, 100 * change);
    results_table(r, "readouts", "readout|ours");
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        TRY(trial_number(&t, "post/readouts.json", number[k][0], &value));
        results_row(r, "%s|%.4g", number[k][1], value);
    }
    draw_cycle(&wave, r);
    for (int p = 0; p < PLACES; p++)
        TRY(draw(&t, &wave, p, r));
    TRY(take_picture(
        &t, "velocity",
        "Mean velocity of the cycle in a cut along the vessels; figures 9 and 11 show instants in cross-sections", r));
    TRY(take_picture(&t, "wss",
                     "Wall shear stress averaged over the cycle, from both sides; figures 12 and 13 show instants", r));
    TRY(take_picture(&t, "osi", "Oscillatory shear index", r));
    results_at_most(r, "change of the velocity from cycle to cycle (%)", 100 * change, 1);
cleanup:
    trial_free(&t);
    return rc;
}
