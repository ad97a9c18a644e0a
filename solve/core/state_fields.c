/* SPDX-License-Identifier: Apache-2.0 */
/* See state_fields.h. */
#include "solve/core/state_fields.h"
#include "common/base/status.h"
#include "solve/core/half.h"
#include <stdlib.h>

enum { STRETCH = 2048 }; /* cells per block, so that their fields stay in the cache for all directions */

#define LATTICE_Q 27
typedef double real;
#include "solve/kernels/velocity_set.h"

int state_fields_create(state_fields *f, int64_t n_cell) {
    *f = (state_fields){.density = malloc((size_t)n_cell * sizeof *f->density),
                        .velocity = malloc(3 * (size_t)n_cell * sizeof *f->velocity),
                        .stress = malloc(6 * (size_t)n_cell * sizeof *f->stress)};
    if (f->density && f->velocity && f->stress)
        return OK;
    state_fields_free(f);
    return fail_memory("the fields of the flow", 40.0 * (double)n_cell);
}

void state_fields_free(state_fields *f) {
    free(f->density);
    free(f->velocity);
    free(f->stress);
    *f = (state_fields){0};
}

void state_fields_retime(state_fields *f, int64_t n_cell, double factor) {
    const float once = (float)factor, twice = (float)(factor * factor);
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < n_cell; c++) {
        f->density[c] *= twice;
        for (int k = 0; k < 3; k++)
            f->velocity[3 * c + k] *= once;
        for (int k = 0; k < 6; k++)
            f->stress[6 * c + k] *= twice;
    }
}

static void store_value(void *to, int precision, size_t at, double value) {
    if (precision == BACKEND_DOUBLE)
        ((double *)to)[at] = value;
    else if (precision == BACKEND_HALF)
        ((uint16_t *)to)[at] = half_from_float((float)value * HALF_UNIT);
    else
        ((float *)to)[at] = (float)value;
}

static double weight_of(int directions, int a) {
    if (directions == LATTICE_D3Q27)
        return velocity_set_weight(a);
    return a == 0 ? 1.0 / 3.0 : a < 7 ? 1.0 / 18.0 : 1.0 / 36.0;
}

/* Returns 1 - omega_plus / 2 at a cell, with the omega_plus of its viscosity at the viscous stress p. */
static double viscous_part(const backend_settings *s, const float *p) {
    const double trace = ((double)p[0] + p[1] + p[2]) / 3;
    double square = 0;
    if (!s->viscosity)
        return 1 - 0.5 * s->omega_plus;
    for (int k = 0; k < 3; k++)
        square += (p[k] - trace) * (p[k] - trace) + 2 * (double)p[k + 3] * p[k + 3];
    const double three_nu = viscosity_table_three_nu(s->viscosity->stress, square);
    return three_nu / (0.5 + three_nu);
}

/* Momentum of a cell over its velocity: j = u - F / 2 with the drag F = -s u of a porous cell
 * (kernels/porous_drag.h). */
static double momentum_factor(const domain *d, const backend_settings *s, int64_t c) {
    return s->porous && d->region ? 1 + 0.5 * s->porous->drag[d->region[c]] : 1;
}

/* Population a of the own cell c. */
static double population_of(const domain *d, const backend_settings *s, const state_fields *f, int64_t c, int a) {
    const double rho = f->density[c], x = f->velocity[3 * c], y = f->velocity[3 * c + 1], z = f->velocity[3 * c + 2];
    const float *p = f->stress + 6 * c;
    const double eu = velocity_set_dot(a, x, y, z) * (a > 0), u2 = x * x + y * y + z * z;
    const double e[3] = {lattice_e[a][0], lattice_e[a][1], lattice_e[a][2]};
    const double trace = ((double)p[0] + p[1] + p[2]) / 3, part = viscous_part(s, p);
    /* D3Q27: removes the part 9/4 omega_plus u_x^2 of the stress, which the collision of cumulants adds (moments.h) */
    const double added = d->directions == LATTICE_D3Q27 ? 4.5 * (1 - part) : 0;
    const double xx = (p[0] - trace) / (1 + added * x * x), yy = (p[1] - trace) / (1 + added * y * y),
                 zz = (p[2] - trace) / (1 + added * z * z);
    const double bend = e[0] * e[0] * xx + e[1] * e[1] * yy + e[2] * e[2] * zz - (xx + yy + zz) / 3 +
                        2 * (e[0] * e[1] * p[3] + e[0] * e[2] * p[4] + e[1] * e[2] * p[5]);
    return weight_of(d->directions, a) *
           (rho + 3 * momentum_factor(d, s, c) * eu + 4.5 * eu * eu - 1.5 * u2 - 4.5 * bend / part);
}

