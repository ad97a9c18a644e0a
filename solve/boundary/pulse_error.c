/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/boundary/pulse_error.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/lattice/resolution.h"
#include "solve/boundary/womersley.h"
#include <math.h>

enum { SAMPLES = 512 };
/* Upper limit of the error by the speed of sound, relative to the friction of the mean flow */
static const double SOUND_PART = 0.03;

bool pulse_error_varies(const waveform *w) {
    const double mean = waveform_mean_m3_s(w);
    double most = 0;
    for (int i = 0; i < w->n; i++)
        most = fmax(most, fabs(w->flow_m3_s[i] - mean));
    return most > fabs(mean);
}

int pulse_error_check_cumulants(const case_file *c) {
    int rc = OK;
    for (int k = 0; k < c->n_opening && c->solve.mode == MODE_PULSATILE && case_uses_cumulants(c); k++) {
        waveform w = {0};
        if (c->opening[k].condition != CONDITION_WAVEFORM)
            continue;
        rc = case_open_waveform(c, &c->opening[k], &w);
        if (rc == OK && pulse_error_varies(&w))
            rc = fail(ERR_INPUT,
                      "opening '%s': the flow varies by more than its mean, and with the collision cumulant mean "
                      "pressure drops would be wrong by up to 50 %%; write solve: {collision: trt}",
                      c->opening[k].name);
        waveform_free(&w);
        if (rc != OK)
            break;
    }
    return rc;
}

/* Friction loss of a flow from opening k to the farthest opening, in a straight pipe of the opening's diameter. */
static double friction_pa(const case_file *c, const lattice *l, int k, double flow_m3_s) {
    const lattice_opening *o = &l->opening[k];
    const double area = 1e-6 * o->area_mm2;
    double longest_mm = 0;
    for (int n = 0; n < l->n_opening; n++)
        longest_mm = fmax(longest_mm, vec_distance(o->centre_mm, l->opening[n].centre_mm));
    return 8 * M_PI * c->blood.viscosity_pa_s * 1e-3 * longest_mm * fabs(flow_m3_s) / (area * area);
}

double pulse_error_friction_pa(const case_file *c, const lattice *l, const boundary_values *g) {
    double most = 0;
    for (int k = 0; k < g->n; k++)
        most = fmax(most, friction_pa(c, l, k, g->mean_m3_s[k]));
    return most;
}

/* Error by numerical friction of two relaxation times (cumulants: pulse_error_check_cumulants). At each instant the
 * bound of the friction is its value at the peak times (Q / Qmax)^2. The friction of the mean flow is subtracted: it is
 * no error of the pulsation. */
static double friction_error_pa(const case_file *c, const lattice *l, const boundary_values *g, int k,
                                const pulse_lattice *on) {
    const lattice_opening *o = &l->opening[k];
    const double nu = c->blood.viscosity_pa_s / c->blood.density_kg_m3, period_s = g->wave[k].period_s;
    double most = 0, mean = 0, cube = 0;
    for (int n = 0; n < SAMPLES; n++) {
        const double flow = waveform_flow_m3_s(&g->wave[k], period_s * n / SAMPLES);
        most = fmax(most, fabs(flow));
        mean += flow / SAMPLES;
        cube += flow * flow * flow / SAMPLES;
    }
    if (!(most > 0))
        return 0;
    const double peak = 2 * most / (1e-6 * o->area_mm2) * on->spacing_m / nu;
    const double friction = resolution_friction(false, peak, 2e-3 * o->radius_mm / on->spacing_m);
    return resolution_friction_bound(friction) *
           friction_pa(c, l, k, fmax(fabs(cube) - pow(fabs(mean), 3), 0) / (most * most));
}

/* The harmonics of the flow of opening k; false: no flow is prescribed there, or no waveform. */
static bool series_of(const case_file *c, const lattice *l, const boundary_values *g, int k, womersley_series *s) {
    if (g->condition[k].kind != DOMAIN_FLOW || g->wave[k].n == 0)
        return false;
    *s = womersley_series_of(&g->wave[k], 1e-3 * l->opening[k].radius_mm,
                             c->blood.viscosity_pa_s / c->blood.density_kg_m3);
    return true;
}

/* Error by the growth of the momentum flux. */
static double growth_error_pa(const case_file *c, const lattice_opening *o, const womersley_series *s,
                              const pulse_lattice *on) {
    const double area = 1e-6 * o->area_mm2;
    return c->blood.density_kg_m3 * womersley_growth(s, on->spacing_m, on->regularized, on->angle) / (area * area);
}

double pulse_error_pa(const case_file *c, const lattice *l, const boundary_values *g, int k, const pulse_lattice *on) {
    womersley_series s;
    if (!series_of(c, l, g, k, &s))
        return 0;
    return growth_error_pa(c, &l->opening[k], &s, on) + (on->spacing_m > 0 ? friction_error_pa(c, l, g, k, on) : 0);
}

double pulse_error_sound_angle(const case_file *c, const lattice *l, const boundary_values *g) {
    const double most = SOUND_PART * pulse_error_friction_pa(c, l, g);
    pulse_lattice sound = {.angle = SCALE_SOUND_MOST};
    womersley_series s;
    for (int k = 0; k < g->n && g->period_s > 0; k++) {
        const bool pulsates = series_of(c, l, g, k, &s);
        while (pulsates && sound.angle > SCALE_SOUND_ANGLE && growth_error_pa(c, &l->opening[k], &s, &sound) > most)
            sound.angle *= 0.95;
    }
    return fmax(sound.angle, SCALE_SOUND_ANGLE);
}
