/* SPDX-License-Identifier: Apache-2.0 */
/* verify:womersley. Sinusoidal flow Q = Qm + Re(Qa e^(i w t)) through a pipe of radius R (Womersley 1955). With L =
 * i^(3/2) alpha, alpha = R sqrt(w / nu), G = J1(L) / J0(L):
 *   u(r)  = Qa / (pi R^2) (1 - J0(L r/R) / J0(L)) / (1 - 2 G / L)      tau = - mu L/R G Qa / (pi R^2) / (1 - 2 G / L)
 * J0 and J1 by power series, accurate to 1e-12 for |L| <= 10. */
#include "pipeline/reproduce/numbers.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/run/stages.h"
#include <complex.h>

/* Same values as in case.yaml and the waveform of this study. */
static const double radius_mm = 8, density = 1060, period_s = 1, mean_m_s = 0.01, part = 0.35;

enum { STORES = 20, PROBES = 2000, PROFILE = 33, ALPHAS = 3, SHOWN = 4 };
static const double alpha_of[ALPHAS] = {2, 4, 8};

typedef struct {
    /* relative errors of amplitudes; errors of phases in degrees */
    double flow_amplitude, flow_phase, wss_amplitude, wss_phase;
    double wss_mean, cycles, cycle_change;
    double r[PROFILE], u[SHOWN][PROFILE]; /* r: radius, mm; u: velocity, m/s, at instants 0, 5, 10 and 15 of 20 */
} found;

static double complex bessel(int order, double complex z) {
    double complex term = order ? z / 2 : 1, sum = term;
    for (int k = 1; k < 80; k++) {
        term *= -z * z / (4.0 * k * (k + order));
        sum += term;
    }
    return sum;
}

/* Complex amplitude of the velocity at radius r, over the amplitude of the mean velocity. */
static double complex exact_u(double alpha, double r) {
    double complex l = cexp(0.75 * M_PI * I) * alpha, g = bessel(1, l) / bessel(0, l);
    return (1 - bessel(0, l * r / radius_mm) / bessel(0, l)) / (1 - 2 * g / l);
}

static double complex exact_wss(double alpha, double viscosity_pa_s) {
    double complex l = cexp(0.75 * M_PI * I) * alpha, g = bessel(1, l) / bessel(0, l);
    return -viscosity_pa_s * l / (radius_mm * 1e-3) * g * part * mean_m_s / (1 - 2 * g / l);
}

/* First harmonic of STORES values over one period. */
static double complex harmonic(const double *value) {
    double complex sum = 0;
    for (int k = 0; k < STORES; k++)
        sum += value[k] * cexp(-2 * M_PI * I * k / STORES);
    return 2 * sum / STORES;
}

static double degrees(double complex z) {
    return carg(z) * 180 / M_PI;
}

static void read_flow(const study_case *t, double flow[STORES], found *out) {
    static double point[PROBES + PROFILE][3], velocity[PROBES + PROFILE][3];
    for (int k = 0; k < PROBES + PROFILE; k++) {
        double a, b;
        numbers_disc(k, PROBES, &a, &b);
        point[k][0] = radius_mm * (k < PROBES ? a : 0.999 * numbers_between(k - PROBES, PROFILE, -1, 1));
        point[k][1] = k < PROBES ? radius_mm * b : 0;
        point[k][2] = 0;
    }
    for (int k = 0; k < PROFILE; k++)
        out->r[k] = point[PROBES + k][0];
    for (int i = 0; i < STORES; i++) {
        study_case_probe_instant(t, i, PROBES + PROFILE, point, velocity, NULL);
        flow[i] = 0;
        for (int k = 0; k < PROBES; k++)
            flow[i] += isnan(velocity[k][2]) ? 0 : velocity[k][2] / PROBES;
        for (int k = 0; k < PROFILE && i % (STORES / SHOWN) == 0; k++)
            out->u[i / (STORES / SHOWN)][k] = velocity[PROBES + k][2];
    }
}

