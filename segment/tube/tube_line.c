/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/tube/tube_line.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int tube_line_append(tube_line *l, const double (*at)[3], int n, bool backwards) {
    /* one more than needed, because an empty allocation may return NULL */
    double(*grown)[3] = realloc(l->at, (size_t)(l->n + n + 1) * sizeof *grown);
    if (grown == NULL)
        return fail_memory("a path", (l->n + n) * (double)sizeof *grown);
    l->at = grown;
    for (int k = 0; k < n; k++)
        memcpy(l->at[l->n + k], at[backwards ? n - 1 - k : k], sizeof *at);
    l->n += n;
    return OK;
}

void tube_line_reverse(tube_line *l) {
    const tube_line was = *l;
    for (int i = 0; i < l->n / 2; i++) {
        double swap[3];
        /* no two lines share a path: NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        memcpy(swap, l->at[i], sizeof swap);
        memcpy(l->at[i], l->at[l->n - 1 - i], sizeof swap);
        memcpy(l->at[l->n - 1 - i], swap, sizeof swap);
    }
    for (int k = 0; k < 2; k++) {
        l->end[k] = was.end[1 - k];
        l->leaf[k] = was.leaf[1 - k];
    }
}

int tube_line_join(const paths *p, tube_line *l) {
    int rc = OK;
    for (int k = 0; k < p->n && rc == OK; k++) {
        const paths_branch *b = &p->branch[k];
        l[k] = (tube_line){.end = {b->opening, -1}, .leaf = {true, b->root}};
        if (b->root)
            l[k].end[1] = b->opening;
        rc = tube_line_append(&l[k], (const double(*)[3])b->at_mm, b->n, false);
    }
    for (int k = p->n - 1; k >= 0 && rc == OK; k--) {
        const double *joint = l[k].at[l[k].n - 1];
        int to = -1;
        for (int m = 0; m < p->n && to < 0; m++)
            /* no two lines share a path: NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
            to = m != k && l[m].n > 0 && l[m].end[0] < 0 && vec_distance(joint, l[m].at[0]) < 1e-9 ? m : to;
        if (p->branch[k].root || to < 0)
            continue;
        tube_line whole = {.end = {l[k].end[0], l[to].end[1]}, .leaf = {l[k].leaf[0], l[to].leaf[1]}};
        rc = tube_line_append(&whole, (const double(*)[3])l[k].at, l[k].n, false);
        if (rc == OK)
            rc = tube_line_append(&whole, (const double(*)[3])(l[to].at + 1), l[to].n - 1, false);
        free(l[k].at);
        free(l[to].at);
        l[to] = whole;
        l[k] = (tube_line){0};
        if (p->branch[to].root) /* the root stays at the start, because other lines may continue from it */
            tube_line_reverse(&l[to]);
    }
    return rc;
}

int tube_line_smooth(tube_line *l, int reach, int times) {
    double(*to)[3] = malloc((size_t)(l->n + 1) * sizeof *to);
    if (to == NULL)
        return fail_memory("a path", l->n * (double)sizeof *to);
    for (int round = 0; round < times; round++) {
        for (int i = 0; i < l->n; i++) {
            int r = reach < i ? reach : i;
            r = r < l->n - 1 - i ? r : l->n - 1 - i;
            for (int a = 0; a < 3; a++) {
                double sum = 0;
                for (int k = i - r; k <= i + r; k++)
                    sum += l->at[k][a];
                to[i][a] = sum / (2 * r + 1);
            }
        }
        memcpy(l->at, to, (size_t)l->n * sizeof *to);
    }
    free(to);
    return OK;
}

int tube_line_resample(tube_line *l, double step) {
    double length = 0, done = 0;
    for (int i = 1; i < l->n; i++)
        length += vec_distance(l->at[i - 1], l->at[i]);
    const int pieces = (int)fmax(1, ceil(length / step));
    double(*to)[3] = malloc((size_t)(pieces + 1) * sizeof *to);
    if (to == NULL)
        return fail_memory("a path", pieces * (double)sizeof *to);
    int from = 0;
    for (int k = 0; k <= pieces; k++) {
        const double want = length * k / pieces;
        double part = from + 1 < l->n ? vec_distance(l->at[from], l->at[from + 1]) : 0;
        while (from + 2 < l->n && done + part < want) {
            done += part;
            from++;
            part = vec_distance(l->at[from], l->at[from + 1]);
        }
        const double t = part > 0 ? fmin(1, (want - done) / part) : 0;
        const int next = from + 1 < l->n ? from + 1 : from;
        for (int a = 0; a < 3; a++)
            to[k][a] = l->at[from][a] + t * (l->at[next][a] - l->at[from][a]);
    }
    free(l->at);
    l->at = to;
    l->n = pieces + 1;
    return OK;
}

int tube_line_extend(tube_line *l, int end, int n, double step, int back_steps, const double normal[3]) {
    const int last = end ? l->n - 1 : 0, back = back_steps < l->n - 1 ? back_steps : l->n - 1;
    const double *tip = l->at[last], *from = l->at[end ? last - back : back];
    double d[3], norm = vec_distance(tip, from), along = 0;
    tube_line longer = {.end = {l->end[0], l->end[1]}, .leaf = {l->leaf[0], l->leaf[1]}};
    double(*more)[3] = malloc((size_t)(n + 1) * sizeof *more);
    if (more == NULL)
        return fail_memory("a path", n * (double)sizeof *more);
    for (int a = 0; a < 3; a++) {
        d[a] = norm > 0 ? (tip[a] - from[a]) / norm : 0;
        along += isnan(normal[0]) ? 0 : d[a] * normal[a];
    }
    if (along > 0.7 || norm <= 0) /* use the given normal unless it points elsewhere */
        memcpy(d, isnan(normal[0]) ? d : normal, sizeof d);
    for (int k = 0; k < n; k++)
        for (int a = 0; a < 3; a++)
            more[k][a] = tip[a] + (k + 1) * step * d[a];
    int rc = end ? tube_line_append(&longer, (const double(*)[3])l->at, l->n, false) : OK;
    if (rc == OK)
        rc = tube_line_append(&longer, (const double(*)[3])more, n, !end);
    if (rc == OK && !end)
        rc = tube_line_append(&longer, (const double(*)[3])l->at, l->n, false);
    free(more);
    free(l->at);
    *l = longer;
    return rc;
}
