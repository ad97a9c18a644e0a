/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/boundary/pulse_inlets.h"
#include "common/base/status.h"
#include "solve/boundary/pulse_section.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 1024, HARMONICS = 64, BEATS_MOST = 16, LEAST_NODES = 40, RINGS = 12 };
/* FLOW_LEAST: harmonics of a flow below this part of the largest one are omitted. PROFILE_LEAST: pulse profiles are
 * added until the rest of each difference, root mean square over the section, is below this part of the largest
 * harmonic. CHANGE_LEAST: smallest harmonic relative to the largest flow of a flow that counts as pulsatile.
 * OMITTED_MOST: largest amplitude beyond HARMONICS, relative to the largest harmonic; above it the profile stays
 * steady */
static const double FLOW_LEAST = 1e-3, PROFILE_LEAST = 1e-3, CHANGE_LEAST = 1e-6, OMITTED_MOST = 0.05;

/* Differences uh - u0 of one opening, to be combined: vector 2 h is the real part of harmonic h + 1, vector 2 h + 1 the
 * imaginary part. */
typedef struct {
    int n_vector, n_node;
    double *rest;        /* [n_vector][2][n_node] velocity, and its negative Laplacian per mm2, not yet in a profile */
    double *profile;     /* [OPENING_PULSES][2][n_node] */
    double *coefficient; /* [OPENING_PULSES][n_vector] */
} differences;

/* Amplitudes Qh of the flow of opening k, m3/s. Returns the largest |Qh|; 0 if the flow is steady, or if faster
 * harmonics are too large to be omitted. */
static double find_harmonics(const boundary_values *g, int k, double complex q[HARMONICS]) {
    double most = 0, fastest = 0, mean = 0, omitted = 0;
    memset(q, 0, HARMONICS * sizeof *q);
    for (int n = 0; n < SAMPLES; n++) {
        const double flow = boundary_values_flow_m3_s(g, k, n * g->pulse_period_s / SAMPLES);
        const double complex step = cexp(-2 * M_PI * I * n / SAMPLES);
        double complex turn = 1;
        fastest = fmax(fastest, fabs(flow));
        mean += flow / SAMPLES;
        omitted += flow * flow / SAMPLES;
        for (int h = 0; h < HARMONICS; h++) {
            turn *= step;
            q[h] += 2.0 / SAMPLES * flow * turn;
        }
    }
    omitted -= mean * mean;
    for (int h = 0; h < HARMONICS; h++) {
        most = fmax(most, cabs(q[h]));
        omitted -= 0.5 * pow(cabs(q[h]), 2);
    }
    return most > CHANGE_LEAST * fastest && omitted <= 0.5 * pow(OMITTED_MOST * most, 2) ? most : 0;
}

static double complex mean_of(int n, const double complex *u) {
    double complex sum = 0;
    for (int m = 0; m < n; m++)
        sum += u[m];
    return sum / n;
}

/* Sets the vectors of harmonic h (from 0). u, steady [n_node]: solutions at this frequency and at 0. */
static void add_difference(const pulse_section *s, int h, double flow, double shift, const double complex *u,
                           const double complex *steady, differences *d) {
    const int n = d->n_node;
    const double complex mean = mean_of(n, u);
    const double mean_steady = creal(mean_of(n, steady)), square = s->step_mm * s->step_mm;
    double *real = d->rest + (size_t)(4 * h * n), *imaginary = real + 2 * n;
    for (int m = 0; m < n; m++) {
        const double complex change = flow * (u[m] / mean - steady[m] / mean_steady),
                             bend = flow * ((1 - I * shift * u[m]) / mean - 1 / mean_steady) / square;
        real[m] = creal(change);
        imaginary[m] = cimag(change);
        real[n + m] = creal(bend);
        imaginary[n + m] = cimag(bend);
    }
}

static double inner(int n, const double *a, const double *b) {
    double sum = 0;
    for (int m = 0; m < n; m++)
        sum += a[m] * b[m];
    return sum / n;
}

/* Combines the differences to orthogonal profiles of root mean square 1. least: end of the combination. Returns the
 * number of profiles. */
