/* See tube.h. */
#include "segment/tube.h"
#include "common/base/status.h"
#include "segment/tube_fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double step_radii = 0.25; /* between nodes */
static const double least_seen = 0.3;
/* Beyond a seed a vessel goes on while so many rays see its wall and it gets no wider and no narrower than this. */
static const double tracked_seen = 0.5, widening = 1.4, narrowing = 2, most_tracked_mm = 150;
enum { ROUNDS = 5 };

void tube_free(tube *t) {
    free(t->node);
    free(t->first);
    memset(t, 0, sizeof *t);
}

static double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* ---------------------------------------------------------------------------------------------- pieces */

/* A line of points; the openings at its ends, -1 none. */
typedef struct {
    int n, end[2];
    bool leaf[2]; /* nothing goes on there */
    double (*at)[3];
} line;

static int line_append(line *l, const double (*at)[3], int n, bool backwards) {
    double(*grown)[3] = realloc(l->at, (size_t)(l->n + n) * sizeof *grown);
    if (grown == NULL)
        return fail_memory("a path", (l->n + n) * (double)sizeof *grown);
    l->at = grown;
    for (int k = 0; k < n; k++)
        memcpy(l->at[l->n + k], at[backwards ? n - 1 - k : k], sizeof *at);
    l->n += n;
    return OK;
}

/* Paths that end where another one starts go on in it; two that end in the root are one. Each becomes a line; lines
 * taken up by others are left with n = 0. */
static int lines_join(const paths *p, line *l) {
    int rc = OK;
    for (int k = 0; k < p->n && rc == OK; k++) {
        const path *b = &p->branch[k];
        l[k] = (line){.end = {b->opening, -1}, .leaf = {true, b->root}};
        if (b->root)
            l[k].end[1] = b->opening;
        rc = line_append(&l[k], (const double(*)[3])b->at_mm, b->n, false);
    }
    for (int k = p->n - 1; k >= 0 && rc == OK; k--) {
        const double *joint = l[k].at[l[k].n - 1];
        int to = -1;
        for (int m = 0; m < p->n && to < 0; m++)
            to = m != k && l[m].n > 0 && l[m].end[0] < 0 && distance(joint, l[m].at[0]) < 1e-9 ? m : to;
        if (p->branch[k].root || to < 0)
            continue;
        line whole = {.end = {l[k].end[0], l[to].end[1]}, .leaf = {l[k].leaf[0], l[to].leaf[1]}};
        rc = line_append(&whole, (const double(*)[3])l[k].at, l[k].n, false);
        if (rc == OK)
            rc = line_append(&whole, (const double(*)[3])(l[to].at + 1), l[to].n - 1, false);
        free(l[k].at);
        free(l[to].at);
        l[to] = whole;
        l[k] = (line){0};
        if (p->branch[to].root) { /* turned round: others may go on from the root's side */
            for (int i = 0; i < whole.n / 2; i++) {
                double swap[3];
                memcpy(swap, whole.at[i], sizeof swap);
                memcpy(whole.at[i], whole.at[whole.n - 1 - i], sizeof swap);
                memcpy(whole.at[whole.n - 1 - i], swap, sizeof swap);
            }
            l[to].end[0] = whole.end[1];
            l[to].end[1] = whole.end[0];
            l[to].leaf[0] = whole.leaf[1];
            l[to].leaf[1] = whole.leaf[0];
        }
    }
    return rc;
}

