/* SPDX-License-Identifier: Apache-2.0 */
/* See extremes.h. */
#include "post/readouts/extremes.h"
#include "common/lattice/lattice.h"
#include <math.h>

/* A later pair of openings replaces an earlier pair only if its pressure drop is larger by more than this fraction.
 * Outlets with the same prescribed pressure have equal drops up to rounding, so the first pair stays. */
static const double rounding = 1e-9;

/* Pressure of opening k in a row of the monitors. If m is NULL: pressure of the opening in p. */
static double pressure_of(const place *p, int k, const monitors *m, int row) {
    return m ? m->pressure_pa[(size_t)k * (size_t)m->n + (size_t)row] : p[k].pressure_pa;
}

static readouts_drop largest_drop(int n, const place *p, const monitors *m, int row) {
    readouts_drop d = {.value_pa = NAN};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double drop = pressure_of(p, i, m, row) - pressure_of(p, j, m, row);
            if (p[i].role == LATTICE_MOVING_WALL || p[j].role == LATTICE_MOVING_WALL || p[i].piece != p[j].piece ||
                !(drop > 0) || (d.from && !(drop > (1 + rounding) * d.value_pa)))
                continue;
            d = (readouts_drop){p[i].name, p[j].name, drop};
        }
    return d;
}

readouts_drop extremes_drop(int n, const place *p) {
    return largest_drop(n, p, NULL, 0);
}

readouts_drop extremes_row_drop(int n, const place *p, const monitors *m, int row) {
    return largest_drop(n, p, m, row);
}

/* Sum of the flows of all openings where blood enters, in row i of the monitors. */
static double inflow_of_row(int n, const place *p, const monitors *m, int i) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
        const double flow = m->flow_ml_s[(size_t)k * (size_t)m->n + (size_t)i];
        if (p[k].role != LATTICE_MOVING_WALL)
            sum += fmax(p[k].role == LATTICE_INLET ? flow : -flow, 0);
    }
    return sum;
}

readouts_peak extremes_peak(int n, const place *p, const case_file *c, const monitors *m, double period_s) {
    readouts_peak peak = {.time_s = NAN, .inflow_ml_s = NAN, .reynolds = NAN, .drop = {.value_pa = NAN}};
    int at = -1;
    double most = 0;
    const double start_s = m->n > 0 ? m->time_s[m->n - 1] - period_s : NAN;
    for (int i = 0; i < m->n && m->n_opening == n; i++) {
        const double inflow = m->time_s[i] >= start_s ? inflow_of_row(n, p, m, i) : 0;
        if (inflow > most) {
            most = inflow;
            at = i;
        }
    }
    if (at < 0)
        return peak;
    peak.time_s = m->time_s[at] - start_s;
    peak.inflow_ml_s = most;
    const viscosity_law law = case_viscosity_law(c);
    for (int k = 0; k < n; k++) {
        const double velocity_m_s = m->flow_ml_s[(size_t)k * (size_t)m->n + (size_t)at] / p[k].area_mm2;
        const double reynolds = readout_place_reynolds(p[k].area_mm2, velocity_m_s, c->blood.density_kg_m3, &law);
        if (p[k].role == LATTICE_MOVING_WALL || !isfinite(reynolds) || reynolds <= fmax(peak.reynolds, 0))
            continue;
        peak.reynolds = reynolds;
        peak.reynolds_at = p[k].name;
    }
    peak.drop = largest_drop(n, p, m, at);
    return peak;
}
