/* SPDX-License-Identifier: Apache-2.0 */
#include "post/flow/course.h"
#include "common/lattice/laplace.h"
#include "common/base/status.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------- the potential between two openings */

/* Data shared by all pairs of openings. */
typedef struct {
    const sampler *s;
    int32_t *neighbour; /* [n_cell][6] active neighbours at -x +x -y +y -z +z; -1: none */
    /* [n_opening][n_cell] number of steps from the opening to the cell; -1: not connected. NULL: the opening is in no
     * pair */
    int32_t **steps;
} potential_cells;

enum { STEPS_MAX = 500 };
static const double TOLERANCE = 1e-5; /* Upper limit of the relative residual of the potential */

static void connect_cells(potential_cells *p) {
    const lattice *l = p->s->lattice;
    static const int8_t axis_direction[6] = {2, 1, 4, 3, 6, 5};
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < l->n_cell; c++)
        for (int k = 0; k < 6; k++) {
            const int8_t *e = lattice_e[axis_direction[k]];
            const int32_t *at = l->cell + 3 * c;
            int64_t other =
                p->s->active[c] ? lattice_rows_find(&p->s->rows, at[0] + e[0], at[1] + e[1], at[2] + e[2]) : -1;
            if (other >= 0 && !p->s->active[other])
                other = -1;
            p->neighbour[6 * c + k] = (int32_t)other;
        }
}

/* Sets the number of steps from opening k to each cell by breadth-first search. Returns false if there is no memory. */
static bool count_steps(potential_cells *p, int k) {
    const lattice *l = p->s->lattice;
    int32_t *queue = malloc(((size_t)l->n_cell + 1) * sizeof *queue), *steps = p->steps[k];
    int64_t head = 0, tail = 0;
    if (!queue)
        return false;
    memset(steps, -1, (size_t)l->n_cell * sizeof *steps);
    for (int64_t j = 0; j < l->n_link; j++) {
        int32_t c = l->link_cell[j];
        if (l->link_opening[j] == k + 1 && l->link_dir[j] <= 6 && p->s->active[c] && steps[c] < 0) {
            steps[c] = 0;
            queue[tail++] = c;
        }
    }
    while (head < tail) {
        int32_t c = queue[head++];
        for (int j = 0; j < 6; j++) {
            int32_t other = p->neighbour[6 * (int64_t)c + j];
            if (other >= 0 && steps[other] < 0) {
                steps[other] = steps[c] + 1;
                queue[tail++] = other;
            }
        }
    }
    free(queue);
    return true;
}

static void potential_cells_free(potential_cells *p) {
    for (int k = 0; p->steps && k < p->s->lattice->n_opening; k++)
        free(p->steps[k]);
    free(p->steps);
    free(p->neighbour);
    *p = (potential_cells){0};
}

static int potential_cells_create(const sampler *s, int n_pair, const int (*pair)[2], potential_cells *p) {
    const size_t n = (size_t)s->lattice->n_cell + 1;
    const int n_opening = s->lattice->n_opening;
    int lost = 0;
    *p = (potential_cells){.s = s,
                           .neighbour = malloc(6 * n * sizeof *p->neighbour),
                           .steps = calloc((size_t)n_opening + 1, sizeof *p->steps)};
    bool good = p->neighbour && p->steps;
    for (int k = 0; k < 2 * n_pair && good; k++) {
        int32_t **steps = &p->steps[pair[k / 2][k % 2]];
        if (!*steps)
            good = (*steps = malloc(n * sizeof **steps)) != NULL;
    }
    if (good) {
        connect_cells(p);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : lost)
        for (int k = 0; k < n_opening; k++)
            lost += p->steps[k] && !count_steps(p, k);
    }
    if (good && lost == 0)
        return OK;
    potential_cells_free(p);
    return fail_memory("the course of the vessel", 36.0 * (double)n);
}

typedef struct {
    const potential_cells *cells;
    /* [n] number of steps from each of the two openings. Cells without a connection to both openings are excluded */
    const int32_t *near, *far;
    int64_t n;
    laplace a;
    double *x, *b; /* [n] unknown and right-hand side */
} problem;

static void problem_free(problem *p) {
    laplace_free(&p->a);
    free(p->x);
    free(p->b);
}

static bool takes_part(const problem *p, int64_t c) {
    return p->near[c] >= 0 && p->far[c] >= 0;
}

