/* SPDX-License-Identifier: Apache-2.0 */
#include "common/liver/compartments.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-11; /* residual over right side, both in the norm of the preconditioner */
enum { MOST_STEPS = 20000 };

lobule_quantity compartments_default_permeability_m2(void) {
    return (lobule_quantity){3.3e-9, 2.5e-9};
}

/* Part of a cell in the ball around the point, from SUB^3 points of the cell. */
static double part_in_ball(const liver_grid *g, int64_t cell, const double point_mm[3], double radius_mm) {
    enum { SUB = 6 };
    double index[3], centre[3], lps[3], half_mm = 0;
    int n = 0;
    liver_grid_centre(g, cell, lps);
    for (int a = 0; a < 3; a++)
        half_mm += 0.5 * g->spacing_mm[a];
    if (vec_distance(lps, point_mm) > radius_mm + half_mm)
        return 0;
    volume_to_index(&g->image, point_mm, index);
    volume_to_index(&g->image, lps, centre);
    for (int k = 0; k < SUB * SUB * SUB; k++) {
        const int at[3] = {k % SUB, k / SUB % SUB, k / SUB / SUB};
        double square = 0;
        for (int a = 0; a < 3; a++)
            square += pow(
                (centre[a] - index[a]) * g->image.spacing_mm[a] + ((at[a] + 0.5) / SUB - 0.5) * g->spacing_mm[a], 2);
        n += square <= radius_mm * radius_mm;
    }
    return (double)n / (SUB * SUB * SUB);
}

/* The cell at the end of a vessel, and the centre of the ball around the end. Returns the distance to the liver. */
static double find_end(const liver_grid *g, const double end_mm[3], double centre_mm[3], int64_t *cell) {
    double off_mm = NAN;
    *cell = liver_grid_nearest(g, end_mm, &off_mm);
    memcpy(centre_mm, end_mm, 3 * sizeof *centre_mm);
    if (off_mm > 0)
        liver_grid_centre(g, *cell, centre_mm);
    return off_mm;
}

double compartments_add_end(const liver_grid *g, const double end_mm[3], double radius_mm, double flow_m3_s,
                            double *source) {
    int64_t nearest;
    double centre_mm[3], mm3 = 0;
    const double off_mm = find_end(g, end_mm, centre_mm, &nearest);
    for (int pass = 0; pass < 2; pass++) /* the volume of the ball, then the flow of each cell */
        for (int64_t i = 0; i < g->n; i++) {
            const double part = part_in_ball(g, i, centre_mm, radius_mm);
            if (pass == 0)
                mm3 += part * g->volume_mm3[i];
            else
                source[i] += flow_m3_s * part * g->volume_mm3[i] / mm3;
        }
    return off_mm;
}

double compartments_hold_end(const liver_grid *g, const double end_mm[3], double radius_mm, const compartments_law *law,
                             double *sink) {
    const double depth_m = 1e-3 * 0.5 * radius_mm;
    const double conductance = law->mobility[COMPARTMENT_HEPATIC] / (depth_m * depth_m);
    int64_t nearest;
    double centre_mm[3];
    const double off_mm = find_end(g, end_mm, centre_mm, &nearest);
    for (int64_t i = 0; i < g->n; i++)
        sink[i] += conductance * 1e-9 * g->volume_mm3[i] * part_in_ball(g, i, centre_mm, radius_mm);
    return off_mm;
}

double compartments_resistance(const lobule_liver *l, const lobule_quantity permeability_m2[2],
                               const double loss_pa_s_m3[2], double end_error, double *error) {
    double square = end_error * end_error, value = NAN;
    for (int q = 0; q <= LOBULE_QUANTITIES + 2; q++) { /* the last without a change */
        double end[2];
        for (int high = 0; high < 2; high++) {
            lobule_liver now = *l;
            double k[2] = {permeability_m2[0].value, permeability_m2[1].value};
            if (q < LOBULE_QUANTITIES)
                now.quantity[q].value += (2 * high - 1) * l->quantity[q].error;
            else if (q < LOBULE_QUANTITIES + 2)
                k[q - LOBULE_QUANTITIES] += (2 * high - 1) * permeability_m2[q - LOBULE_QUANTITIES].error;
            const double viscosity = now.viscosity_pa_s.value / l->viscosity_pa_s.value;
            const double artery = (1 - l->arterial_share.value) / (1 - now.arterial_share.value);
            end[high] = lobule_resistance(&now, &(double){0}) +
                        viscosity * (permeability_m2[0].value / k[0] * loss_pa_s_m3[0] +
                                     artery * permeability_m2[1].value / k[1] * loss_pa_s_m3[1]);
        }
        square += 0.25 * (end[1] - end[0]) * (end[1] - end[0]);
        value = end[0];
    }
    *error = sqrt(square);
    return value;
}

/* Conductance of a face, m3/(Pa s); mm2 / mm is 1e-3 m. */
static double face_conductance(const liver_grid *g, const compartments_law *law, int field, int64_t i, int face) {
    return law->mobility[field] * 1e-3 * (double)g->area_mm2[i][face] / g->spacing_mm[face / 2];
}

