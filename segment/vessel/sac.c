/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/vessel/sac.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances from a node between which its rays are tested, in vessel radii */
static const double open_from = 1.15, open_to = 1.7;
/* A ray is open if its mean beyond the wall is as bright as the vessel. A node is open if at least this fraction of its
 * rays is open */
static const double open_share = 1 / 3.0;
/* The radius of a node is used only if at least this fraction of its rays meets a wall */
static const double sure_share = 0.6;
static const double ball_radii = 0.85;  /* Radius of the ball that rolls from the vessel into a sac, in vessel radii */
static const double doubt_radii = 0.65; /* Radius of the ball that rolls into a possible sac, in vessel radii */
static const double least_radii = 1.8;  /* Lower limit of the radius of a sac, in vessel radii */
/* A tube wider than this, in vessel radii, is inside the sac */
static const double most_vessel = 1.5;
/* Largest radius of a possible sac behind a narrow neck, in vessel radii, as in leak.h */
static const double most_doubtful = 4;
static const double body = 0.5;     /* Radius of the balls that define the body of the sac, in sac radii */
static const double most_far = 2.2; /* Upper limit of the distance from the sac's centre to its points, in sac radii */
/* Largest difference between the intensities of sac and vessel, as a fraction of the contrast */
static const double alike = 0.35;
/* A voxel that is brighter than the vessel by more than this fraction of the contrast is another tissue */
static const double too_bright = 0.7;
/* Standard deviation in voxels of the smoothing that closes holes caused by noise */
static const double even_voxels = 1;
/* Length before and behind the sac over which the vessel is measured, in vessel radii */
static const double beside_radii = 3;

typedef struct {
    int from, to, piece;               /* the open nodes are `from` .. `to` - 1 of this piece */
    double radius_mm, inside, outside; /* radius and intensities of the vessel before and behind the open nodes */
    int node;                          /* node of the tube whose values represent the vessel */
} stretch;

/* Fraction of a node's rays that stay as bright as the vessel beyond the wall. */
static double open_fraction(const volume *v, const tube_node *t, double radius) {
    enum { SAMPLES = 6 };
    int open = 0;
    for (int r = 0; r < TUBE_RAYS; r++) {
        const double angle = 2 * M_PI * r / TUBE_RAYS;
        double sum = 0;
        for (int s = 0; s < SAMPLES; s++) {
            const double far = radius * (open_from + (open_to - open_from) * s / (SAMPLES - 1.0));
            double p[3];
            for (int a = 0; a < 3; a++)
                p[a] = t->at_mm[a] + far * (cos(angle) * t->across[0][a] + sin(angle) * t->across[1][a]);
            sum += volume_sample(v, p) / SAMPLES;
        }
        open += sum > 0.5 * (t->inside + t->outside) && sum < t->inside + too_bright * (t->inside - t->outside);
    }
    return open / (double)TUBE_RAYS;
}

/* Quantile of the radii of the nodes `from` .. `to` - 1 whose walls are visible; NAN: none. */
static double radius_of(const tube *t, int from, int to, double quantile, double *work) {
    int n = 0;
    for (int i = from; i < to; i++)
        if (t->node[i].seen >= sure_share)
            work[n++] = t->node[i].radius_mm;
    qsort(work, (size_t)n, sizeof *work, order_double);
    return n > 0 ? work[(int)(quantile * (n - 1))] : NAN;
}

/* Measures the vessel before and behind a stretch; uses the wider of both sides. */
static void measure_parent(const tube *t, double usual_mm, double step, double *work, stretch *s) {
    const int gap = (int)ceil(usual_mm / step), length = (int)ceil(beside_radii * usual_mm / step);
    const int first = t->first[s->piece], end = t->first[s->piece + 1];
    double most = NAN;
    for (int side = 0; side < 2; side++) {
        const int from = side ? s->to + gap : s->from - gap - length, to = from + length;
        const int low = from > first ? from : first, high = to < end ? to : end;
        const double radius = radius_of(t, low, high, 0.5, work);
        if (isnan(radius) || radius <= most)
            continue;
        most = radius;
        s->node = (low + high) / 2;
    }
    s->radius_mm = isnan(most) ? usual_mm : most;
    s->inside = t->node[s->node].inside;
    s->outside = t->node[s->node].outside;
}

