/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/tube/tube.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/tube/tube_walls.h"
#include "segment/tube/tube_line.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double step_radii = 0.25; /* Distance between two nodes, in radii */
static const double least_seen = 0.3;
/* Limits for following the vessel beyond a seed. tracked_seen: smallest fraction of the rays that meet the wall.
 * widening: largest ratio of the width to the median width; narrowing: largest inverse ratio. most_tracked_mm: largest
 * length. */
static const double tracked_seen = 0.5, widening = 1.4, narrowing = 2, most_tracked_mm = 150;
/* ROUNDS: number of rounds that fit a line. LOOK_BACK: number of earlier nodes that are fitted together with new nodes.
 * STRIDE_MAX: largest number of new nodes that are added at once (a stride). */
enum { ROUNDS = 5, LOOK_BACK = 40, STRIDE_MAX = 8 };
static const int back_steps = 8; /* Number of nodes that give the direction of an extension (two radii) */

void tube_free(tube *t) {
    free(t->node);
    free(t->first);
    volume_free(&t->sac);
    memset(t, 0, sizeof *t);
}

/* ---------------------------------------------------------------------------------------- measuring the nodes */

/* Set the direction of each node by central differences, and its frame with minimal rotation from node to node. */
static void set_frames(tube_node *node, int n) {
    for (int i = 0; i < n; i++) {
        const double *a = node[i > 1 ? i - 2 : 0].at_mm, *b = node[i + 2 < n ? i + 2 : n - 1].at_mm;
        double *d = node[i].direction, *u = node[i].across[0], *w = node[i].across[1], norm = vec_distance(a, b),
               dot = 0;
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
        norm = vec_length(u);
        for (int k = 0; k < 3; k++)
            u[k] /= norm;
        for (int k = 0; k < 3; k++)
            w[k] = d[(k + 1) % 3] * u[(k + 2) % 3] - d[(k + 2) % 3] * u[(k + 1) % 3];
    }
}

int tube_measure_line(const volume *image, const tube_guess *g, int n, const double (*at)[3], tube_node *node) {
    int rc = OK;
    for (int i = 0; i < n; i++) {
        node[i] = (tube_node){.radius_mm = g->radius_mm, .inside = g->inside, .outside = g->outside, .opening = -1};
        memcpy(node[i].at_mm, at[i], sizeof node[i].at_mm);
        memcpy(node[i].path_mm, at[i], sizeof node[i].path_mm);
    }
    for (int round = 0; round < ROUNDS && rc == OK; round++) {
        set_frames(node, n);
        rc = tube_walls_fit(image, g, round == 0, round + 1 == ROUNDS, node, n);
    }
    return rc;
}

/* True if the last `more` nodes continue the vessel within the image: walls are visible and the radius is near the
 * median of radius [n_radius] (reordered here). */
static bool goes_on(const volume *image, const tube_node *node, int n, int more, int n_radius, double *radius) {
    const double median = order_median(radius, n_radius);
    for (int i = n - more; i < n; i++) {
        const tube_node *t = &node[i];
        if (!volume_contains(image, t->at_mm) || t->seen < tracked_seen || t->radius_mm > widening * median ||
            t->radius_mm < median / narrowing)
            return false;
    }
    return true;
}

/* Extend the line by one stride of `more` nodes, fitted together with the nodes before it. radius [*n_radius]: radii of
 * the nodes before, with capacity for more. *on: the vessel continues, and the line was extended. */
static int extend_by_stride(const volume *image, const tube_guess *g, tube_line *l, int more, double step,
                            int *n_radius, double *radius, bool *on) {
    const double none[3] = {NAN, NAN, NAN};
    const int look = l->n < LOOK_BACK ? l->n : LOOK_BACK, first = l->n - look;
    tube_node node[LOOK_BACK + STRIDE_MAX];
    tube_line piece = {.end = {-1, -1}};
    int rc = OK;
    TRY(tube_line_append(&piece, (const double(*)[3])(l->at + first), look, false));
    TRY(tube_line_extend(&piece, 1, more, step, back_steps, none));
    TRY(tube_measure_line(image, g, piece.n, (const double(*)[3])piece.at, node));
    if (*n_radius == 0)
        for (int i = 0; i < look; i++)
            radius[(*n_radius)++] = node[i].radius_mm;
    *on = goes_on(image, node, piece.n, more, *n_radius, radius);
    if (!*on)
        goto cleanup;
    TRY(tube_line_append(l, (const double(*)[3])(piece.at + look), more, false));
    for (int i = 0; i < piece.n; i++) /* the next stride starts from centres that were measured */
        memcpy(l->at[first + i], node[i].at_mm, sizeof *l->at);
    for (int i = 0; i < more; i++)
        radius[(*n_radius)++] = node[look + i].radius_mm;
cleanup:
    free(piece.at);
    return rc;
}

