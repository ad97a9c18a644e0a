/* SPDX-License-Identifier: Apache-2.0 */
/* wang2015:figure10, figures 8 to 13 on a phantom: a carotid bifurcation with a stenosis in the internal branch,
 * pulsatile, at the paper's six instants: Reynolds number 200 and 400 in acceleration, the peak, 400 and 200 in
 * deceleration, 100 in diastole. Instants and sections: from the case; values by post. The paper's figures carry
 * no numbers; the statements of its text are compared. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/waveform/waveform.h"
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"
#include <stddef.h>

/* Instants and sections in the order of the case. */
enum { RISING_200, RISING_400, PEAK, FALLING_400, FALLING_200, DIASTOLE, INSTANTS };
enum { COMMON, ORIGIN, STENOSIS, BEHIND, EXTERNAL, PLACES };
enum { LINE = 61, DISC = 600, STORES = 58 };
static const char *const place[PLACES] = {"common", "origin", "stenosis", "behind", "external"};
static const double period_s = 0.9, radius_mm = 3.2, viscosity_m2_s = 3.3e-6;

/* Velocity profile of a section. u: streamwise velocity; x: distance from the middle, in radii; m: mean of u.
 *   skewness       |sum u x| / sum |u|             0: symmetric
 *   off_parabola   rms(u - 2 m (1 - x^2)) / |m|     0: Poiseuille flow */
typedef struct {
    /* values of the section that post computes */
    double mean_m_s, highest_m_s, flow_ml_s, backflow_ml_s, wss_mean_pa, wss_max_pa;
    double skewness, off_parabola;
    double line[LINE]; /* streamwise velocity along the section's diameter, m/s */
} section;

typedef struct {
    double time_s, reynolds, share, balance, highest_m_s, drop_pa[2], wss_mean_pa, wss_p99_pa, wss_max_pa, where_mm[3];
    section in[PLACES];
} instant;

typedef struct {
    /* across: two unit vectors in the plane; across[0] is as close as possible to the x axis */
    double centre_mm[3], normal[3], radius_mm, across[2][3];
} plane;

static const double throat_mm[3] = {5.9, 5, 9}, narrowing_mm = 4.2, divider_mm[3] = {-0.7, 0, 1};
/* Instants of the cycle, with the letters that the paper gives them */
static const struct {
    double reynolds;
    const char *name;
} instant_of[INSTANTS] = {{200, "(a) rising"},  {400, "(b) rising"},  {533, "(c) peak"},
                          {400, "(d) falling"}, {200, "(e) falling"}, {100, "(f) diastole"}};
static const char *const title_of[PLACES] = {"Velocity in the common carotid",
                                             "Velocity in the origin of the internal carotid",
                                             "Velocity in the stenosis of the internal carotid",
                                             "Velocity behind the stenosis", "Velocity in the external carotid"};

/* ---------------------------------------------------------------------------------------------- readouts of post */

static void read_instant(const study_case *t, int k, instant *a) {
    const double in = study_case_readout(t, "instants/%d/openings/CCA/flow_ml_s", k);
    const double internal = study_case_readout(t, "instants/%d/openings/ICA/flow_ml_s", k);
    const double external = study_case_readout(t, "instants/%d/openings/ECA/flow_ml_s", k);
    a->reynolds = 2 * in * 1e-6 / (M_PI * radius_mm * 1e-3) / viscosity_m2_s;
    a->share = internal / (internal + external);
    a->time_s = study_case_readout(t, "instants/%d/time_s", k);
    a->balance = study_case_readout(t, "instants/%d/flow_balance", k);
    a->highest_m_s = study_case_readout(t, "instants/%d/velocity/max_m_s", k);
    for (int d = 0; d < 2; d++)
        a->drop_pa[d] = study_case_readout(t, "instants/%d/pressure_drops/%d/value_pa", k, d);
    a->wss_mean_pa = study_case_readout(t, "instants/%d/wss/mean_pa", k);
    a->wss_p99_pa = study_case_readout(t, "instants/%d/wss/p99_pa", k);
    a->wss_max_pa = study_case_readout(t, "instants/%d/wss/max_pa", k);
    for (int d = 0; d < 3; d++)
        a->where_mm[d] = study_case_readout(t, "instants/%d/wss/max_at_lps_mm/%d", k, d);
    for (int p = 0; p < PLACES; p++) {
        section *s = &a->in[p];
        s->mean_m_s = study_case_readout(t, "instants/%d/sections/%s/mean_velocity_m_s", k, place[p]);
        s->highest_m_s = study_case_readout(t, "instants/%d/sections/%s/velocity_max_m_s", k, place[p]);
        s->flow_ml_s = study_case_readout(t, "instants/%d/sections/%s/flow_ml_s", k, place[p]);
        s->backflow_ml_s = study_case_readout(t, "instants/%d/sections/%s/backflow_ml_s", k, place[p]);
        s->wss_mean_pa = study_case_readout(t, "instants/%d/sections/%s/wss_mean_pa", k, place[p]);
        s->wss_max_pa = study_case_readout(t, "instants/%d/sections/%s/wss_max_pa", k, place[p]);
    }
}