static int combine_differences(double least, differences *d) {
    const size_t size = 2 * (size_t)d->n_node;
    for (int j = 0; j < OPENING_PULSES; j++) {
        double *e = d->profile + (size_t)j * size, most = 0;
        int pivot = 0;
        for (int v = 0; v < d->n_vector; v++) {
            const double norm = sqrt(inner(d->n_node, d->rest + v * size, d->rest + v * size));
            pivot = norm > most ? v : pivot;
            most = fmax(most, norm);
        }
        if (most <= least)
            return j;
        for (size_t m = 0; m < size; m++)
            e[m] = d->rest[pivot * size + m] / most;
        for (int v = 0; v < d->n_vector; v++) {
            const double part = inner(d->n_node, e, d->rest + v * size);
            d->coefficient[j * d->n_vector + v] = part;
            for (size_t m = 0; m < size; m++)
                d->rest[v * size + m] -= part * e[m];
        }
    }
    return OPENING_PULSES;
}

/* Gives each unknown node (0 in known) beside known nodes their mean, RINGS times. Values beyond the wall continue the
 * profile, because the middle of a link may be there. */
static void extend_values(int n, uint8_t *known, double *ratio, double *curvature) {
    for (int ring = 1; ring <= RINGS; ring++)
        for (int at = n + 1; at < n * n - n - 1; at++) {
            double sum[2] = {0}, count = 0;
            if (known[at])
                continue;
            for (int side = 0; side < 9; side++) {
                const int from = at + (side / 3 - 1) * n + side % 3 - 1;
                if (!known[from] || known[from] > ring)
                    continue;
                sum[0] += ratio[from];
                sum[1] += curvature[from];
                count++;
            }
            if (!(count > 0))
                continue;
            ratio[at] = sum[0] / count;
            curvature[at] = sum[1] / count;
            known[at] = (uint8_t)(ring + 1);
        }
}

/* Sets the profiles of p on the grid. */
static int fill_profiles(const pulse_section *s, const double complex *steady, const differences *d, opening_pulse *p) {
    const size_t nodes = (size_t)(s->n * s->n);
    const double mean = creal(mean_of(d->n_node, steady));
    uint8_t *known = malloc(nodes);
    p->n = s->n;
    p->step_mm = s->step_mm;
    memcpy(p->centre_mm, s->centre_mm, sizeof p->centre_mm);
    memcpy(p->axis, s->axis, sizeof p->axis);
    p->ratio = calloc(nodes * (size_t)p->n_profile, sizeof *p->ratio);
    p->curvature = calloc(nodes * (size_t)p->n_profile, sizeof *p->curvature);
    if (!known || !p->ratio || !p->curvature) {
        free(known);
        return fail_memory("the pulse profiles", 16.0 * (double)nodes * p->n_profile);
    }
    for (int j = 0; j < p->n_profile; j++) {
        const double *e = d->profile + (size_t)(2 * j) * (size_t)d->n_node;
        double *ratio = p->ratio + (size_t)j * nodes, *curvature = p->curvature + (size_t)j * nodes;
        memset(known, 0, nodes);
        for (int m = 0; m < d->n_node; m++) {
            ratio[s->node[m]] = e[m] * mean / creal(steady[m]);
            curvature[s->node[m]] = e[d->n_node + m];
            known[s->node[m]] = 1;
        }
        extend_values(s->n, known, ratio, curvature);
    }
    free(known);
    return OK;
}

/* Sets the amplitudes of the profiles over time. */
static int fill_waves(const double complex *q, const differences *d, boundary_pulse *p) {
    p->n_harmonic = d->n_vector / 2;
    p->wave = calloc((size_t)(p->profile.n_profile * d->n_vector) + 1, sizeof *p->wave);
    if (!p->wave)
        return fail_memory("the pulse profiles", 8.0 * d->n_vector);
    for (int j = 0; j < p->profile.n_profile; j++)
        for (int h = 0; h < p->n_harmonic; h++) {
            const double *part = d->coefficient + j * d->n_vector + 2 * h;
            const double complex wave = cabs(q[h]) > 0 ? (part[0] + I * part[1]) * q[h] / cabs(q[h]) : 0;
            p->wave[2 * (j * p->n_harmonic + h)] = creal(wave);
            p->wave[2 * (j * p->n_harmonic + h) + 1] = cimag(wave);
        }
    return OK;
}

