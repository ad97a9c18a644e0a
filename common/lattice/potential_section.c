/* SPDX-License-Identifier: Apache-2.0 */
/* Finds sections of a potential flow. Start cells are visited in the order of decreasing speed. A start cell that no
 * section covers yet begins a section: the connected cells whose phi differs from phi of the start cell by less than
 * two spacings times its speed. Sections overlap, so each cell is visited a few times. In a chamber wider than the
 * vessel the search stops early (limits `slow` and `deeper`), so that each cell is visited about once there. */
#include "common/lattice/potential_section.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 2048, CLASSES_PER_OCTAVE = 64 };
static const double half_width = 2; /* Half the thickness of a section, along the flow, in spacings */
/* A section is flat if its hydraulic diameter is below this fraction of the diameter of the circle with its area; an
 * ellipse of 3 to 1 is at the limit. */
static const double flat_part = 0.8;
/* Lower limit of the speed that converts this thickness to a difference of phi, as a fraction of the largest speed */
static const double slowest = 1e-3;
/* Below this fraction of the velocity of the fastest section, a start cell cannot give a faster section; its search
 * then also stops at the depth `deeper` */
static const double slow = 0.5;
/* A section with a slow start cell is rejected if one of its cells is farther from the wall than this multiple of the
 * radius of the narrowest section, because it is then not narrower either */
static const double deeper = 1.1;

typedef struct {
    const potential_sections *s;
    double dx_m, largest; /* largest: largest speed in the fluid, m/s */
    uint8_t *covered;     /* [n] 1: the cell is in a section found before */
    int32_t *seen;        /* [n] number of the last section whose search reached the cell */
    int32_t *queue;       /* [n] cells of the section that is searched, in the order of the search */
    int32_t *order;       /* [n_order] cells with their centre in the fluid, by decreasing speed in classes of 1 % */
    int64_t n_order;
    /* a search whose start cell is slower than slow_m_s stops at the first cell farther than deep_mm from the wall */
    double slow_m_s, deep_mm;
} search;

double potential_section_diameter_mm(double area_mm2, double flat_mm) {
    const double round_mm = 2 * sqrt(area_mm2 / M_PI);
    return flat_mm < flat_part * round_mm ? flat_mm : round_mm;
}

double potential_section_opening_mm(const lattice_opening *o) {
    return potential_section_diameter_mm(o->area_mm2,
                                         o->perimeter_mm > 0 ? 4 * o->area_mm2 / o->perimeter_mm : INFINITY);
}

/* 4 area / perimeter of an ellipse with this area. Its longer half-axis follows from the second moments xx yy zz xy xz
 * yz (perimeter: ramanujan1914). */
static double ellipse_mm(double area_mm2, const double square_mm2[6]) {
    double value[3], axis[3][3];
    vec_eigen(square_mm2, value, axis);
    const double a = fmax(2 * sqrt(value[2]), sqrt(area_mm2 / M_PI)), b = area_mm2 / (M_PI * a);
    return 4 * area_mm2 / (M_PI * (3 * (a + b) - sqrt((3 * a + b) * (a + 3 * b))));
}

static bool may_start(const potential_sections *s, int64_t i) {
    return s->speed[i] > 0 && s->l->distance_mm[i] < 0;
}

static int class_of(const search *w, int64_t i) {
    return (int)fmin(CLASSES - 1, CLASSES_PER_OCTAVE * log2(w->largest / (double)w->s->speed[i]));
}

static void sort_by_speed(search *w) {
    const potential_sections *s = w->s;
    int64_t place[CLASSES + 1] = {0};
    for (int64_t i = 0; i < s->a->n; i++)
        if (may_start(s, i))
            w->largest = fmax(w->largest, (double)s->speed[i]);
    for (int64_t i = 0; i < s->a->n; i++)
        if (may_start(s, i))
            place[class_of(w, i) + 1]++;
    for (int k = 0; k < CLASSES; k++)
        place[k + 1] += place[k];
    w->n_order = place[CLASSES];
    for (int64_t i = 0; i < s->a->n; i++)
        if (may_start(s, i))
            w->order[place[class_of(w, i)]++] = (int32_t)i;
}