/* Conductance between both compartments in a cell, m3/(Pa s). */
static double exchange_conductance(const liver_grid *g, const compartments_law *law, int64_t i) {
    return law->exchange * 1e-9 * g->volume_mm3[i];
}

double compartments_exchange(const liver_grid *g, const compartments_law *law, const double *pressure, int64_t cell) {
    return exchange_conductance(g, law, cell) * (pressure[cell] - pressure[g->n + cell]);
}

/* The linear system: n_field compartments (1: p_h = 0) of n cells. */
typedef struct {
    const liver_grid *g;
    const compartments_law *law;
    const double *sink;
    int n_field;
} network;

/* Row i of one compartment times x; *diagonal: diagonal of the matrix. */
static double multiply_row(const network *a, int field, int64_t i, const double *x, double *diagonal) {
    const int64_t n = a->g->n;
    const double *own = x + field * n, g = exchange_conductance(a->g, a->law, i);
    double sum = g * (own[i] - (a->n_field > 1 ? x[(1 - field) * n + i] : 0));
    *diagonal = g;
    if (field == COMPARTMENT_HEPATIC) {
        sum += a->sink[i] * own[i];
        *diagonal += a->sink[i];
    }
    for (int f = 0; f < 6; f++) {
        const int32_t other = a->g->other[i][f];
        const double c = other < 0 ? 0 : face_conductance(a->g, a->law, field, i, f);
        sum += other < 0 ? 0 : c * (own[i] - own[other]);
        *diagonal += c;
    }
    return sum;
}

static double dot(int64_t n, const double *a, const double *b) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

int compartments_solve(const liver_grid *g, const compartments_law *law, const double *source, const double *sink,
                       double *pressure) {
    const network a = {g, law, sink, sink ? 2 : 1};
    const int64_t n = a.n_field * g->n;
    double *work = calloc(4 * (size_t)n, sizeof *work);
    int rc = OK, step = 0;
    if (!work)
        return fail_memory("the pressures of the liver", 32.0 * (double)n);
    double *r = work, *p = work + n, *q = work + 2 * n, *d = work + 3 * n;
    memset(pressure, 0, 2 * (size_t)g->n * sizeof *pressure);
    memcpy(r, source, (size_t)g->n * sizeof *r);
    double rz = 0, first = 0;
    for (int64_t i = 0; i < n; i++) {
        multiply_row(&a, (int)(i / g->n), i % g->n, p, &d[i]);
        p[i] = r[i] / d[i];
        first += r[i] * p[i];
    }
    for (rz = first; step < MOST_STEPS && rz > TOLERANCE * TOLERANCE * first; step++) {
        double unused, next = 0;
#pragma omp parallel for private(unused) schedule(static)
        for (int64_t i = 0; i < n; i++)
            q[i] = multiply_row(&a, (int)(i / g->n), i % g->n, p, &unused);
        const double alpha = rz / dot(n, p, q);
        for (int64_t i = 0; i < n; i++) {
            pressure[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            next += r[i] * r[i] / d[i];
        }
        for (int64_t i = 0; i < n; i++)
            p[i] = r[i] / d[i] + next / rz * p[i];
        rz = next;
    }
    if (!(rz <= TOLERANCE * TOLERANCE * first))
        rc = fail(ERR_NUMERIC,
                  "the pressures of the liver did not converge in %d steps: residual %.2g (limit %.2g); check the "
                  "permeability and the label image of the liver",
                  MOST_STEPS, sqrt(rz / first), TOLERANCE);
    free(work);
    return rc;
}

typedef struct {
    double pressure_pa;
    int64_t cell;
} ranked_cell;

static int by_falling_pressure(const void *a, const void *b) {
    const ranked_cell *x = a, *y = b;
    return x->pressure_pa != y->pressure_pa ? (x->pressure_pa < y->pressure_pa ? 1 : -1)
                                            : (x->cell > y->cell) - (x->cell < y->cell);
}

int compartments_divide(const liver_grid *g, const compartments_law *law, const double *pressure, int n_end,
                        double *share) {
    ranked_cell *order = malloc((size_t)g->n * sizeof *order);
    if (!order)
        return fail_memory("the territories of the liver", 16.0 * (double)g->n);
    for (int64_t i = 0; i < g->n; i++)
        order[i] = (ranked_cell){pressure[i], i};
    qsort(order, (size_t)g->n, sizeof *order, by_falling_pressure);
    for (int64_t m = 0; m < g->n; m++) { /* blood enters a cell only from cells of higher pressure */
        const int64_t i = order[m].cell;
        double inflow = 0;
        for (int e = 0; e < n_end; e++)
            inflow += share[e * g->n + i];
        for (int e = 0; e < n_end && inflow > 0; e++)
            share[e * g->n + i] /= inflow;
        for (int f = 0; f < 6; f++) {
            const int32_t other = g->other[i][f];
            const double out =
                other < 0 ? 0 : face_conductance(g, law, COMPARTMENT_PORTAL, i, f) * (pressure[i] - pressure[other]);
            for (int e = 0; e < n_end && out > 0; e++)
                share[e * g->n + other] += out * share[e * g->n + i];
        }
    }
    free(order);
    return OK;
}
