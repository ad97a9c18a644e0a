/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/vessel/side_branches.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/least_path.h"
#include "segment/vessel/narrow_contact.h"
#include "segment/tube/tube_line.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float most_cost = 30;     /* Upper limit of the cost per mm on a path; a cost of 30 means a score of 0.17
                                        * (side_branches_find), as in the middle of a tube two voxels wide */
static const double step_radii = 0.25; /* Distance between two nodes, in radii, as in tube.c */
static const double guess_part = 0.7;  /* Initial radius of a branch, as a fraction of the radius of the parent
                                        * vessel */
/* The branch is measured from this distance beyond the parent's wall on, in radii */
static const double clear_radii = 0.5;
/* A node belongs to a branch if at least the fraction least_seen of its rays meets a wall, and if its radius is at most
 * `widening` times and at least 1 / narrowing times the median radius of the branch. least_radii: shortest branch, in
 * radii, from the wall of the parent vessel. */
static const double least_seen = 0.65, widening = 1.4, narrowing = 2, least_radii = 4;
/* The contact is tested for branches with a radius of at least touch_voxels, between points up to touch_radii from the
 * contact, in voxels of touch_step radii */
static const double touch_voxels = 2.5, touch_radii = 4.5, touch_step = 1 / 6.0;
static const double cover_radii = 1.5; /* No other path starts within this distance of a path, in radii */
/* TRIES: largest number of paths that are evaluated. BACK: nodes that are followed behind a contact with the parent.
 * BEND: nodes that are skipped at the contact, where the path bends. BY: smallest number of nodes behind the contact
 * that shows a touching vessel instead of a branch. GAP: largest gap in a branch, in nodes. ARM: largest number of
 * points on either side of a contact. */
enum { TRIES = 96, BACK = 32, BEND = 6, BY = 6, GAP = 6, ARM = NARROW_CONTACT_BOX };
/* owners of a voxel other than the branches 0 .. SIDES_MAX - 1 */
enum { NOTHING = -1, VESSEL = SIDES_MAX, REFUSED = SIDES_MAX + 1 };

typedef struct {
    /* minimal paths from the centerline; they do not enter the vessel beyond its openings, or voxels that look unlike a
     * tube */
    least_path least;
    float *way; /* [voxels] length of the part outside the vessel of the path to the voxel, mm */
    /* [voxels] 1: in the vessel between its openings; -1: in the vessel beyond its openings; 0: outside */
    int8_t *inside;
    int8_t *owner;   /* [voxels] branch whose path contains the voxel, or VESSEL, REFUSED, NOTHING */
    uint8_t *closed; /* [voxels] 1: the voxel is near a path that was evaluated */
    int32_t *far;    /* [n_far] voxels whose path is long enough for a branch */
    int64_t n_far;
} search;

static void search_free(search *s) {
    least_path_free(&s->least);
    free(s->way);
    free(s->inside);
    free(s->owner);
    free(s->closed);
    free(s->far);
}

/* Start the search at the centerlines between the openings. */
static int search_start(search *s, const volume *v, const tube *t) {
    const size_t n = volume_size(v);
    volume field = {0};
    int rc = OK, from, to;
    int32_t *nearest = malloc(n * sizeof *nearest);
    int8_t *between = calloc((size_t)t->n + 1, 1);
    s->way = calloc(n, sizeof *s->way), s->inside = calloc(n, 1), s->owner = malloc(n), s->closed = calloc(n, 1);
    TRY(least_path_create(v, &s->least));
    TRY(volume_create_like(&field, v));
    if (!nearest || !between || !s->way || !s->inside || !s->owner || !s->closed) {
        rc = fail_memory("side branches", (double)n * 11);
        goto cleanup;
    }
    TRY(tube_field(t, v->spacing_mm[0], &field, nearest));
    for (int piece = 0; piece < t->n_piece; piece++) {
        tube_between(t, piece, &from, &to);
        memset(between + from, 1, (size_t)(to - from));
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        s->owner[i] = NOTHING;
        if (nearest[i] >= 0 && field.value[i] < 0)
            s->inside[i] = between[nearest[i]] ? 1 : -1;
        if (s->inside[i] < 0 || (s->inside[i] == 0 && v->value[i] > most_cost))
            least_path_forbid(&s->least, (int32_t)i);
    }
    for (int i = 0; i < t->n; i++) {
        double index[3];
        volume_to_index(v, t->node[i].at_mm, index);
        if (!between[i] || !volume_contains(v, t->node[i].at_mm))
            continue;
        const size_t at = volume_index(v, (int)lround(index[0]), (int)lround(index[1]), (int)lround(index[2]));
        s->owner[at] = VESSEL;
        TRY(least_path_start(&s->least, (int32_t)at));
    }
cleanup:
    free(nearest);
    free(between);
    volume_free(&field);
    return rc;
}