/* Find the open stretches of a piece that are at least half a radius long, and join stretches that are less than a
 * radius apart. out [nodes]: the stretches. Returns their number. */
static int find_stretches(const volume *v, const tube *t, int piece, double usual_mm, stretch *out) {
    int from, to, n = 0;
    tube_between(t, piece, &from, &to);
    const double step = to - from > 1 ? vec_distance(t->node[from].at_mm, t->node[from + 1].at_mm) : usual_mm;
    const int join = (int)ceil(usual_mm / step), least = (int)ceil(0.5 * usual_mm / step);
    for (int i = from; i < to; i++) {
        if (open_fraction(v, &t->node[i], usual_mm) < open_share)
            continue;
        if (n > 0 && i - out[n - 1].to <= join) {
            out[n - 1].to = i + 1;
        } else {
            n += n == 0 || out[n - 1].to - out[n - 1].from >= least;
            out[n - 1] = (stretch){.from = i, .to = i + 1, .piece = piece, .node = i};
        }
    }
    return n > 0 && out[n - 1].to - out[n - 1].from < least ? n - 1 : n;
}

/* Set `depth` to the depth (mm, positive inside) of the region near the stretch that is as bright as the vessel. */
static int find_depth(const volume *v, const stretch *s, double far_mm, volume *depth) {
    const double middle = 0.5 * (s->inside + s->outside), most = s->inside + too_bright * (s->inside - s->outside);
    double sigma[3];
    volume mask = {0};
    int rc = OK;
    for (int a = 0; a < 3; a++)
        sigma[a] = even_voxels * volume_thinnest_mm(v) / v->spacing_mm[a];
    TRY(volume_copy(&mask, v));
    TRY(grid_smooth(&mask, sigma));
    const size_t n = volume_size(v);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        mask.value[i] = (double)mask.value[i] > middle && (double)mask.value[i] < most;
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, far_mm, depth));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        depth->value[i] = -depth->value[i];
cleanup:
    volume_free(&mask);
    return rc;
}

static void voxel_of(const volume *v, const double p[3], int at[3]) {
    double index[3];
    volume_to_index(v, p, index);
    for (int a = 0; a < 3; a++)
        at[a] = (int)fmin(v->dims[a] - 1, fmax(0, floor(index[a] + 0.5)));
}

/* Rolls a ball of `ball` vessel radii from the nodes of the stretch, outside the rest of the tube. mask: region that
 * the ball reaches. room: in, depth; out, -1 in the rest of the tube. */
static int roll_ball(const tube *t, const stretch *s, double ball, volume *room, uint8_t *mask) {
    const size_t n = volume_size(room);
    const double step =
        vec_distance(t->node[s->from].at_mm, t->node[s->from + 1 < t->n ? s->from + 1 : s->from - 1].at_mm);
    const int more = (int)ceil(1.5 * s->radius_mm / step), first = t->first[s->piece], end = t->first[s->piece + 1];
    const int from = s->from - more > first ? s->from - more : first, to = s->to + more < end ? s->to + more : end;
    int rc = OK;
    int64_t count;
    volume field = {0};
    int32_t *nearest = malloc(n * sizeof *nearest);
    int(*start)[3] = malloc((size_t)(s->to - s->from) * sizeof *start);
    if (nearest == NULL || start == NULL) {
        rc = fail_memory("a widening of the vessel", (double)n * sizeof *nearest);
        goto cleanup;
    }
    TRY(volume_create_like(&field, room));
    TRY(tube_field(t, volume_thinnest_mm(room), &field, nearest));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        if (nearest[i] >= 0 && field.value[i] < 0 && (nearest[i] < from || nearest[i] >= to) &&
            t->node[nearest[i]].radius_mm < most_vessel * s->radius_mm)
            room->value[i] = -1;
    for (int i = s->from; i < s->to; i++)
        voxel_of(room, t->node[i].at_mm, start[i - s->from]);
    TRY(region_grow(room, ball * s->radius_mm, INFINITY, s->to - s->from, (const int(*)[3])start, mask, &count));
cleanup:
    free(nearest);
    free(start);
    volume_free(&field);
    return rc;
}