/* Population a of cell c; outer: populations of halo cells (halo_populations). */
static double population_at(const domain *d, const backend_settings *s, const state_fields *f, const double *outer,
                            int64_t c, int a) {
    return c < d->n_cell ? population_of(d, s, f, c, a) : outer[a * d->n_halo + c - d->n_cell];
}

/* Populations [directions][n_halo] of the halo cells of a part that walls need, received from the parts that own these
 * cells. Two exchanges, as after an odd step (halo.h): the first one gives the populations of links between parts, the
 * second one the wall values. */
static int halo_populations(const domain *d, const backend_settings *s, const state_fields *f, double **out) {
    const halo *h = d->part;
    const size_t n_sent = (size_t)h->first_sent[h->n_peer], n_received = (size_t)h->first_received[h->n_peer];
    double *send = malloc((n_sent + 1) * sizeof *send), *recv = malloc((n_received + 1) * sizeof *recv);
    int rc = OK;
    *out = calloc((size_t)(d->directions * d->n_halo) + 1, sizeof **out);
    if (!send || !recv || !*out)
        rc = fail_memory("the halo", 8.0 * (double)(d->directions * d->n_halo));
    for (int odd = 0; odd < 2 && rc == OK; odd++) {
        const halo_values from = h->sent[odd], to = h->received[odd];
        for (size_t k = 0; k < n_sent; k++)
            send[k] = population_at(d, s, f, *out, from.cell[k], from.slot[k]);
        rc = h->exchange(h->data, send, recv, sizeof *send);
        for (size_t k = 0; k < n_received && rc == OK; k++)
            if (to.cell[k] >= d->n_cell)
                (*out)[to.slot[k] * d->n_halo + to.cell[k] - d->n_cell] = recv[k];
    }
    free(send);
    free(recv);
    return rc;
}

/* Terms that a quadratic wall adds on arrival (eq. 2b): C f_i, and M times the population two cells from the wall.
 * leaving: f_i. */
static double quadratic_terms(const domain *d, const backend_settings *s, const state_fields *f, const double *outer,
                              const domain_link *k, double leaving) {
    const domain_behind *behind = &d->behind[k - d->link];
    const double q = k->q;
    if (q < 0.5)
        return (1 - 4 * q * q) * leaving - q * (1 - 2 * q) * population_at(d, s, f, outer, behind->next, k->dir);
    return -(2 * q - 1) / (2 * q + 1) * population_at(d, s, f, outer, behind->third, velocity_set_opposite(k->dir));
}

/* The terms C f_i + D of the population that arrives over a cut link (solve/BOUNDARY_LINKS.md, eq. 1). */
static double arriving_population(const domain *d, const backend_settings *s, const state_fields *f,
                                  const double *outer, const domain_link *k, double leaving,
                                  const prescribed_value *given, double mass_correction) {
    if (d->behind && d->behind[k - d->link].next >= 0)
        return mass_correction + quadratic_terms(d, s, f, outer, k, leaving);
    if (!k->opening)
        return mass_correction + (k->q < 0.5f ? (1 - 2.0 * k->q) * leaving : 0.0);
    const domain_opening *o = &d->opening[k->opening - 1];
    if (o->kind == DOMAIN_MOVING_WALL)
        return k->weight * given[k->opening - 1].wall_speed + (k->q < 0.5f ? (1 - 2.0 * k->q) * leaving : 0.0);
    return o->kind == DOMAIN_FLOW && !o->on_site ? domain_inflow(d, k, given) : 0.0;
}

int state_slots(const domain *d, const backend_settings *s, const state_fields *f, const prescribed_value *given,
                double mass_correction, void *slots, void *kept) {
    const size_t n = (size_t)d->n_cell;
    double *outer = NULL;
    int rc = OK;
    if (d->part && d->behind)
        TRY(halo_populations(d, s, f, &outer));
#pragma omp parallel for schedule(static)
    for (int64_t first = 0; first < d->n_cell; first += STRETCH)
        for (int a = 0; a < d->directions; a++)
            for (int64_t c = first; c < first + STRETCH && c < d->n_cell; c++)
                store_value(slots, s->precision, (size_t)a * n + (size_t)c, population_of(d, s, f, c, a));
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < d->n_link; i++) {
        const domain_link *k = d->link + i;
        const int a = velocity_set_opposite(k->dir);
        const double leaving = population_of(d, s, f, k->cell, k->dir);
        store_value(slots, s->precision, (size_t)a * n + (size_t)k->cell,
                    population_of(d, s, f, k->cell, a) -
                        arriving_population(d, s, f, outer, k, leaving, given, mass_correction));
    }
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < d->n_partial; k++)
        store_value(kept, s->precision, (size_t)k,
                    d->partial[k].theta * population_of(d, s, f, d->partial[k].cell, d->partial[k].dir));
cleanup:
    free(outer);
    return rc;
}