static void read_plane(const study_case *t, int p, plane *to) {
    static const char *const file = "post/post.json";
    double *n = to->normal, *e = to->across[0];
    for (int d = 0; d < 3; d++) {
        to->centre_mm[d] = study_case_number(t, file, "result/sections/%s/centroid_lps_mm/%d", place[p], d);
        n[d] = study_case_number(t, file, "result/sections/%s/normal_lps/%d", place[p], d);
    }
    to->radius_mm = sqrt(study_case_readout(t, "sections/%s/area_mm2", place[p]) / M_PI);
    for (int d = 0; d < 3; d++)
        e[d] = (d == 0) - n[0] * n[d];
    vec_normalize(e);
    vec_cross(n, e, to->across[1]);
}

/* ------------------------------------------------------------------------------------- profiles, by `post probe` */

/* Position of point k in its plane over the radius: DISC evenly distributed points, then LINE points on
 * a diameter. */
static void point_of(int k, double *x, double *y) {
    numbers_disc(k, DISC, x, y);
    if (k >= DISC) {
        *x = numbers_between(k - DISC, LINE, -1, 1);
        *y = 0;
    }
}

static void look_at(const plane *s, double (*velocity)[3], section *to) {
    double u[DISC + LINE], moment[2] = {0}, sum = 0, size = 0, square = 0, x, y;
    for (int k = 0; k < DISC + LINE; k++) {
        u[k] = vec_dot(velocity[k], s->normal);
        u[k] = isfinite(u[k]) ? u[k] : 0; /* NaN: the point is on the wall, where the velocity is 0 */
        if (k >= DISC) {
            to->line[k - DISC] = u[k];
            continue;
        }
        point_of(k, &x, &y);
        moment[0] += u[k] * x;
        moment[1] += u[k] * y;
        sum += u[k];
        size += fabs(u[k]);
    }
    for (int k = 0; k < DISC; k++) {
        point_of(k, &x, &y);
        square += pow(u[k] - 2 * sum / DISC * (1 - x * x - y * y), 2);
    }
    to->skewness = hypot(moment[0], moment[1]) / size;
    to->off_parabola = sqrt(square / DISC) / fabs(sum / DISC);
}

static void probe_instant(const study_case *t, const plane s[PLACES], instant *a) {
    enum { EACH = DISC + LINE };
    static double point[PLACES * EACH][3], velocity[PLACES * EACH][3];
    for (int k = 0; k < PLACES * EACH; k++) {
        const plane *on = &s[k / EACH];
        double x, y;
        point_of(k % EACH, &x, &y);
        for (int d = 0; d < 3; d++)
            point[k][d] = on->centre_mm[d] + on->radius_mm * (x * on->across[0][d] + y * on->across[1][d]);
    }
    const int stored = (int)lround(a->time_s / period_s * STORES) % STORES;
    study_case_probe_instant(t, stored, PLACES * EACH, point, velocity, NULL);
    for (int p = 0; p < PLACES; p++)
        look_at(&s[p], velocity + p * EACH, &a->in[p]);
}

/* Computes the case with spacing dx, mm. */
static void run(const study_context *x, double dx, study_case *t, plane *s, instant *a) {
    study_case_open(t, x, x->source, "spacing-%.0f-um", 1000 * dx);
    t->pictures = true;
    study_case_set(t, "mesh.spacing", "%.6g mm", dx);
    study_case_set(t, "solve.stores", "%d", STORES);
    study_case_run(t, STAGE_POST);
    for (int p = 0; p < PLACES; p++)
        read_plane(t, p, &s[p]);
    for (int k = 0; k < INSTANTS && x->page->error == OK; k++) {
        read_instant(t, k, &a[k]);
        probe_instant(t, s, &a[k]);
    }
}