static const int moment[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/* Computes the section through cell `start` and marks its cells as covered. Velocity 0: the section ends at an opening,
 * has almost no flow, or is neither the fastest nor the narrowest. */
static potential_flow_section trace_section(search *w, int32_t start, int32_t number) {
    const potential_sections *s = w->s;
    const double middle = s->phi[start], speed = fmax((double)s->speed[start], slowest * w->largest);
    const double width = half_width * w->dx_m * speed, volume = w->dx_m * w->dx_m * w->dx_m;
    double area = 0, flow = 0, place[3] = {0}, square[6] = {0}, begin[3];
    const double deep_mm = (double)s->speed[start] < w->slow_m_s ? w->deep_mm : INFINITY;
    bool whole = true;
    int64_t head = 0, tail = 0;
    lattice_centre_mm(s->l, start, begin);
    w->queue[tail++] = start;
    w->seen[start] = number;
    while (head < tail) {
        const int32_t i = w->queue[head++];
        const double away = fabs(s->phi[i] - middle), u = (double)s->speed[i];
        const double fluid = lattice_fluid_part(s->l, i);
        const double share = u * volume * fluid * (1 - away / width) / width;
        double p[3];
        w->covered[i] = 1;
        whole = whole && !s->at_end[i];
        if (-(double)s->l->distance_mm[i] > deep_mm)
            return (potential_flow_section){.opening = -1};
        lattice_centre_mm(s->l, i, p);
        vec_add(p, -1, begin, p);
        for (int m = 0; m < 6; m++)
            square[m] += share * p[moment[m][0]] * p[moment[m][1]];
        area += share;
        flow += share * u;
        for (int a = 0; a < 3; a++)
            place[a] += share * p[a];
        for (int64_t e = s->a->first[i]; e < s->a->first[i + 1]; e++) {
            const int32_t j = s->a->other[e];
            if (w->seen[j] == number || !(fabs(s->phi[j] - middle) < width))
                continue;
            w->seen[j] = number;
            w->queue[tail++] = j;
        }
    }
    potential_flow_section out = {.opening = -1};
    if (!whole || !(flow >= s->least_flow_m3_s))
        return out;
    out.flow_m3_s = flow;
    out.velocity_m_s = flow / area;
    out.area_mm2 = 1e6 * area;
    for (int m = 0; m < 6; m++)
        square[m] = square[m] / area - place[moment[m][0]] * place[moment[m][1]] / (area * area);
    out.diameter_mm = potential_section_diameter_mm(out.area_mm2, ellipse_mm(out.area_mm2, square));
    for (int a = 0; a < 3; a++)
        out.place_mm[a] = begin[a] + place[a] / area;
    return out;
}

int potential_sections_find(const potential_sections *s, potential_flow_section *fastest,
                            potential_flow_section *narrowest) {
    const size_t n = (size_t)s->a->n + 1;
    search w = {.s = s, .dx_m = 1e-3 * s->l->spacing_mm};
    int32_t number = 0;
    *fastest = (potential_flow_section){.opening = -1};
    *narrowest = (potential_flow_section){.opening = -1, .diameter_mm = INFINITY};
    w.covered = calloc(n, 1);
    w.seen = calloc(n, sizeof *w.seen);
    w.queue = malloc(n * sizeof *w.queue);
    w.order = malloc(n * sizeof *w.order);
    const int rc = w.covered && w.seen && w.queue && w.order ? OK : fail_memory("the potential flow", 13.0 * (double)n);
    if (rc == OK)
        sort_by_speed(&w);
    for (int64_t k = 0; rc == OK && k < w.n_order; k++) {
        if (w.covered[w.order[k]])
            continue;
        const potential_flow_section found = trace_section(&w, w.order[k], ++number);
        if (!(found.velocity_m_s > 0))
            continue;
        if (found.velocity_m_s > fastest->velocity_m_s)
            *fastest = found;
        if (found.diameter_mm < narrowest->diameter_mm)
            *narrowest = found;
        w.slow_m_s = slow * fastest->velocity_m_s;
        w.deep_mm = 0.5 * deeper * narrowest->diameter_mm;
    }
    free(w.covered);
    free(w.seen);
    free(w.queue);
    free(w.order);
    return rc;
}
