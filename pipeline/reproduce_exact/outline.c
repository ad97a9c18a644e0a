/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce_exact/outline.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "pipeline/reproduce_exact/revolve.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS_MAX = 512, SWEEPS_MAX = 100000 };

typedef struct {
    int node, neighbour[4];           /* neighbour: nodes to the right, left, up and down */
    double weight[4], right, inverse; /* weights of the four neighbours; 0: the arm ends on the wall */
} equation;

double outline_area_mm2(const outline *o) {
    double sum = 0;
    for (int k = 0; k < o->n; k++) {
        const int next = (k + 1) % o->n;
        sum += o->x_mm[k] * o->y_mm[next] - o->x_mm[next] * o->y_mm[k];
    }
    return 0.5 * sum;
}

/* Intersections of the line v = at with the polygon, ascending u. */
static int crossings(int n, const double *u, const double *v, double at, double found[CORNERS_MAX]) {
    int count = 0;
    for (int k = 0; k < n; k++) {
        const int next = (k + 1) % n;
        if ((v[k] < at) != (v[next] < at))
            found[count++] = u[k] + (at - v[k]) / (v[next] - v[k]) * (u[next] - u[k]);
    }
    qsort(found, (size_t)count, sizeof *found, order_double);
    return count;
}

/* Lengths of the two arms of a node at u along a grid line. An arm ends at the next node, `step` away, or at the
 * polygon if that is nearer. NAN if u is outside the polygon. */
static void arms(int count, const double *found, double u, double step, double *high, double *low) {
    int left = 0;
    while (left < count && found[left] < u)
        left++;
    *high = *low = NAN;
    if (left % 2 == 0 || left == count)
        return;
    *high = fmax(1e-6 * step, fmin(step, found[left] - u));
    *low = fmax(1e-6 * step, fmin(step, u - found[left - 1]));
}

/* Finds the lengths of the arms of each node. arm [ny][nx][4]: right, left, up, down; NAN outside the polygon. */
static void find_arms(const outline_flow *f, const outline *o, double (*arm)[4]) {
    double found[CORNERS_MAX] = {0};
    for (int j = 0; j < f->ny; j++) {
        const int n = crossings(o->n, o->x_mm, o->y_mm, f->low_mm[1] + j * f->step_mm, found);
        for (int i = 0; i < f->nx; i++)
            arms(n, found, f->low_mm[0] + i * f->step_mm, f->step_mm, &arm[j * f->nx + i][0], &arm[j * f->nx + i][1]);
    }
    for (int i = 0; i < f->nx; i++) {
        const int n = crossings(o->n, o->y_mm, o->x_mm, f->low_mm[0] + i * f->step_mm, found);
        for (int j = 0; j < f->ny; j++)
            arms(n, found, f->low_mm[1] + j * f->step_mm, f->step_mm, &arm[j * f->nx + i][2], &arm[j * f->nx + i][3]);
    }
}

static int make_equations(const outline_flow *f, const double (*arm)[4], equation *e) {
    const int beside[4] = {1, -1, f->nx, -f->nx};
    int n = 0;
    for (int at = 0; at < f->nx * f->ny; at++) {
        double diagonal = 0;
        if (isnan(arm[at][0]) || isnan(arm[at][2]))
            continue;
        e[n] = (equation){.node = at};
        for (int side = 0; side < 4; side++) {
            const double weight = 2 / ((arm[at][side & 2] + arm[at][(side & 2) + 1]) * arm[at][side]);
            diagonal += weight;
            e[n].neighbour[side] = at + beside[side];
            e[n].weight[side] = arm[at][side] < f->step_mm * (1 - 1e-9) ? 0 : weight;
        }
        e[n++].inverse = 1 / diagonal;
    }
    return n;
}

static int relax(const equation *e, int n, double *w) {
    const double factor = 2 / (1 + sin(M_PI / fmax(3, sqrt((double)n))));
    for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
        double most = 0, change = 0;
        for (int k = 0; k < n; k++) {
            double sum = 1;
            for (int side = 0; side < 4; side++)
                sum += e[k].weight[side] * w[e[k].neighbour[side]];
            const double by = factor * (sum * e[k].inverse - w[e[k].node]);
            w[e[k].node] += by;
            change = fmax(change, fabs(by));
            most = fmax(most, fabs(w[e[k].node]));
        }
        if (change <= 1e-10 * most)
            return OK;
    }
    return fail(
        ERR_NUMERIC,
        "the reference velocity profile of a cross-section was not found: after %d iterations it still changes by "
        "more than 1e-10 of its maximum; this is an error in the program, please report it with the command",
        SWEEPS_MAX);
}