/* ------------------------------------------------------------------------------------------------------- the page */

static void draw_profile(const plane *s, const instant *a, int p, results *r) {
    plot picture = plot_new(r, place[p], title_of[p], "distance from the middle, towards the patient's left (mm)",
                            "velocity along the vessel (m/s)");
    double at[LINE];
    for (int k = 0; k < LINE; k++)
        at[k] = numbers_between(k, LINE, -s->radius_mm, s->radius_mm);
    for (int i = 0; i < INSTANTS; i++)
        plot_curve(&picture, PLOT_LINE, LINE, at, a[i].in[p].line, "%s Re %.0f", instant_of[i].name, a[i].reynolds);
    plot_write(&picture);
}

static double inflow_reynolds(double t_s, const void *wave) {
    return 2 * waveform_flow_m3_s(wave, t_s) / (M_PI * radius_mm * 1e-3) / viscosity_m2_s;
}

/* Plots the Reynolds number over the cycle from the stored inflow, and the paper's Reynolds numbers at the instants. */
static void draw_cycle(const study_context *x, const instant *a, results *r) {
    double at[INSTANTS], shown[INSTANTS];
    waveform wave;
    plot p = plot_new(r, "figure8", "Reynolds number in the common carotid over the cycle", "t (s)", "Reynolds number");
    const int rc = waveform_read(study_path(x, "flow/cca.csv"), &wave);
    results_fail(r, rc);
    if (rc != OK)
        return;
    plot_function(&p, "ours", PLOT_LINE, 271, 0, period_s, inflow_reynolds, &wave);
    waveform_free(&wave);
    for (int i = 0; i < INSTANTS; i++) {
        at[i] = a[i].time_s;
        shown[i] = instant_of[i].reynolds;
    }
    plot_curve(&p, PLOT_POINTS, INSTANTS, at, shown, "the paper's at our instants (a) to (f)");
    plot_write(&p);
}

static bool in_stenosis(const instant *a) {
    return vec_distance(a->where_mm, throat_mm) < narrowing_mm;
}

static void write_instants(const instant *a, results *r) {
    results_table(r, "instants",
                  "instant|t (s)|Re|paper's Re|flow to ICA (%)|flow balance (%)|largest velocity (m/s)|drop CCA to ICA "
                  "(Pa)|drop CCA to ECA (Pa)|WSS mean (Pa)|WSS 99th percentile (Pa)|WSS largest (Pa)|where it is");
    for (int k = 0; k < INSTANTS; k++, a++) {
        const char *where = results_format(r, "(%.1f %.1f %.1f) mm", a->where_mm[0], a->where_mm[1], a->where_mm[2]);
        results_row(r, "%s|%.4f|%.0f|%.0f|%.1f|%.2f|%.3f|%.1f|%.1f|%.3f|%.2f|%.2f|%s", instant_of[k].name, a->time_s,
                    a->reynolds, instant_of[k].reynolds, 100 * a->share, 100 * a->balance, a->highest_m_s,
                    a->drop_pa[0], a->drop_pa[1], a->wss_mean_pa, a->wss_p99_pa, a->wss_max_pa,
                    in_stenosis(a)                              ? "stenosis"
                    : vec_distance(a->where_mm, divider_mm) < 3 ? "flow divider"
                                                                : where);
    }
}

static void write_sections(const instant *a, results *r) {
    results_table(r, "sections",
                  "section|instant|mean velocity (m/s)|largest (m/s)|backflow (mL/s)|skewness|rms difference from a "
                  "parabola / mean velocity|mean WSS of the section's wall (Pa)|largest WSS of it (Pa)");
    for (int p = 0; p < PLACES; p++)
        for (int k = 0; k < INSTANTS; k++) {
            const section *s = &a[k].in[p];
            results_row(r, "%s|%s|%.4f|%.3f|%.3f|%.3f|%.3f|%.2f|%.2f", place[p], instant_of[k].name, s->mean_m_s,
                        s->highest_m_s, fmax(s->backflow_ml_s, 0), s->skewness, s->off_parabola, s->wss_mean_pa,
                        s->wss_max_pa);
        }
}

/* Range over the instants of the double at byte `offset` of section p. */
static void range_of(const instant *a, int p, size_t offset, double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int k = 0; k < INSTANTS; k++) {
        double value = *(const double *)((const char *)&a[k].in[p] + offset);
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
    }
}