/* Lists the faces between cells that are connected with both openings, and the faces at the two openings. */
static int make_network(int from, int to, problem *p) {
    const lattice *l = p->cells->s->lattice;
    const int32_t *neighbour = p->cells->neighbour;
    const int rc = laplace_create(&p->a, p->n, 6 * p->n);
    if (rc != OK)
        return rc;
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < p->n; c++)
        for (int k = 0; k < 6 && takes_part(p, c); k++)
            p->a.first[c + 1] += neighbour[6 * c + k] >= 0;
    for (int64_t c = 0; c < p->n; c++)
        p->a.first[c + 1] += p->a.first[c];
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < p->n; c++)
        for (int64_t k = 0, at = p->a.first[c]; k < 6 && takes_part(p, c); k++) {
            const int32_t other = neighbour[6 * c + k];
            if (other < 0)
                continue;
            p->a.other[at] = other;
            p->a.g[at++] = (float)((lattice_fluid_part(l, c) + lattice_fluid_part(l, other)) / 2);
        }
    for (int64_t j = 0; j < l->n_link; j++) {
        const int32_t c = l->link_cell[j];
        const int opening = l->link_opening[j] - 1;
        if (l->link_dir[j] > 6 || (opening != from && opening != to) || !takes_part(p, c))
            continue;
        const double flux = lattice_fluid_part(l, c) / fmax((double)l->link_q[j], 0.05);
        p->a.ground[c] += (float)flux;
        if (opening == to)
            p->b[c] += flux;
    }
    laplace_diagonal(&p->a);
    return OK;
}

static void find_gradient(const problem *a, double spacing_mm, int64_t c, float gradient[3]) {
    const int32_t *neighbour = a->cells->neighbour + 6 * c;
    for (int axis = 0; axis < 3; axis++) {
        int32_t low = neighbour[2 * axis], high = neighbour[2 * axis + 1];
        double width = (low >= 0) + (high >= 0);
        double difference = (high >= 0 ? a->x[high] : a->x[c]) - (low >= 0 ? a->x[low] : a->x[c]);
        gradient[axis] = width > 0 ? (float)(difference / (width * spacing_mm)) : 0;
    }
}

/* Solve laplace phi = 0 in the active cells: phi = 0 on opening `from`, 1 on `to`, no flux elsewhere
 * (common/lattice/laplace.h).
 *
 *   phi          [n_cell] out, 0..1; NaN in cells that are not active or not connected with both openings
 *   gradient_mm  [n_cell][3] out, 1/mm
 *
 * *connected: 0 if no path of cells joins the openings (the arrays are then NaN). Errors: ERR_RESOURCE, ERR_NUMERIC (no
 * convergence). */
static int potential_solve(const potential_cells *p, int from, int to, float *phi, float *gradient_mm, int *connected) {
    const lattice *l = p->s->lattice;
    problem a = {.cells = p, .near = p->steps[from], .far = p->steps[to], .n = l->n_cell};
    laplace_report report;
    const size_t n = (size_t)l->n_cell + 1;
    int rc = OK, found = 0;
    a.x = calloc(n, sizeof *a.x);
    a.b = calloc(n, sizeof *a.b);
    if (!a.x || !a.b)
        GIVE_UP(fail_memory("the course of the vessel", 16.0 * (double)n));
#pragma omp parallel for schedule(static) reduction(| : found)
    for (int64_t c = 0; c < a.n; c++) {
        phi[c] = gradient_mm[3 * c] = gradient_mm[3 * c + 1] = gradient_mm[3 * c + 2] = NAN;
        if (!takes_part(&a, c))
            continue;
        found |= 1;
        a.x[c] = (a.near[c] + 0.5) / (a.near[c] + a.far[c] + 1.0);
    }
    *connected = found;
    if (!found)
        goto cleanup;
    TRY(make_network(from, to, &a));
    TRY(laplace_solve(&a.a, l->cell, a.b, a.x, TOLERANCE, STEPS_MAX, &report));
    if (report.residual > TOLERANCE)
        GIVE_UP(fail(ERR_NUMERIC,
                     "the potential that orders the sections along the vessel did not converge in %d steps (error in "
                     "the program)",
                     report.steps));
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < a.n; c++)
        if (takes_part(&a, c)) {
            phi[c] = (float)fmin(fmax(a.x[c], 0), 1);
            find_gradient(&a, l->spacing_mm, c, gradient_mm + 3 * c);
        }
cleanup:
    problem_free(&a);
    return rc;
}

/* ------------------------------------------------------------------------------------- sections along the vessel */