/* Find the minimal paths to all voxels that look like a tube. */
static int search_run(search *s) {
    int rc = OK;
    int32_t at;
    while (rc == OK && least_path_next(&s->least, &at)) {
        const int32_t before = least_path_before(&s->least, at);
        if (before != LEAST_PATH_NONE)
            s->way[at] = s->way[before] + (s->inside[at] ? 0 : (float)least_path_step_mm(&s->least, at));
        rc = least_path_spread(&s->least, at);
    }
    return rc;
}

/* Lists the voxels whose path outside the vessel is longer than least_mm. */
static int list_far(search *s, double least_mm) {
    const int64_t n = (int64_t)volume_size(s->least.cost);
    for (int64_t i = 0; i < n; i++) // search_start fills it: NOLINTNEXTLINE(clang-analyzer-core.*)
        s->n_far += s->least.from[i] >= 0 && (double)s->way[i] > least_mm;
    s->far = malloc((size_t)(s->n_far + 1) * sizeof *s->far);
    if (!s->far)
        return fail_memory("side branches", 4.0 * (double)s->n_far);
    for (int64_t i = 0, k = 0; k < s->n_far; i++)
        if (s->least.from[i] >= 0 && (double)s->way[i] > least_mm)
            s->far[k++] = (int32_t)i;
    return OK;
}

/* Finds the listed voxel with the longest path outside the vessel; -1: none. Voxels near an evaluated path do not
 * count. */
static int32_t find_farthest(const search *s) {
    int32_t best = -1;
    float most = 0;
    for (int64_t k = 0; k < s->n_far; k++)
        if (!s->closed[s->far[k]] && s->way[s->far[k]] > most) {
            best = s->far[k];
            most = s->way[best];
        }
    return best;
}

/* Traces the path from the vessel, or from an earlier path, to the tip. out: *n voxels, freed by the caller. */
static int trace_path(const search *s, int32_t tip, int32_t **out, int *n) {
    *n = 1;
    for (int32_t v = tip; s->owner[v] == NOTHING; ++*n)
        v = least_path_before(&s->least, v);
    *out = malloc((size_t)*n * sizeof **out);
    if (*out == NULL)
        return fail_memory("a side branch", *n * (double)sizeof **out);
    for (int k = *n - 1; k >= 0; k--) {
        (*out)[k] = tip;
        tip = k > 0 ? least_path_before(&s->least, tip) : tip;
    }
    return OK;
}

static void close_round(search *s, const double at[3], double reach_mm) {
    const volume *v = s->least.cost;
    double centre[3];
    int low[3], high[3];
    volume_to_index(v, at, centre);
    for (int a = 0; a < 3; a++) {
        low[a] = (int)fmax(0, ceil(centre[a] - reach_mm / v->spacing_mm[a]));
        high[a] = (int)fmin(v->dims[a] - 1, floor(centre[a] + reach_mm / v->spacing_mm[a]));
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                const double d[3] = {i - centre[0], j - centre[1], k - centre[2]};
                if (vec_length(d) * v->spacing_mm[0] <= reach_mm)
                    s->closed[volume_index(v, i, j, k)] = 1;
            }
}

/* Find the nodes `from` .. `to` - 1 of a measured path that are the branch, and their median radius. Returns false if
 * the path is no branch. work [n]: scratch memory. */
static bool find_branch_extent(const tube *t, double widest_mm, double least_mm, int n, const tube_node *node,
                               double *work, int *from, int *to, double *radius_mm) {
    int count = 0, nearest = 0;
    *from = 0;
    while (*from < n && tube_distance(t, node[*from].at_mm, &nearest) < clear_radii * node[*from].radius_mm)
        ++*from;
    *to = *from;
    for (int i = *from; i < n && i - *to <= GAP; i++) {
        const tube_node *at = &node[i];
        const double usual = count > 0 ? *radius_mm : at->radius_mm;
        if (at->seen < least_seen || at->radius_mm > widest_mm || at->radius_mm > widening * usual ||
            at->radius_mm < usual / narrowing)
            continue;
        *to = i + 1;
        work[count++] = at->radius_mm;
        *radius_mm = order_median(work, count);
    }
    return count > 1 && *radius_mm >= least_mm &&
           (*to - *from) * vec_distance(node[*from].at_mm, node[*from + 1].at_mm) >=
               (least_radii - clear_radii) * *radius_mm;
}