static void run_womersley(const study_context *x, double alpha, int cells, found *out) {
    double flow[STORES], wss[STORES], mean = 0;
    const double dx = 2 * radius_mm / cells, margin = radius_mm + 3 * dx;
    const double viscosity = density * radius_mm * radius_mm * 1e-6 * 2 * M_PI / period_s / (alpha * alpha);
    study_case t;
    study_case_open(&t, x, x->source, "alpha%.0f-%d", alpha, cells);
    study_case_set(&t, "blood.viscosity", "%.12g mPa s", 1e3 * viscosity);
    study_case_set(&t, "mesh.spacing", "%.12g mm", dx);
    study_case_set(&t, "mesh.box.low", "[%.12g, %.12g, %.12g]", -margin, -margin, -margin);
    study_case_set(&t, "mesh.box.high", "[%.12g, %.12g, %.12g]", margin, margin, margin);
    study_case_set(&t, "solve.stores", "%d", STORES);
    study_case_run(&t, STAGE_POST);
    read_flow(&t, flow, out);
    for (int k = 0; k < STORES; k++) {
        wss[k] = study_case_number(&t, "post/post.json", "result/instants/%d/wss_mean_pa", k);
        mean += wss[k] / STORES;
    }
    out->cycles = study_case_solved(&t, "cycles");
    out->cycle_change = study_case_solved(&t, "cycle_change");
    const double complex q = harmonic(flow) / (part * mean_m_s), tau = harmonic(wss) / exact_wss(alpha, viscosity);
    out->flow_amplitude = cabs(q) - 1;
    out->flow_phase = degrees(q);
    out->wss_amplitude = cabs(tau) - 1;
    out->wss_phase = degrees(tau);
    out->wss_mean = mean / (4 * viscosity * mean_m_s / (radius_mm * 1e-3)) - 1;
    study_case_close(&t);
}

/* Velocity at radius r at an instant, a fraction of the period, for this alpha. */
typedef struct {
    double alpha, instant;
} profile;

static double exact_m_s(double r, const void *data) {
    const profile *p = data;
    return mean_m_s * (2 * (1 - pow(r / radius_mm, 2)) +
                       part * creal(exact_u(p->alpha, fabs(r)) * cexp(2 * M_PI * I * p->instant)));
}

static void draw(results *r, double alpha, int cells, const found *f) {
    plot p = plot_new(r, results_format(r, "alpha%.0f", alpha),
                      results_format(r, "Velocity at four instants, alpha %.0f, %d cells across", alpha, cells),
                      "r (mm)", "velocity (m/s)");
    for (int i = 0; i < SHOWN; i++) {
        const profile exact = {alpha, (double)i / SHOWN};
        p.colour = i + 1;
        plot_function(&p, results_format(r, "exact, t = %.2f s", exact.instant * period_s), PLOT_LINE, 101, -radius_mm,
                      radius_mm, exact_m_s, &exact);
        plot_curve(&p, PLOT_POINTS, PROFILE, f->r, f->u[i], "ours, t = %.2f s", exact.instant * period_s);
    }
    plot_write(&p);
}

int study_womersley(const study_context *x, results *r) {
    static found now[ALPHAS][2];
    double worst[2] = {0, 0};
    /* the coarser lattice has 8 cells per diameter or more, because 4 give no wall shear stress */
    const int fine = 2 * (int)fmax(round(16 * x->scale), 8);
    results_text(
        r,
        "Pipe of 16 mm, inflow 2.01 mL/s with a cosine of 35 %% and a period of 1 s, default settings, `interpolated`, "
        "TRT, float; the viscosity sets alpha. Developed inlet profile, extensions of one diameter. First harmonics of "
        "the flow one diameter behind the inlet and of the wall shear stress (`post`) against the exact solution.");
    results_table(r, "harmonics",
                  "alpha|cells across|flow amplitude error (%)|flow phase error (deg)|WSS amplitude error "
                  "(%)|WSS phase error (deg)|mean WSS error (%)|cycles|change of the last cycle (%)");
    for (int a = 0; a < ALPHAS; a++)
        for (int k = 0; k < 2; k++) {
            found *f = &now[a][k];
            const int cells = k ? fine : fine / 2;
            run_womersley(x, alpha_of[a], cells, f);
            results_row(r, "%.0f|%d|%.3f|%.3f|%.3f|%.3f|%.3f|%.0f|%.3f", alpha_of[a], cells, 100 * f->flow_amplitude,
                        f->flow_phase, 100 * f->wss_amplitude, f->wss_phase, 100 * f->wss_mean, f->cycles,
                        100 * f->cycle_change);
            if (k == 0)
                continue;
            worst[0] = fmax(worst[0], fmax(fabs(f->flow_amplitude), fabs(f->wss_amplitude)));
            worst[1] = fmax(worst[1], fmax(fabs(f->flow_phase), fabs(f->wss_phase)));
        }
    for (int a = 0; a < ALPHAS; a++)
        draw(r, alpha_of[a], fine, &now[a][1]);
    results_at_most(r, "largest error of an amplitude (%)", 100 * worst[0], fine == 32 ? 1 : 10);
    results_at_most(r, "largest error of a phase (deg)", worst[1], fine == 32 ? 1 : 10);
    return r->error;
}