enum { BINS = 512, STATIONS_MIN = 4, STATIONS_MAX = 200 };
/* number of groups of cells with separate sums. The sums are added in a fixed order, so the result does not depend on
 * the number of threads. */
enum { PARTS = 64 };

typedef struct {
    const sampler *s;
    float *phi, *gradient; /* phi [n_cell]: potential; gradient [n_cell][3]: its gradient, 1/mm */
    /* [n_cell] fluid volume assigned to the cell, mm3: its own volume, and the volume of inactive neighbours
     * (share_volume) */
    double *area_volume;
    /* start_mm: distance along the vessel at the edges of the bins; slope: d distance / d phi in each bin, mm */
    double start_mm[BINS + 1], slope[BINS];
} work;

/* spread_over_bins distributes the interval middle +- width/2 over n bins of width `step` from 0 on. It calls add(data,
 * bin, share) for each bin that the interval overlaps. The shares sum to 1, or to less if a part of the interval is
 * outside all bins. */
typedef void (*add_share)(void *data, int bin, double share);
static void spread_over_bins(double middle, double width, double step, int n, add_share add, void *data) {
    double low = fmax(middle - width / 2, 0), high = fmin(middle + width / 2, n * step);
    if (!(width > 1e-12) || !(high - low > 1e-12)) {
        int bin = (int)(middle / step);
        add(data, bin < 0 ? 0 : (bin >= n ? n - 1 : bin), 1);
        return;
    }
    for (int bin = (int)(low / step); bin < n && bin * step < high; bin++) {
        double overlap = fmin(high, (bin + 1) * step) - fmax(low, bin * step);
        if (overlap > 0)
            add(data, bin, overlap / width);
    }
}

static double length_of(const float g[3]) {
    return sqrt((double)g[0] * (double)g[0] + (double)g[1] * (double)g[1] + (double)g[2] * (double)g[2]);
}
/* Highest minus lowest value of a linear function with gradient g within a cell. */
static double width_of(const float g[3], double spacing_mm) {
    return spacing_mm * (fabs((double)g[0]) + fabs((double)g[1]) + fabs((double)g[2]));
}

/* Sets the fluid volume of each active cell. The fluid volume of an inactive cell is added to its first active
 * neighbour, if it has one. */
static void share_volume(work *w) {
    const lattice *l = w->s->lattice;
    double cell_mm3 = pow(l->spacing_mm, 3);
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < l->n_cell; c++)
        w->area_volume[c] = w->s->active[c] ? cell_mm3 * lattice_fluid_part(l, c) : 0;
    for (int64_t c = 0; c < l->n_cell; c++) {
        const int32_t *at = l->cell + 3 * c;
        int64_t to = -1;
        if (w->s->active[c])
            continue;
        for (int a = 1; a < 19 && to < 0; a++) {
            const int8_t *e = lattice_e[a];
            to = lattice_rows_find(&w->s->rows, at[0] + e[0], at[1] + e[1], at[2] + e[2]);
            if (to >= 0 && !w->s->active[to])
                to = -1;
        }
        if (to >= 0)
            w->area_volume[to] += cell_mm3 * lattice_fluid_part(l, c);
    }
}

typedef struct {
    double first[BINS], second[BINS]; /* for each bin the sums of |grad phi| V and of |grad phi|^2 V; V: fluid volume of
                                       * a cell */
    /* values of the current cell: |grad phi| and fluid volume */
    double gradient, volume;
} length_sums;
static void add_length(void *data, int bin, double share) {
    length_sums *sums = data;
    sums->first[bin] += share * sums->gradient * sums->volume;
    sums->second[bin] += share * sums->gradient * sums->gradient * sums->volume;
}

static void add_lengths(const work *w, int64_t begin, int64_t end, length_sums *sums) {
    const lattice *l = w->s->lattice;
    for (int64_t c = begin; c < end; c++) {
        const float *g = w->gradient + 3 * c;
        if (isnan(w->phi[c]))
            continue;
        sums->gradient = length_of(g);
        sums->volume = w->area_volume[c];
        spread_over_bins((double)w->phi[c], width_of(g, l->spacing_mm), 1.0 / BINS, BINS, add_length, sums);
    }
}

/* Compute the distance along the vessel as a function of the potential: d s / d phi = 1 / mean |grad phi| over the
 * section. */