/* Follow the vessel beyond an end that is a seed, one radius at a time, while it continues. */
static int follow_vessel(const volume *image, const tube_guess *g, tube_line *l, int end, double step) {
    const int more = (int)ceil(1 / step_radii), most = (int)(most_tracked_mm / (more * step));
    int rc = OK, n_radius = 0;
    bool on = true;
    double *radius = malloc((size_t)(LOOK_BACK + (most + 1) * more) * sizeof *radius);
    if (radius == NULL)
        return fail_memory("the tubes", (most + 1) * more * (double)sizeof *radius);
    if (end == 0)
        tube_line_reverse(l);
    for (int k = 0; k < most && rc == OK && on; k++)
        rc = extend_by_stride(image, g, l, more, step, &n_radius, radius, &on);
    if (end == 0)
        tube_line_reverse(l);
    free(radius);
    return rc;
}

int tube_measure(const volume *image, const paths *p, const tube_guess *g, double beyond, tube *out) {
    int rc = OK, total = 0;
    const double none[3] = {NAN, NAN, NAN}, step = step_radii * g->radius_mm;
    tube_line *l = calloc((size_t)p->n, sizeof *l);
    const int more = (int)ceil(beyond / step_radii);
    memset(out, 0, sizeof *out);
    if (l == NULL)
        return fail_memory("the paths between seeds and openings", p->n * (double)sizeof *l);
    TRY(tube_line_join(p, l));
    for (int k = 0; k < p->n; k++) {
        if (l[k].n < 2)
            continue;
        TRY(tube_line_resample(&l[k], step));
        TRY(tube_line_smooth(&l[k], 2, 3));
        for (int end = 0; end < 2; end++)
            if (l[k].end[end] >= 0)
                TRY(tube_line_extend(&l[k], end, more, step, back_steps, g->normal ? g->normal[l[k].end[end]] : none));
            else if (g->n_opening == 0 && l[k].leaf[end])
                TRY(follow_vessel(image, g, &l[k], end, step));
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
        TRY(tube_measure_line(image, g, l[k].n, (const double(*)[3])l[k].at, out->node + out->n));
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

int tube_append(tube *t, int n, const tube_node *node) {
    tube_node *more = realloc(t->node, (size_t)(t->n + n + 1) * sizeof *more);
    if (more == NULL)
        return fail_memory("the tubes", (t->n + n) * (double)sizeof *more);
    t->node = more;
    int *first = realloc(t->first, (size_t)(t->n_piece + 2) * sizeof *first);
    if (first == NULL)
        return fail_memory("the tubes", (t->n_piece + 2) * (double)sizeof *first);
    t->first = first;
    memcpy(t->node + t->n, node, (size_t)n * sizeof *node);
    t->n += n;
    t->first[++t->n_piece] = t->n;
    return OK;
}

/* ---------------------------------------------------------------------------------------- lengths and volume */

void tube_between(const tube *t, int piece, int *from, int *to) {
    const int first = t->first[piece], end = t->first[piece + 1];
    *from = first;
    *to = end;
    for (int i = first; i < end; i++) {
        if (t->node[i].opening >= 0 && i - first < end - 1 - i)
            *from = i;
        else if (t->node[i].opening >= 0)
            *to = i + 1;
    }
}

double tube_longest_unseen(const tube *t, bool lost, double place_mm[3]) {
    double longest = 0;
    for (int k = 0; k < t->n_piece; k++) {
        int from, to, run = 0;
        tube_between(t, k, &from, &to); /* leaves out nodes beyond the openings */
        for (int i = from; i < to; i++) {
            run = t->node[i].seen < least_seen && (lost || !t->node[i].lost) ? run + 1 : 0;
            if (run <= 0 || i == from)
                continue;
            const double length = run * vec_distance(t->node[i].at_mm, t->node[i - 1].at_mm) / t->node[i].radius_mm;
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
            sum += M_PI * t->node[i].radius_mm * t->node[i].radius_mm *
                   vec_distance(t->node[i].at_mm, t->node[i - 1].at_mm);
    for (int k = 0; k < t->n_found; k++)
        sum += t->found[k].taken ? t->found[k].volume_mm3 : 0;
    return sum;
}

/* ---------------------------------------------------------------------------------------- signed distance */

static double wall_at(const tube_node *t, double x, double y) {
    double turn = atan2(y, x) / (2 * M_PI) * TUBE_RAYS;
    turn = turn < 0 ? turn + TUBE_RAYS : turn;
    const int low = (int)turn % TUBE_RAYS;
    return t->wall_mm[low] + (turn - floor(turn)) * (t->wall_mm[(low + 1) % TUBE_RAYS] - t->wall_mm[low]);
}

/* Signed distance to the wall of the tube at a node. Valid within `half` mm before and behind the node along the tube;
 * INFINITY elsewhere. */
static double node_distance(const tube_node *t, double half, const double at[3]) {
    double along = 0, x = 0, y = 0;
    for (int a = 0; a < 3; a++) {
        const double d = at[a] - t->at_mm[a];
        along += d * t->direction[a];
        x += d * t->across[0][a];
        y += d * t->across[1][a];
    }
    return fabs(along) > half ? INFINITY : hypot(x, y) - wall_at(t, x, y);
}

/* Half the thickness of a node's disc in mm, so large that neighbouring discs overlap. */
static double half_thickness(const tube *t, int piece, int i) {
    const int other = i + 1 < t->first[piece + 1] ? i + 1 : i - 1;
    return vec_distance(t->node[i].at_mm, t->node[other].at_mm);
}

double tube_distance(const tube *t, const double at[3], int *nearest) {
    double least = INFINITY;
    for (int piece = 0; piece < t->n_piece; piece++)
        for (int i = t->first[piece]; i < t->first[piece + 1]; i++) {
            const double d = node_distance(&t->node[i], half_thickness(t, piece, i), at);
            if (d >= least)
                continue;
            least = d;
            *nearest = i;
        }
    return least;
}

/* Lower the distance in slice k of `field` to that of the sacs (t->sac, signed, in mm) where this is smaller. */
static void stamp_sac(const tube *t, int k, volume *field, int32_t *nearest) {
    for (int j = 0; j < field->dims[1]; j++)
        for (int i = 0; i < field->dims[0]; i++) {
            double p[3];
            volume_to_lps(field, (const double[3]){i, j, k}, p);
            const size_t at = volume_index(field, i, j, k);
            const double d = volume_contains(&t->sac, p) ? volume_sample(&t->sac, p) : INFINITY;
            if (d >= (double)field->value[at])
                continue;
            field->value[at] = (float)d;
            if (nearest != NULL)
                nearest[at] = t->sac_node;
        }
}

/* Write the distance to a node's disc into slice k of `field`. */
static void stamp_node(const tube_node *t, int node, double half, double far_mm, int k, volume *field,
                       int32_t *nearest) {
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
            double p[3];
            volume_to_lps(field, (const double[3]){i, j, k}, p);
            const size_t at = volume_index(field, i, j, k);
            const double d = node_distance(t, half, p);
            if (d >= (double)field->value[at])
                continue;
            field->value[at] = (float)d;
            if (nearest != NULL)
                nearest[at] = node;
        }
}

int tube_field(const tube *t, double far_mm, volume *field, int32_t *nearest) {
    const size_t plane = (size_t)field->dims[0] * (size_t)field->dims[1];
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < field->dims[2]; k++) {
        for (size_t i = (size_t)k * plane; i < (size_t)(k + 1) * plane; i++) {
            field->value[i] = (float)far_mm;
            if (nearest != NULL)
                nearest[i] = -1;
        }
        for (int piece = 0; piece < t->n_piece; piece++)
            for (int i = t->first[piece]; i < t->first[piece + 1]; i++)
                stamp_node(&t->node[i], i, half_thickness(t, piece, i), far_mm, k, field, nearest);
        if (t->sac.value != NULL)
            stamp_sac(t, k, field, nearest);
    }
    return OK;
}