/* Moving average over +- reach points; the ends stay. */
static int line_smooth(line *l, int reach, int times) {
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

/* The same line in equal steps of about `step` mm. */
static int line_resample(line *l, double step) {
    double length = 0, done = 0;
    for (int i = 1; i < l->n; i++)
        length += distance(l->at[i - 1], l->at[i]);
    const int pieces = (int)fmax(1, ceil(length / step));
    double(*to)[3] = malloc((size_t)(pieces + 1) * sizeof *to);
    if (to == NULL)
        return fail_memory("a path", pieces * (double)sizeof *to);
    int from = 0;
    for (int k = 0; k <= pieces; k++) {
        const double want = length * k / pieces;
        double part = from + 1 < l->n ? distance(l->at[from], l->at[from + 1]) : 0;
        while (from + 2 < l->n && done + part < want) {
            done += part;
            from++;
            part = distance(l->at[from], l->at[from + 1]);
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

/* Straight on beyond an end by n steps. */
static int line_extend(line *l, int end, int n, double step, const double normal[3]) {
    const int last = end ? l->n - 1 : 0, back = (int)fmin(l->n - 1, ceil(2 / step_radii));
    const double *tip = l->at[last], *from = l->at[end ? last - back : back];
    double d[3], norm = distance(tip, from), along = 0;
    line longer = {.end = {l->end[0], l->end[1]}, .leaf = {l->leaf[0], l->leaf[1]}};
    double(*more)[3] = malloc((size_t)(n + 1) * sizeof *more);
    if (more == NULL)
        return fail_memory("a path", n * (double)sizeof *more);
    for (int a = 0; a < 3; a++) {
        d[a] = norm > 0 ? (tip[a] - from[a]) / norm : 0;
        along += isnan(normal[0]) ? 0 : d[a] * normal[a];
    }
    if (along > 0.7 || norm <= 0) /* the given one, unless it looks elsewhere */
        memcpy(d, isnan(normal[0]) ? d : normal, sizeof d);
    for (int k = 0; k < n; k++)
        for (int a = 0; a < 3; a++)
            more[k][a] = tip[a] + (k + 1) * step * d[a];
    int rc = end ? line_append(&longer, (const double(*)[3])l->at, l->n, false) : OK;
    if (rc == OK)
        rc = line_append(&longer, (const double(*)[3])more, n, !end);
    if (rc == OK && !end)
        rc = line_append(&longer, (const double(*)[3])l->at, l->n, false);
    free(more);
    free(l->at);
    *l = longer;
    return rc;
}

/* ---------------------------------------------------------------------------------------------- nodes */

/* Directions by differences; frames turned as little as possible from node to node. */
static void frames(tube_node *node, int n) {
    for (int i = 0; i < n; i++) {
        const double *a = node[i > 1 ? i - 2 : 0].at_mm, *b = node[i + 2 < n ? i + 2 : n - 1].at_mm;
        double *d = node[i].direction, *u = node[i].across[0], *w = node[i].across[1], norm = distance(a, b), dot = 0;
        for (int k = 0; k < 3; k++)
            d[k] = norm > 0 ? (b[k] - a[k]) / norm : k == 2;
        if (i > 0)
            memcpy(u, node[i - 1].across[0], 3 * sizeof *u);
        else
            for (int k = 0; k < 3; k++)
                u[k] = fabs(d[0]) < 0.7 ? k == 0 : k == 1;
        for (int k = 0; k < 3; k++)
            dot += u[k] * d[k];
        for (int k = 0; k < 3; k++)
            u[k] -= dot * d[k];
        norm = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (int k = 0; k < 3; k++)
            u[k] /= norm;
        for (int k = 0; k < 3; k++)
            w[k] = d[(k + 1) % 3] * u[(k + 2) % 3] - d[(k + 2) % 3] * u[(k + 1) % 3];
    }
}

static int measure_piece(const volume *image, const tube_guess *g, const line *l, tube_node *node) {
    int rc = OK;
    for (int i = 0; i < l->n; i++) {
        node[i] = (tube_node){.radius_mm = g->radius_mm, .inside = g->inside, .outside = g->outside, .opening = -1};
        memcpy(node[i].at_mm, l->at[i], sizeof node[i].at_mm);
        memcpy(node[i].path_mm, l->at[i], sizeof node[i].path_mm);
    }
    for (int round = 0; round < ROUNDS && rc == OK; round++) {
        frames(node, l->n);
        rc = tube_fit(image, g, round == 0, round + 1 == ROUNDS, node, l->n);
    }
    return rc;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* True where the last `more` nodes at an end go on in the same vessel: walls are seen, as far away as before. */
static bool goes_on(const tube_node *node, int n, int end, int more, double *work) {
    double median = 0;
    for (int i = more; i < n; i++)
        work[i - more] = node[end ? i - more : i].radius_mm;
    qsort(work, (size_t)(n - more), sizeof *work, compare);
    median = work[(n - more) / 2];
    for (int i = 0; i < more; i++) {
        const tube_node *t = &node[end ? n - 1 - i : i];
        if (t->seen < tracked_seen || t->radius_mm > widening * median || t->radius_mm < median / narrowing)
            return false;
    }
    return true;
}

/* From an end that is a seed on along the vessel, a radius at a time, as long as it goes on. */
static int track(const volume *image, const tube_guess *g, line *l, int end, double step) {
    const double none[3] = {NAN, NAN, NAN};
    const int more = (int)ceil(1 / step_radii);
    int rc = OK;
    for (int stride = 0; stride < most_tracked_mm / (more * step) && rc == OK; stride++) {
        line longer = {.end = {-1, -1}};
        rc = line_append(&longer, (const double(*)[3])l->at, l->n, false);
        if (rc == OK)
            rc = line_extend(&longer, end, more, step, none);
        tube_node *node = rc == OK ? malloc((size_t)longer.n * sizeof *node) : NULL;
        double *work = rc == OK ? malloc((size_t)longer.n * sizeof *work) : NULL;
        if (rc == OK && (node == NULL || work == NULL))
            rc = fail_memory("the tubes", longer.n * (double)sizeof *node);
        if (rc == OK)
            rc = measure_piece(image, g, &longer, node);
        const bool on = rc == OK && goes_on(node, longer.n, end, more, work);
        for (int i = 0; on && i < longer.n; i++) /* the next step starts from the middle */
            memcpy(longer.at[i], node[i].at_mm, sizeof *longer.at);
        if (on) {
            free(l->at);
            l->at = longer.at;
            l->n = longer.n;
        } else {
            free(longer.at);
        }
        free(node);
        free(work);
        if (!on)
            break;
    }
    return rc;
}

int tube_measure(const volume *image, const paths *p, const tube_guess *g, double beyond, tube *out) {
    int rc = OK, total = 0;
    const double none[3] = {NAN, NAN, NAN}, step = step_radii * g->radius_mm;
    line *l = calloc((size_t)p->n, sizeof *l);
    const int more = (int)ceil(beyond / step_radii);
    memset(out, 0, sizeof *out);
    if (l == NULL)
        return fail_memory("the paths between seeds and openings", p->n * (double)sizeof *l);
    TRY(lines_join(p, l));
    for (int k = 0; k < p->n; k++) {
        if (l[k].n < 2)
            continue;
        TRY(line_resample(&l[k], step));
        TRY(line_smooth(&l[k], 2, 3));
        for (int end = 0; end < 2; end++)
            if (l[k].end[end] >= 0)
                TRY(line_extend(&l[k], end, more, step, g->normal ? g->normal[l[k].end[end]] : none));
            else if (g->n_opening == 0 && l[k].leaf[end])
                TRY(track(image, g, &l[k], end, step));
        total += l[k].n;
    }
    out->node = calloc((size_t)total + 1, sizeof *out->node);
    out->first = calloc((size_t)p->n + 1, sizeof *out->first);
    if (out->node == NULL || out->first == NULL) {
        rc = fail_memory("the tubes", total * (double)sizeof *out->node);
        goto cleanup;
    }
    for (int k = 0; k < p->n; k++) {
        if (l[k].n < 2)
            continue;
        TRY(measure_piece(image, g, &l[k], out->node + out->n));
        if (l[k].end[0] >= 0)
            out->node[out->n + more].opening = l[k].end[0];
        if (l[k].end[1] >= 0)
            out->node[out->n + l[k].n - 1 - more].opening = l[k].end[1];
        out->n += l[k].n;
        out->first[++out->n_piece] = out->n;
    }
cleanup:
    for (int k = 0; k < p->n; k++)
        free(l[k].at);
    free(l);
    if (rc != OK)
        tube_free(out);
    return rc;
}

/* ---------------------------------------------------------------------------------------------- numbers */

double tube_unseen(const tube *t, double place_mm[3]) {
    double longest = 0;
    for (int k = 0; k < t->n_piece; k++) {
        int from = t->first[k], to = t->first[k + 1], run = 0;
        for (int i = t->first[k]; i < t->first[k + 1]; i++) { /* between the openings: what lies beyond is no matter */
            if (t->node[i].opening >= 0 && i - t->first[k] < t->first[k + 1] - 1 - i)
                from = i;
            else if (t->node[i].opening >= 0)
                to = i + 1;
        }
        for (int i = from; i < to; i++) {
            run = t->node[i].seen < least_seen ? run + 1 : 0;
            if (run <= 0 || i == from)
                continue;
            const double length = run * distance(t->node[i].at_mm, t->node[i - 1].at_mm) / t->node[i].radius_mm;
            if (length > longest) {
                longest = length;
                memcpy(place_mm, t->node[i - run / 2].at_mm, 3 * sizeof *place_mm);
            }
        }
    }
    return longest;
}

double tube_volume_mm3(const tube *t) {
    double sum = 0;
    for (int k = 0; k < t->n_piece; k++)
        for (int i = t->first[k] + 1; i < t->first[k + 1]; i++)
            sum += acos(-1) * t->node[i].radius_mm * t->node[i].radius_mm *
                   distance(t->node[i].at_mm, t->node[i - 1].at_mm);
    return sum;
}

/* ---------------------------------------------------------------------------------------------- field */

static double wall_at(const tube_node *t, double x, double y) {
    double turn = atan2(y, x) / (2 * acos(-1)) * TUBE_RAYS;
    turn = turn < 0 ? turn + TUBE_RAYS : turn;
    const int low = (int)turn % TUBE_RAYS;
    return t->wall_mm[low] + (turn - floor(turn)) * (t->wall_mm[(low + 1) % TUBE_RAYS] - t->wall_mm[low]);
}

/* One node into one slice. */
static void stamp(const tube_node *t, int node, double half, double far_mm, int k, volume *field, int32_t *nearest) {
    double centre[3], reach = hypot(1.6 * t->radius_mm + far_mm, half);
    int low[3], high[3];
    volume_to_index(field, t->at_mm, centre);
    for (int a = 0; a < 3; a++) {
        low[a] = (int)fmax(0, ceil(centre[a] - reach / field->spacing_mm[a]));
        high[a] = (int)fmin(field->dims[a] - 1, floor(centre[a] + reach / field->spacing_mm[a]));
    }
    if (k < low[2] || k > high[2])
        return;
    for (int j = low[1]; j <= high[1]; j++)
        for (int i = low[0]; i <= high[0]; i++) {
            double p[3], along = 0, x = 0, y = 0;
            volume_to_lps(field, (const double[3]){i, j, k}, p);
            for (int a = 0; a < 3; a++) {
                p[a] -= t->at_mm[a];
                along += p[a] * t->direction[a];
                x += p[a] * t->across[0][a];
                y += p[a] * t->across[1][a];
            }
            if (fabs(along) > half)
                continue;
            const size_t at = volume_index(field, i, j, k);
            const double d = hypot(x, y) - wall_at(t, x, y);
            if (d >= (double)field->value[at])
                continue;
            field->value[at] = (float)d;
            if (nearest != NULL)
                nearest[at] = node;
        }
}

int tube_field(const tube *t, double far_mm, volume *field, int32_t *nearest) {
    const size_t n = volume_size(field);
    for (size_t i = 0; i < n; i++) {
        field->value[i] = (float)far_mm;
        if (nearest != NULL)
            nearest[i] = -1;
    }
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < field->dims[2]; k++)
        for (int piece = 0; piece < t->n_piece; piece++)
            for (int i = t->first[piece]; i < t->first[piece + 1]; i++) {
                const int other = i + 1 < t->first[piece + 1] ? i + 1 : i - 1;
                stamp(&t->node[i], i, distance(t->node[i].at_mm, t->node[other].at_mm), far_mm, k, field, nearest);
            }
    return OK;
}