static int differences_create(int n_harmonic, int n_node, differences *d) {
    const size_t size = 2 * (size_t)n_node;
    d->n_vector = 2 * n_harmonic;
    d->n_node = n_node;
    d->rest = calloc((size_t)d->n_vector * size, sizeof *d->rest);
    d->profile = calloc(OPENING_PULSES * size, sizeof *d->profile);
    d->coefficient = calloc(OPENING_PULSES * (size_t)d->n_vector, sizeof *d->coefficient);
    return d->rest && d->profile && d->coefficient
               ? OK
               : fail_memory("the pulse profiles", 8.0 * (double)(d->n_vector + OPENING_PULSES) * (double)size);
}

static void differences_free(differences *d) {
    free(d->rest);
    free(d->profile);
    free(d->coefficient);
}

/* Sets the pulse profiles of opening k, whose section is s. q: amplitudes of its flow, the largest of which is most. */
static int set_opening(const pulse_section *s, double nu_m2_s, const double complex *q, double most, int k,
                       boundary_values *g) {
    boundary_pulse *p = &g->pulse[k];
    differences d = {0};
    double complex *steady = malloc((size_t)s->n_inside * sizeof *steady), *u = malloc((size_t)s->n_inside * sizeof *u);
    int rc = OK, n_harmonic = 0;
    if (!steady || !u)
        GIVE_UP(fail_memory("the pulse profiles", 32.0 * s->n_inside));
    for (int h = 0; h < HARMONICS; h++)
        n_harmonic = cabs(q[h]) > FLOW_LEAST * most ? h + 1 : n_harmonic;
    TRY(differences_create(n_harmonic, s->n_inside, &d));
    TRY(pulse_section_solve(s, 0, steady));
    for (int h = 0; h < n_harmonic; h++) {
        const double shift = 2 * M_PI * (h + 1) / g->pulse_period_s * 1e-6 * s->step_mm * s->step_mm / nu_m2_s;
        if (cabs(q[h]) <= FLOW_LEAST * most)
            continue;
        TRY(pulse_section_solve(s, shift, u));
        add_difference(s, h, cabs(q[h]), shift, u, steady, &d);
    }
    p->profile.n_profile = combine_differences(PROFILE_LEAST * most, &d);
    if (p->profile.n_profile == 0)
        goto cleanup;
    TRY(fill_profiles(s, steady, &d, &p->profile));
    TRY(fill_waves(q, &d, p));
    g->condition[k].pulse = &p->profile;
    g->n_pulse = p->profile.n_profile > g->n_pulse ? p->profile.n_profile : g->n_pulse;
cleanup:
    free(steady);
    free(u);
    differences_free(&d);
    return rc;
}

/* Period of the pulse profiles: the period of the waveforms if they have the same one, otherwise a whole cycle. */
static double find_period(const boundary_values *g) {
    for (int k = 0; k < g->n; k++)
        if (g->wave[k].n > 0 && fabs(g->wave[k].period_s - g->beat_s) > 1e-6 * g->beat_s)
            return g->period_s;
    return g->beat_s;
}

int pulse_inlets_set(const lattice *l, const uint8_t *mark, const double *nu_m2_s, boundary_values *g) {
    int rc = OK;
    pulse_section s = {0};
    if (l->periodic[0] || l->periodic[1] || l->periodic[2] || !(g->period_s > 0))
        return OK;
    g->pulse_period_s = find_period(g);
    if (g->pulse_period_s > BEATS_MOST * g->beat_s)
        return OK; /* a beat would have too few of the HARMONICS */
    for (int k = 0; k < g->n; k++) {
        const domain_condition *c = &g->condition[k];
        double complex q[HARMONICS];
        if (c->kind != DOMAIN_FLOW || c->profile != PROFILE_DEVELOPED || c->on_site)
            continue;
        const double most = find_harmonics(g, k, q);
        if (!(most > 0))
            continue;
        TRY(pulse_section_create(l, mark, k, &s));
        if (s.n_inside >= LEAST_NODES)
            TRY(set_opening(&s, nu_m2_s[k], q, most, k, g));
        pulse_section_free(&s);
    }
cleanup:
    pulse_section_free(&s);
    return rc;
}