/* Sets *by to true if the branch continues on the far side of the contact, next to t: it is then another vessel that
 * only touches t. */
static int continues_behind(const volume *image, const tube_guess *g, const tube *t, int n, const tube_node *node,
                            double radius_mm, bool *by) {
    tube_node back[BACK];
    double at[BACK][3], d[3];
    int rc = OK, run = 0, nearest;
    const int first = n > BEND ? BEND : n - 1, last = n > 3 * BEND ? 3 * BEND : n - 1;
    *by = false;
    const double contact_mm = vec_distance(node[first].at_mm, node[0].at_mm);
    /* omit the nodes close to the contact, where the path bends */
    vec_add(node[last].at_mm, -1, node[first].at_mm, d);
    if (!vec_normalize(d))
        return OK;
    for (int k = 0; k < BACK; k++)
        vec_add(node[first].at_mm, -k * step_radii * radius_mm, d, at[k]);
    TRY(tube_measure_line(image, g, BACK, (const double(*)[3])at, back));
    for (int k = 0; k < BACK; k++) {
        const tube_node *b = &back[k];
        const bool beside = volume_contains(image, b->at_mm) && tube_distance(t, b->at_mm, &nearest) > 0 &&
                            b->seen >= least_seen && b->radius_mm < widening * radius_mm &&
                            b->radius_mm > radius_mm / widening;
        run = beside && k * step_radii * radius_mm > contact_mm ? run + 1 : 0;
        *by = *by || run >= BY;
    }
cleanup:
    return rc;
}

/* The ARM points of a line of nodes nearest to `centre`, within reach_mm. */
static contact_arm points_near(int n, const tube_node *node, const double centre[3], double reach_mm,
                               double at_mm[ARM][3]) {
    int count = 0, nearest = 0;
    for (int i = 1; i < n; i++)
        if (vec_distance(node[i].at_mm, centre) < vec_distance(node[nearest].at_mm, centre))
            nearest = i;
    for (int k = 0; k < 2 * n && count < ARM; k++) { /* from the nearest node in both directions */
        const int i = nearest + (k % 2 ? -(k + 1) / 2 : k / 2);
        if (i >= 0 && i < n && vec_distance(node[i].at_mm, centre) < reach_mm)
            memcpy(at_mm[count++], node[i].at_mm, sizeof *at_mm);
    }
    return (contact_arm){count, (const double(*)[3])at_mm};
}

/* Sets *touches to true if the lumen between the branch of n nodes and the piece of t with node `parent` is narrow. */
static int joins_narrowly(const volume *image, const tube_guess *g, const tube *t, int parent, int n,
                          const tube_node *node, bool *touches) {
    int piece = 0;
    while (parent >= t->first[piece + 1])
        piece++;
    const int first = t->first[piece];
    double branch[ARM][3], vessel[ARM][3];
    const double reach_mm = touch_radii * g->radius_mm;
    *touches = false;
    if (g->radius_mm < touch_voxels * volume_thinnest_mm(image))
        return OK;
    const contact_arm arm[2] = {
        points_near(n, node, node->at_mm, reach_mm, branch),
        points_near(t->first[piece + 1] - first, &t->node[first], node->at_mm, reach_mm, vessel)};
    return narrow_contact_test(image, (g->inside + g->outside) / 2, node->at_mm, touch_step * g->radius_mm, 2, arm,
                               touches, NULL);
}

/* Measure a tube along the path. If the tube is a branch, add it to the list; up to the wanted order of branches, also
 * add it to t. */