/* Skewness in deceleration divided by skewness in acceleration at the same Reynolds number; the smaller of the ratios
 * at Re 200 and 400. */
static double falling_over_rising(const instant *a, int p) {
    return fmin(a[FALLING_400].in[p].skewness / a[RISING_400].in[p].skewness,
                a[FALLING_200].in[p].skewness / a[RISING_200].in[p].skewness);
}

/* ------------------------------------------------------------------------- statements of the paper and our values */
/* Writes the largest difference, over all instants, between the results at the paper's spacing (coarse) and the results
 * at half of it (a). */
static void say_resolution(const instant *a, const instant *coarse, results *r) {
    double velocity = 0, stress = 0, share = 0;
    for (int k = 0; k < INSTANTS; k++) {
        velocity = fmax(velocity, fabs(coarse[k].highest_m_s / a[k].highest_m_s - 1));
        stress = fmax(stress, fabs(coarse[k].in[STENOSIS].wss_max_pa / a[k].in[STENOSIS].wss_max_pa - 1));
        share = fmax(share, fabs(coarse[k].share - a[k].share));
    }
    results_row(r,
                "text|the resolution of the image (0.4 mm) is good|at 0.4 mm the error is up to %.0f %% for the "
                "largest velocity, up to %.0f %% for the largest wall shear stress at the stenosis, up to %.1f points "
                "for the share of the internal carotid",
                100 * velocity, 100 * stress, 100 * share);
}