static int measure_length(work *w) {
    const int64_t n = w->s->lattice->n_cell;
    length_sums *sums = calloc(PARTS, sizeof *sums);
    if (!sums)
        return fail_memory("the course of the vessel", (double)PARTS * sizeof *sums);
#pragma omp parallel for schedule(dynamic, 1)
    for (int part = 0; part < PARTS; part++)
        add_lengths(w, n * part / PARTS, n * (part + 1) / PARTS, &sums[part]);
    w->start_mm[0] = 0;
    for (int k = 0; k < BINS; k++) {
        double first = 0, second = 0;
        for (int part = 0; part < PARTS; part++) {
            first += sums[part].first[k];
            second += sums[part].second[k];
        }
        w->slope[k] = second > 0 ? first / second : (k > 0 ? w->slope[k - 1] : 0);
        w->start_mm[k + 1] = w->start_mm[k] + w->slope[k] / BINS;
    }
    free(sums);
    return OK;
}

static double distance_of(const work *w, double phi, double *slope) {
    int k = (int)(phi * BINS);
    k = k < 0 ? 0 : (k >= BINS ? BINS - 1 : k);
    *slope = w->slope[k];
    return w->start_mm[k] + (phi - k / (double)BINS) * w->slope[k];
}

/* Sums over the cells of one group. */
typedef struct {
    double area, flow, pressure; /* contributions of the current cell, in mm2 mm, mL/s mm, and Pa mm2 mm */
    bool porous;                 /* the current cell is in a porous region */
    struct {
        double area, flow, pressure;
        bool porous; /* a cell of the station is in a porous region */
    } station[STATIONS_MAX];
} station_sums;
static void add_station(void *data, int k, double share) {
    station_sums *sums = data;
    sums->station[k].area += share * sums->area;
    sums->station[k].flow += share * sums->flow;
    sums->station[k].pressure += share * sums->pressure;
    sums->station[k].porous |= sums->porous;
}

static void add_cells(const work *w, const fields *f, double step_mm, int n, int part, station_sums *sums) {
    const lattice *l = w->s->lattice;
    const double cell_mm3 = pow(l->spacing_mm, 3);
    for (int64_t c = l->n_cell * part / PARTS; c < l->n_cell * (part + 1) / PARTS; c++) {
        const float *g = w->gradient + 3 * c, *u = f->velocity_m_s + 3 * c;
        double slope;
        if (isnan(w->phi[c]))
            continue;
        double s = distance_of(w, (double)w->phi[c], &slope);
        double along = (double)u[0] * (double)g[0] + (double)u[1] * (double)g[1] + (double)u[2] * (double)g[2];
        sums->area = slope * length_of(g) * w->area_volume[c];
        sums->flow = slope * along * cell_mm3; /* mm2 times m/s is mL/s */
        sums->pressure = sums->area * (double)f->pressure_pa[c];
        sums->porous = l->region[c] > 0;
        spread_over_bins(s, slope * width_of(g, l->spacing_mm), step_mm, n, add_station, sums);
    }
}

/* Combine the sums of all groups for station k. */
static course_station form_station(const station_sums *part, int k, double step_mm) {
    double area = 0, flow = 0, pressure = 0;
    bool porous = false;
    for (int p = 0; p < PARTS; p++) {
        area += part[p].station[k].area;
        flow += part[p].station[k].flow;
        pressure += part[p].station[k].pressure;
        porous |= part[p].station[k].porous;
    }
    return (course_station){.distance_mm = (k + 0.5) * step_mm,
                            .area_mm2 = area / step_mm,
                            .flow_ml_s = porous ? NAN : flow / step_mm,
                            .mean_velocity_m_s = area > 0 && !porous ? flow / area : NAN,
                            .pressure_pa = area > 0 ? pressure / area : NAN,
                            .porous = porous};
}

/* Computes the stations, one every `step` mm. There is no station within a cell of either opening, because the plane of
 * the opening cuts the cells there. */