/* Grows the body of a sac: balls of `body` sac radii around its centre, within depth > 0. `out`: its level set (mm,
 * negative inside). */
static int grow_body(const volume *depth, const int middle[3], double radius, volume *out) {
    const size_t n = volume_size(depth);
    int64_t count = 0;
    int rc = OK;
    volume mask = {0};
    uint8_t *core = malloc(n);
    if (core == NULL)
        return fail_memory("a widening of the vessel", (double)n);
    TRY(region_grow(depth, body * radius, INFINITY, 1, (const int(*)[3])middle, core, &count));
    TRY(volume_create_like(&mask, depth));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        mask.value[i] = core[i];
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, 2 * radius, out));
    const double thin = volume_thinnest_mm(depth);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        mask.value[i] = depth->value[i] > 0 && (double)out->value[i] < body * radius + thin;
    volume_free(out);
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, 2 * radius, out));
cleanup:
    free(core);
    volume_free(&mask);
    return rc;
}

/* True if the region is a sac: round, as bright as the vessel, within the image. A seed in it replaces the test of
 * roundness. */
static bool is_sac(const volume *v, const volume *level, const stretch *s, bool seeded, tube_sac *out) {
    const int *d = v->dims;
    double sum = 0, far = 0;
    size_t inside = 0, count = 0, border = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, inside, count, border) reduction(max : far)
    for (int k = 0; k < d[2]; k++)
        for (int j = 0; j < d[1]; j++)
            for (int i = 0; i < d[0]; i++) {
                const size_t at = volume_index(v, i, j, k);
                double p[3];
                if (level->value[at] >= 0)
                    continue;
                volume_to_lps(v, (const double[3]){i, j, k}, p);
                far = fmax(far, vec_distance(p, out->at_mm));
                border += i == 0 || j == 0 || k == 0 || i == d[0] - 1 || j == d[1] - 1 || k == d[2] - 1;
                inside++;
                if ((double)level->value[at] > -body * out->radius_mm)
                    continue;
                sum += (double)v->value[at];
                count++;
            }
    const double off = count > 0 ? (sum / (double)count - s->inside) / (s->inside - s->outside) : 1;
    out->far_mm = far;
    out->cut = border > 0;
    out->volume_mm3 = (double)inside * v->spacing_mm[0] * v->spacing_mm[1] * v->spacing_mm[2];
    message_debug(
        "widening of radius %.2f mm (vessel %.2f mm) at %.1f %.1f %.1f: %.3g mL, reaches %.2f of its radii from its "
        "centre, intensity differs from the vessel by %.2f contrasts, %zu voxels at the border of the image",
        out->radius_mm, s->radius_mm, out->at_mm[0], out->at_mm[1], out->at_mm[2], out->volume_mm3 / 1000,
        far / out->radius_mm, off, border);
    out->round = fabs(off) < alike && far < most_far * out->radius_mm;
    return border == 0 && (out->round || (seeded && fabs(off) < alike));
}

/* Adds the level set of a sac to t->sac, the union of all sacs, and marks the nodes inside the sac as seen. */
static int add_sac(volume *level, const stretch *s, tube *t) {
    for (int i = 0; i < t->n; i++)
        if (volume_sample(level, t->node[i].at_mm) < -0.5 * s->radius_mm)
            t->node[i].seen = 1; /* all walls of such a node count as visible, because they belong to the sac */
    if (t->sac.value == NULL) {
        t->sac = *level;
        t->sac_node = s->node;
        memset(level, 0, sizeof *level);
        return OK;
    }
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        t->sac.value[i] = fminf(t->sac.value[i], level->value[i]);
    return OK;
}

static bool has_seed(const volume *level, int n, const double (*seed)[3], double deep_mm) {
    for (int k = 0; k < n; k++)
        if (volume_sample(level, seed[k]) < -deep_mm)
            return true;
    return false;
}