/* Writes the paper's statements with our values. coarse: our values at the paper's spacing; NULL: not computed. */
static void write_statements(const instant *a, const instant *coarse, results *r) {
    double skew[2], common[2], external[2], ring[2];
    int fastest = 0, highest = 0;
    range_of(a, ORIGIN, offsetof(section, skewness), skew);
    range_of(a, COMMON, offsetof(section, off_parabola), common);
    range_of(a, EXTERNAL, offsetof(section, off_parabola), external);
    range_of(a, STENOSIS, offsetof(section, wss_max_pa), ring);
    for (int k = 0; k < INSTANTS; k++) {
        bool most = true;
        for (int p = 0; p < PLACES; p++)
            most = most && (p == STENOSIS || a[k].in[p].highest_m_s < a[k].in[STENOSIS].highest_m_s);
        fastest += most;
        highest += in_stenosis(&a[k]);
    }
    results_table(r, "statements", "figure|the paper's text|ours");
    results_row(r,
                "9, 10|the velocity in the internal carotid is skewed at every instant|skewness %.2f to %.2f at its "
                "origin (0: symmetric)",
                skew[0], skew[1]);
    results_row(r,
                "9, 10|more in deceleration than in acceleration|smallest ratio: origin %.2f, behind the stenosis %.2f",
                falling_over_rising(a, ORIGIN), falling_over_rising(a, BEHIND));
    results_row(r,
                "11|in the stenosis, too, the velocity is more irregular in diastole|smallest ratio: %.2f (skewness "
                "%.3f and %.3f in deceleration, %.3f and %.3f in acceleration)",
                falling_over_rising(a, STENOSIS), a[FALLING_400].in[STENOSIS].skewness,
                a[FALLING_200].in[STENOSIS].skewness, a[RISING_400].in[STENOSIS].skewness,
                a[RISING_200].in[STENOSIS].skewness);
    results_row(r,
                "10|common and external carotid: Poiseuille flow at every instant|difference from a parabola %.0f "
                "to %.0f %% of the mean velocity in the common, %.0f to %.0f %% in the external carotid",
                100 * common[0], 100 * common[1], 100 * external[0], 100 * external[1]);
    results_row(r, "10|the velocity in the stenosis is the largest of all planes at every instant|at %d of %d instants",
                fastest, INSTANTS);
    results_row(r,
                "12, 13|the wall shear stress is large at the stenosis at every instant|largest of the whole wall at "
                "%d of %d instants",
                highest, INSTANTS);
    results_row(r, "12, 13|with the same intensity at every instant|%.1f to %.1f Pa at the stenosis", ring[0], ring[1]);
    results_row(r,
                "12, 13|at higher Re it is large over more of the internal carotid|99th percentile of the wall from "
                "%.2f Pa (Re 100) to %.2f Pa (peak)",
                a[DIASTOLE].wss_p99_pa, a[PEAK].wss_p99_pa);
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
static void write_readouts(const study_case *const t[2], const instant *const a[2], double dx, results *r) {
    static const char *const cycle[][2] = {{"wss/tawss_mean_pa", "TAWSS, mean (Pa)"},
                                           {"wss/p99_pa", "TAWSS, 99th percentile (Pa)"},
                                           {"wss/osi_mean", "OSI, mean"},
                                           {"pressure_drops/0/value_pa", "mean pressure drop CCA to ICA (Pa)"},
                                           {"pressure_drops/1/value_pa", "mean pressure drop CCA to ECA (Pa)"}};
    static const struct {
        const char *what;
        size_t offset;
    } once[] = {{"flow to ICA (of both)", offsetof(instant, share)},
                {"largest velocity (m/s)", offsetof(instant, highest_m_s)},
                {"WSS, mean (Pa)", offsetof(instant, wss_mean_pa)},
                {"largest WSS of the wall at the stenosis (Pa)", offsetof(instant, in[STENOSIS].wss_max_pa)},
                {"skewness in the origin", offsetof(instant, in[ORIGIN].skewness)},
                {"skewness behind the stenosis", offsetof(instant, in[BEHIND].skewness)}};
    double value[2];
    results_table(
        r, "readouts",
        results_format(r, t[1] ? "readout|when|%.2f mm|%.2f mm|difference (%%)" : "readout|when|%.2f mm", dx, 2 * dx));
    for (size_t k = 0; k < sizeof cycle / sizeof *cycle; k++) {
        for (int n = 0; n < 2 && t[n]; n++)
            value[n] = study_case_readout(t[n], "%s", cycle[k][0]);
        compare(r, cycle[k][1], "over the last cycle", value[0], t[1] ? &value[1] : NULL);
    }
    for (size_t k = 0; k < sizeof once / sizeof *once; k++)
        for (int i = 0; i < INSTANTS; i++) {
            for (int n = 0; n < 2; n++)
                value[n] = *(const double *)((const char *)&a[n][i] + once[k].offset);
            compare(r, once[k].what, instant_of[i].name, value[0], t[1] ? &value[1] : NULL);
        }
}

static void write_pictures(const study_context *x, const study_case *t, const plane *s, const instant *a, results *r) {
    static const char *const picture[][3] = {
        {"sections_instants", "figure9", "Velocity through the sections (figures 9 and 11)"},
        {"velocity_instants", "figure9-along", "Speed in a cut along the vessels at the six instants"},
        {"wss_instants_front", "figure12", "Wall shear stress, front (figure 12)"},
        {"wss_instants_back", "figure13", "Wall shear stress, back (figure 13)"},
        {"wss", "wss", "Wall shear stress averaged over the cycle (TAWSS)"},
        {"osi", "osi", "Oscillatory shear index"}};
    draw_cycle(x, a, r);
    for (size_t k = 0; k < sizeof picture / sizeof *picture; k++)
        study_case_picture(t, picture[k][0], picture[k][1], picture[k][2]);
    for (int p = 0; p < PLACES; p++)
        draw_profile(&s[p], a, p, r);
}

/* Checks the criteria. On a coarse lattice (dx), with 4 cells across the throat, the limits are lower. */
static void check(const instant *a, double dx, double change, double balance, results *r) {
    static const int ascending[][2] = {{DIASTOLE, RISING_200},  {RISING_200, RISING_400},   {RISING_400, PEAK},
                                       {DIASTOLE, FALLING_200}, {FALLING_200, FALLING_400}, {FALLING_400, PEAK}};
    double off = 0, at_once = 0, ring = INFINITY, growth = INFINITY;
    for (int k = 0; k < INSTANTS; k++) {
        off = fmax(off, fabs(a[k].reynolds / instant_of[k].reynolds - 1));
        at_once = fmax(at_once, a[k].balance);
        ring = fmin(ring, a[k].in[STENOSIS].wss_max_pa / a[k].wss_mean_pa);
    }
    for (size_t k = 0; k < sizeof ascending / sizeof *ascending; k++)
        growth = fmin(growth, a[ascending[k][1]].wss_p99_pa / a[ascending[k][0]].wss_p99_pa);
    results_text(r, "The limits were set after values at 0.8 and 0.4 mm had been seen.");
    if (dx >= 0.45)
        results_text(r, "The throat is less than 6 cells wide here; the backflow behind it then depends on the "
                        "position of the cells (4.3, 0.5 and 9.8 %% at 0.8, 0.67 and 0.5 mm), so its limit is lower.");
    results_at_most(r, "change of the velocity from cycle to cycle (%)", 100 * change, 1);
    results_at_most(r, "largest difference from the paper's Reynolds number (%)", 100 * off, 3);
    results_at_most(r, "flow balance over the cycle (%)", 100 * balance, 0.1);
    results_at_most(r, "largest flow balance of an instant (%)", 100 * at_once, 10);
    results_at_least(
        r, "smallest ratio of the skewness in deceleration to that in acceleration, origin of the internal carotid",
        falling_over_rising(a, ORIGIN), 1);
    results_at_least(r, "smallest ratio of the skewness in deceleration to that in acceleration, behind the stenosis",
                     falling_over_rising(a, BEHIND), 1);
    results_at_least(r, "backflow behind the stenosis in deceleration at Re 400 (% of the flow)",
                     100 * a[FALLING_400].in[BEHIND].backflow_ml_s / a[FALLING_400].in[BEHIND].flow_ml_s,
                     dx < 0.45 ? 1 : 0.1);
    results_at_least(r, "smallest ratio of the largest wall shear stress at the stenosis to the mean of the wall", ring,
                     dx < 0.45 ? 2 : 1);
    results_at_least(r,
                     "smallest ratio of the 99th percentile of the wall shear stress to its value at the next lower Re",
                     growth, 1);
}

static void write_text(double dx, double change, const instant *a, double sound_m_s, results *r) {
    results_text(r,
                 "A phantom of 26 x 24 x 70 mm (the paper's patient is not published), stenosis of 40 %% of the "
                 "diameter in the internal branch, Reynolds numbers 99 to 529 in the common carotid, spacing %.2f mm "
                 "(paper: 0.4 mm), `interpolated`, TRT, %d stored instants; the last two cycles differ by %.2f %%. The "
                 "paper prints no numbers: its text is compared at its six instants.",
                 dx, STORES, 100 * change);
    results_text(r,
                 "Flows balance over a cycle only: while the pressure rises, the lattice stores some blood (speed of "
                 "sound %.1f m/s). Static pressure drops include the acceleration of the blood. CCA, ICA, ECA: common, "
                 "internal, external carotid artery.",
                 sound_m_s);
    results_text(
        r, "u: velocity at points x of a section, relative to its middle and radius; m: mean of u. Skewness: |sum u x| "
           "/ sum |u|; `rms difference from a parabola`: root mean square of u - 2 m (1 - x^2), over m. tau: wall "
           "shear stress; "
           "TAWSS: mean of |tau| over a cycle; OSI: (1 - |mean of tau| / TAWSS) / 2; RRT: 1 / ((1 - 2 OSI) TAWSS).");
    results_text(
        r,
        "At a Womersley number of 4.7 the profile of the common carotid is no parabola: flat in acceleration, almost "
        "at rest near the wall in deceleration. With equal outlet pressures (the paper states none) the share of the "
        "internal carotid falls to %.0f %% in deceleration. The flow divider is sharper than an artery's: more stress.",
        100 * a[FALLING_200].share);
}

int study_carotid(const study_context *x, results *r) {
    static instant a[2][INSTANTS];
    plane s[2][PLACES];
    const double dx = 0.2 / x->scale;
    const int n = x->scale >= 1 ? 2 : 1; /* 2: also compute with the paper's spacing */
    study_case t[2];
    const study_case *const cases[2] = {&t[0], n > 1 ? &t[1] : NULL};
    const instant *const instants[2] = {a[0], a[1]};
    for (int k = 0; k < n; k++)
        run(x, (k + 1) * dx, &t[k], s[k], a[k]);
    const double change = study_case_solved(&t[0], "cycle_change"), dt_s = study_case_solved(&t[0], "dt_s"),
                 balance = study_case_readout(&t[0], "flow_balance");
    write_text(dx, change, a[0], dx * 1e-3 / dt_s / sqrt(3.0), r);
    write_instants(a[0], r);
    write_statements(a[0], n > 1 ? a[1] : NULL, r);
    write_pictures(x, &t[0], s[0], a[0], r);
    write_sections(a[0], r);
    write_readouts(cases, instants, dx, r);
    check(a[0], dx, change, balance, r);
    for (int k = 0; k < n; k++)
        study_case_close(&t[k]);
    return r->error;
}