static int measure_branch(const volume *image, const tube_guess *guess, double least_mm, tube *t, tube_line *l,
                          int order, side_list *list, bool *found) {
    int rc = OK, parent = 0, from = 0, to = 0;
    double radius = 0, *work = NULL;
    tube_guess g = *guess;
    tube_node *node = NULL;
    bool by = false, touches;
    *found = false;
    tube_distance(t, l->at[0], &parent);
    const double wide = t->node[parent].radius_mm;
    g.inside = t->node[parent].inside, g.outside = t->node[parent].outside;
    g.radius_mm = guess_part * wide;
    TRY(tube_line_resample(l, step_radii * g.radius_mm));
    TRY(tube_line_smooth(l, 2, 3));
    node = malloc((size_t)l->n * sizeof *node);
    work = malloc((size_t)l->n * sizeof *work);
    if (node == NULL || work == NULL) {
        rc = fail_memory("a side branch", l->n * (double)sizeof *node);
        goto cleanup;
    }
    TRY(tube_measure_line(image, &g, l->n, (const double(*)[3])l->at, node));
    if (!find_branch_extent(t, wide, least_mm, l->n, node, work, &from, &to, &radius))
        goto cleanup;
    g.radius_mm = radius;
    TRY(continues_behind(image, &g, t, to - from, &node[from], radius, &by));
    if (by)
        goto cleanup;
    TRY(joins_narrowly(image, &g, t, parent, to - from, &node[from], &touches));
    side_branch *b = &list->branch[list->n];
    *b = (side_branch){.radius_mm = radius, .order = order, .taken = order <= list->wanted, .touches = touches};
    b->length_mm = (to - from) * vec_distance(node[from].at_mm, node[from + 1].at_mm) + clear_radii * radius;
    memcpy(b->point_mm, node[from].at_mm, sizeof b->point_mm);
    memcpy(b->normal, node[from].direction, sizeof b->normal);
    *found = true;
    list->n++;
    /* nodes inside the parent get the walls of node `from`, because rays there see the parent's walls */
    for (int i = 0; i < from; i++) {
        memcpy(node[i].wall_mm, node[from].wall_mm, sizeof node[i].wall_mm);
        node[i].radius_mm = node[from].radius_mm;
        node[i].inside = node[from].inside, node[i].outside = node[from].outside, node[i].seen = node[from].seen;
    }
    if (b->taken)
        TRY(tube_append(t, to, node));
cleanup:
    free(node);
    free(work);
    return rc;
}

/* Evaluate one path and close its surroundings for the following paths. */
static int evaluate_path(search *s, const volume *image, const tube_guess *guess, int32_t tip, tube *t,
                         side_list *list) {
    int32_t *way = NULL;
    int rc = OK, n = 0;
    bool found = false;
    tube_line l = {.end = {-1, -1}};
    TRY(trace_path(s, tip, &way, &n));
    const int parent = s->owner[way[0]]; // not a character: NOLINT(bugprone-signed-char-misuse)
    int order = parent == VESSEL ? 1 : 0;
    if (parent < SIDES_MAX)
        order = list->branch[parent].order + 1;
    for (int k = 0; k < n; k++) {
        double at[3];
        least_path_place(&s->least, way[k], at);
        TRY(tube_line_append(&l, (const double(*)[3])at, 1, false));
    }
    if (order > 0 && order <= list->wanted + 1 && n > 2)
        TRY(measure_branch(image, guess, s->least.cost->spacing_mm[0], t, &l, order, list, &found));
    const side_branch *b = found ? &list->branch[list->n - 1] : NULL;
    for (int k = 1; k < n; k++) {
        double at[3];
        least_path_place(&s->least, way[k], at);
        const double away = b ? vec_distance(at, b->point_mm) : 0;
        if (s->inside[way[k]]) /* inside the vessel other branches may use the same path */
            continue;
        s->owner[way[k]] = (int8_t)(b && away <= b->length_mm ? list->n - 1 : REFUSED);
        close_round(s, at, cover_radii * (b ? b->radius_mm : guess_part * guess->radius_mm));
    }
    s->closed[tip] = 1;
cleanup:
    free(way);
    free(l.at);
    return rc;
}

int side_branches_find(const volume *image, const volume *cost, const tube_guess *guess, tube *t, side_list *list) {
    search s = {0};
    int rc = OK;
    list->n = 0;
    if (t->n == 0)
        return OK;
    TRY(search_start(&s, cost, t));
    TRY(search_run(&s));
    TRY(list_far(&s, least_radii * cost->spacing_mm[0]));
    for (int k = 0; k < TRIES && list->n < SIDES_MAX; k++) {
        const int32_t tip = find_farthest(&s);
        if (tip < 0)
            break;
        TRY(evaluate_path(&s, image, guess, tip, t, list));
    }
cleanup:
    search_free(&s);
    return rc;
}