/* Largest depth inside the mask, and the voxel with this depth. */
static double find_widest(const volume *room, const uint8_t *mask, int at[3]) {
    double most = 0;
    for (int k = 0; k < room->dims[2]; k++)
        for (int j = 0; j < room->dims[1]; j++)
            for (int i = 0; i < room->dims[0]; i++) {
                const size_t v = volume_index(room, i, j, k);
                if (!mask[v] || (double)room->value[v] <= most)
                    continue;
                most = (double)room->value[v];
                at[0] = i, at[1] = j, at[2] = k;
            }
    return most;
}

/* Decide whether a stretch opens into a sac, and add the result to the tube. */
static int evaluate_stretch(const volume *v, const stretch *s, int n_seed, const double (*seed)[3], tube *t) {
    const double far_mm = 12 * s->radius_mm;
    int rc = OK, at[3] = {0};
    volume depth = {0}, level = {0};
    uint8_t *mask = malloc(volume_size(v));
    tube_sac found = {.vessel_mm = s->radius_mm};
    if (mask == NULL)
        return fail_memory("a widening of the vessel", (double)volume_size(v));
    TRY(find_depth(v, s, far_mm, &depth));
    TRY(roll_ball(t, s, ball_radii, &depth, mask));
    found.radius_mm = find_widest(&depth, mask, at);
    const bool doubtful = found.radius_mm < least_radii * s->radius_mm;
    if (doubtful) {
        TRY(roll_ball(t, s, doubt_radii, &depth, mask));
        found.radius_mm = find_widest(&depth, mask, at);
    }
    if (found.radius_mm < least_radii * s->radius_mm)
        goto cleanup;
    volume_to_lps(v, (const double[3]){at[0], at[1], at[2]}, found.at_mm);
    for (int k = 0; k < t->n_found; k++) /* another stretch has already found this sac */
        if (vec_distance(t->found[k].at_mm, found.at_mm) < found.radius_mm)
            goto cleanup;
    TRY(grow_body(&depth, at, found.radius_mm, &level));
    const bool seeded = has_seed(&level, n_seed, seed, body * s->radius_mm);
    found.taken = is_sac(v, &level, s, seeded, &found) && (seeded || !doubtful);
    found.cut = found.cut && !doubtful;
    if (doubtful && !found.taken &&
        /* a structure this large or not round is an organ, not a sac */
        (!found.round || found.radius_mm > most_doubtful * s->radius_mm))
        goto cleanup;
    if (t->n_found < TUBE_SACS)
        t->found[t->n_found++] = found;
    else
        t->n_unlisted++;
    if (found.taken)
        TRY(add_sac(&level, s, t));
cleanup:
    free(mask);
    volume_free(&depth);
    volume_free(&level);
    return rc;
}

int sac_find(const volume *image, const tube_guess *g, int n_seed, const double (*seed)[3], tube *t) {
    int rc = OK;
    double *work = malloc((size_t)(t->n + 1) * sizeof *work);
    stretch *s = malloc((size_t)(t->n + 1) * sizeof *s);
    if (work == NULL || s == NULL) {
        rc = fail_memory("the tubes", t->n * (double)(sizeof *work + sizeof *s));
        goto cleanup;
    }
    for (int k = 0; k < t->n_piece; k++) {
        double usual = radius_of(t, t->first[k], t->first[k + 1], 0.4, work);
        usual = isnan(usual) ? g->radius_mm : usual;
        const int n = find_stretches(image, t, k, usual, s);
        const int first = t->first[k];
        const double step =
            t->first[k + 1] - first > 1 ? vec_distance(t->node[first].at_mm, t->node[first + 1].at_mm) : usual;
        for (int i = 0; i < n; i++) {
            measure_parent(t, usual, step, work, &s[i]);
            message_debug("the vessel is open to one side at nodes %d to %d of %d, radius %.2f mm", s[i].from, s[i].to,
                          t->n, s[i].radius_mm);
            TRY(evaluate_stretch(image, &s[i], n_seed, seed, t));
        }
    }
cleanup:
    free(work);
    free(s);
    return rc;
}