static void place_grid(outline_flow *f, const outline *o, double step_mm) {
    double high[2] = {-INFINITY, -INFINITY};
    f->low_mm[0] = f->low_mm[1] = INFINITY;
    for (int k = 0; k < o->n; k++) {
        f->low_mm[0] = fmin(f->low_mm[0], o->x_mm[k] - 1.37 * step_mm);
        f->low_mm[1] = fmin(f->low_mm[1], o->y_mm[k] - 1.37 * step_mm);
        high[0] = fmax(high[0], o->x_mm[k]);
        high[1] = fmax(high[1], o->y_mm[k]);
    }
    f->step_mm = step_mm;
    f->nx = (int)ceil((high[0] - f->low_mm[0]) / step_mm) + 3;
    f->ny = (int)ceil((high[1] - f->low_mm[1]) / step_mm) + 3;
}

int outline_flow_create(outline_flow *f, const outline *o, double step_mm) {
    int rc = OK, n = 0;
    double(*arm)[4] = NULL, sum = 0;
    equation *e = NULL;
    memset(f, 0, sizeof *f);
    if (o->n < 3 || o->n > CORNERS_MAX || !(outline_area_mm2(o) > 0) || !(step_mm > 0))
        return fail(
            ERR_USAGE,
            "the outline of a cross-section has %d corners and an area of %.3g mm2, but needs 3 to %d corners in "
            "counter-clockwise order; this is an error in the program, please report it with the command",
            o->n, outline_area_mm2(o), CORNERS_MAX);
    place_grid(f, o, step_mm);
    const size_t nodes = (size_t)f->nx * (size_t)f->ny;
    arm = calloc(nodes, sizeof *arm);
    e = malloc(nodes * sizeof *e);
    f->w_mm2 = calloc(nodes, sizeof *f->w_mm2);
    if (!arm || !e || !f->w_mm2)
        TRY(fail_memory("the flow through an outline", (double)nodes * (sizeof *arm + sizeof *e + 8)));
    find_arms(f, o, arm);
    n = make_equations(f, (const double(*)[4])arm, e);
    TRY(relax(e, n, f->w_mm2));
    for (int k = 0; k < n; k++)
        sum += f->w_mm2[e[k].node];
    f->area_mm2 = outline_area_mm2(o);
    f->mean_mm2 = sum * step_mm * step_mm / f->area_mm2;
cleanup:
    free(arm);
    free(e);
    if (rc != OK)
        outline_flow_free(f);
    return rc;
}

void outline_flow_free(outline_flow *f) {
    free(f->w_mm2);
    memset(f, 0, sizeof *f);
}

double outline_flow_value(const outline_flow *f, double x_mm, double y_mm) {
    const double u = (x_mm - f->low_mm[0]) / f->step_mm, v = (y_mm - f->low_mm[1]) / f->step_mm;
    if (!(u >= 0 && v >= 0 && u < f->nx - 1 && v < f->ny - 1))
        return 0;
    const int i = (int)u, j = (int)v;
    const double *w = f->w_mm2 + (size_t)j * (size_t)f->nx + (size_t)i;
    const double low = (i + 1 - u) * w[0] + (u - i) * w[1];
    const double high = (i + 1 - u) * w[f->nx] + (u - i) * w[f->nx + 1];
    return ((j + 1 - v) * low + (v - j) * high) / f->mean_mm2;
}

int outline_write_tube(const outline *o, double low_z_mm, double high_z_mm, double edge_mm, const char *path) {
    const int layers = (int)fmax(1, round((high_z_mm - low_z_mm) / edge_mm));
    float(*point)[3] = malloc((size_t)(layers + 1) * (size_t)o->n * sizeof *point);
    if (!point)
        return fail_memory("a tube", (double)(layers + 1) * o->n * sizeof *point);
    for (int k = 0; k < (layers + 1) * o->n; k++) {
        const int layer = k / o->n;
        point[k][0] = (float)o->x_mm[k % o->n];
        point[k][1] = (float)o->y_mm[k % o->n];
        point[k][2] = (float)(low_z_mm + (high_z_mm - low_z_mm) * layer / layers);
    }
    const int rc = revolve_write_rings(layers + 1, o->n, point, "tube of a cross-section, mm", path);
    free(point);
    return rc;
}