static int fill_stations(const work *w, const fields *f, course *out) {
    double h = w->s->lattice->spacing_mm;
    int n = (int)(out->length_mm / (1.5 * h));
    n = n < STATIONS_MIN ? STATIONS_MIN : (n > STATIONS_MAX ? STATIONS_MAX : n);
    double step_mm = out->length_mm / n;
    station_sums *part = calloc(PARTS, sizeof *part);
    out->station = calloc((size_t)n, sizeof *out->station);
    if (!part || !out->station) {
        free(part);
        return fail_memory("the course of the vessel", (double)PARTS * sizeof *part);
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (int p = 0; p < PARTS; p++)
        add_cells(w, f, step_mm, n, p, &part[p]);
    for (int k = 0; k < n; k++) {
        const course_station t = form_station(part, k, step_mm);
        if (t.distance_mm - step_mm / 2 >= 0.999 * h && t.distance_mm + step_mm / 2 <= out->length_mm - 0.999 * h)
            out->station[out->n++] = t;
    }
    free(part);
    return OK;
}

static int make_one(const potential_cells *cells, const fields *f, work *w, course *out) {
    int rc, connected = 0;
    TRY(potential_solve(cells, out->from, out->to, w->phi, w->gradient, &connected));
    if (!connected)
        goto cleanup;
    TRY(measure_length(w));
    out->length_mm = w->start_mm[BINS];
    if (out->length_mm > 0)
        TRY(fill_stations(w, f, out));
cleanup:
    return rc;
}

int course_make(const sampler *s, const fields *f, int n, const int (*pair)[2], course *out) {
    const size_t n_cell = (size_t)s->lattice->n_cell + 1;
    int rc = OK;
    potential_cells cells = {0};
    work *w = calloc(1, sizeof *w);
    for (int k = 0; k < n; k++)
        out[k] = (course){.from = pair[k][0], .to = pair[k][1]};
    if (!w)
        return fail_memory("the course of the vessel", sizeof *w);
    w->s = s;
    w->phi = malloc(n_cell * sizeof *w->phi);
    w->gradient = malloc(3 * n_cell * sizeof *w->gradient);
    w->area_volume = calloc(n_cell, sizeof *w->area_volume);
    if (!w->phi || !w->gradient || !w->area_volume)
        GIVE_UP(fail_memory("the course of the vessel", 24.0 * (double)n_cell));
    TRY(potential_cells_create(s, n, pair, &cells));
    share_volume(w);
    for (int k = 0; k < n; k++)
        TRY(make_one(&cells, f, w, &out[k]));
cleanup:
    potential_cells_free(&cells);
    free(w->phi);
    free(w->gradient);
    free(w->area_volume);
    free(w);
    return rc;
}

void course_free(course *c) {
    free(c->station);
    memset(c, 0, sizeof *c);
}

course_rise course_find_rise(const course *c, double density_kg_m3) {
    course_rise most = {.rise_pa = 0};
    for (int i = 0; i < c->n; i++)
        for (int j = i + 1; j < c->n; j++) {
            const course_station *a = &c->station[i], *b = &c->station[j];
            const double rise_pa = b->pressure_pa - a->pressure_pa, fast = a->mean_velocity_m_s,
                         slow = b->mean_velocity_m_s;
            if (rise_pa > most.rise_pa && slow > 0 &&
                rise_pa <= COURSE_KINETIC_MOST * 0.5 * density_kg_m3 * (fast * fast - slow * slow))
                most = (course_rise){a->distance_mm, b->distance_mm, rise_pa};
        }
    return most;
}

void course_explain_rise(const course_rise *r, const char *from, const char *to, size_t size, char *text) {
    snprintf(
        text, size,
        "On the way from %.64s to %.64s the pressure rises, at distances of %.0f to %.0f mm, because the blood slows "
        "down there, as at a bifurcation or behind a narrowing: dynamic pressure, half the density times the "
        "velocity squared, becomes static pressure.",
        from, to, r->from_mm, r->to_mm);
}

static int largest_opening(const lattice *l, int role, const double *flow_ml_s) {
    int best = -1;
    for (int k = 0; k < l->n_opening; k++) {
        double flow = isfinite(flow_ml_s[k]) ? flow_ml_s[k] : 0;
        double most = best >= 0 && isfinite(flow_ml_s[best]) ? flow_ml_s[best] : 0;
        if (l->opening[k].role == role && (best < 0 || flow > most))
            best = k;
    }
    return best;
}

int course_pairs(const lattice *l, const double *flow_ml_s, int (*pair)[2]) {
    int inlet = largest_opening(l, LATTICE_INLET, flow_ml_s), outlet = largest_opening(l, LATTICE_OUTLET, flow_ml_s),
        n = 0;
    for (int k = 0; k < l->n_opening && inlet >= 0 && outlet >= 0; k++) {
        if (l->opening[k].role == LATTICE_OUTLET) {
            pair[n][0] = inlet;
            pair[n++][1] = k;
        } else if (l->opening[k].role == LATTICE_INLET && k != inlet) {
            pair[n][0] = k;
            pair[n++][1] = outlet;
        }
    }
    return n;
}
