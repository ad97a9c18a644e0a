/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/vessel/narrow_neck_sac.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distance from the tube's wall, in voxels, that is not searched, because the blur of the vessel reaches this far */
static const double margin_voxels = 1;
/* far_voxels: largest distance between a structure and the wall, in voxels; bridge: smallest intensity on the line to
 * the vessel, as a fraction of the contrast above the tissue */
static const double far_voxels = 4, bridge = 0.25;
/* Limits of the radius of a ball with the structure's volume, in vessel radii */
static const double least_radii = 0.8, most_radii = 4;
/* Upper limit of a voxel's distance from the centre, in radii of the ball with the same volume */
static const double most_far = 1.5;
static const double alike = 0.35; /* Largest difference between the intensities of core and vessel, as a fraction of
                                   * the contrast */
static const double core = 0.5;   /* Radius of the core of the sac, in radii of the ball with the volume of the sac */
/* A voxel that is brighter than the vessel by more than this fraction of the contrast is another tissue */
static const double too_bright = 0.7;
/* Largest fraction of the volume that is another tissue */
static const double most_bright = 0.1;
/* Smallest gap in voxels that shows a wall; an organ that touches the vessel has a narrower gap */
static const double least_gap = 1.2;
static const double most_thick = 3; /* Upper limit of slice thickness over voxel width */

typedef struct {
    const volume *image, *sharp; /* image: smoothed; sharp: not smoothed */
    volume field;                /* signed distance to the tube's wall, mm */
    int32_t *nearest;            /* [voxels] nearest node of the tube */
    uint8_t *done;               /* [voxels] 1: the voxel belongs to a piece */
    size_t *list;                /* voxels of the piece that is being collected */
    double voxel_mm;             /* edge of a cube with the volume of a voxel */
} search;

typedef struct {
    /* numbers of voxels. n: all voxels of the piece; bright: far brighter than the vessel; contact: within a voxel of
     * the margin that is not searched */
    size_t n, bright, contact;
    double sum[3]; /* sums of the voxel indices along each axis */
    bool border;
} piece;

/* Flood the voxels above `low` outside the tube that are connected with `start`; s->list holds them. */
static piece flood_piece(search *s, size_t start, double low, double high) {
    const volume *v = s->image;
    piece p = {0};
    s->list[p.n++] = start;
    s->done[start] = 1;
    for (size_t next = 0; next < p.n; next++) {
        const size_t voxel = s->list[next];
        size_t beside[6];
        int at[3];
        voxel_split(v, voxel, at);
        const int n = voxel_face_neighbours(v, voxel, beside);
        p.border |= n < 6;
        p.bright += (double)v->value[voxel] > high;
        p.contact += (double)s->field.value[voxel] < (margin_voxels + 1) * s->voxel_mm;
        for (int a = 0; a < 3; a++)
            p.sum[a] += at[a];
        for (int k = 0; k < n; k++) {
            const size_t i = beside[k];
            if (s->done[i] || (double)s->field.value[i] < margin_voxels * s->voxel_mm || (double)v->value[i] <= low)
                continue;
            s->done[i] = 1;
            s->list[p.n++] = i;
        }
    }
    return p;
}

/* Gap in voxels between a ball and a tube, from the ball's area within two voxels of the tube: area = 2 pi (2 - gap)
 * times the geometric mean of the radii of curvature of the gap. */
static double gap_of(const search *s, const piece *p, double tube_mm, double ball_mm) {
    const double curved = sqrt(tube_mm * ball_mm / (tube_mm + ball_mm) * ball_mm) / s->voxel_mm;
    return margin_voxels + 1 - (double)p->contact / (2 * M_PI * curved);
}

/* True if the piece is round and as bright as the vessel. `out`: its description. */
static bool is_pouch(const search *s, const piece *p, const tube_node *t, tube_pouch *out) {
    const double mm3 = pow(s->voxel_mm, 3), n = (double)p->n;
    const double radius = cbrt(n * mm3 * 3 / (4 * M_PI));
    double far = 0, sum = 0;
    size_t count = 0;
    if (p->border || radius < least_radii * t->radius_mm || radius > most_radii * t->radius_mm)
        return false;
    volume_to_lps(s->image, (const double[3]){p->sum[0] / n, p->sum[1] / n, p->sum[2] / n}, out->at_mm);
    for (size_t i = 0; i < p->n; i++) {
        int at[3];
        double q[3];
        voxel_split(s->image, s->list[i], at);
        volume_to_lps(s->image, (const double[3]){at[0], at[1], at[2]}, q);
        const double d = vec_distance(q, out->at_mm);
        far = fmax(far, d);
        if (d > core * radius)
            continue;
        sum += (double)s->image->value[s->list[i]];
        count++;
    }
    const double off = count > 0 ? (sum / (double)count - t->inside) / (t->inside - t->outside) : INFINITY;
    const double gap = gap_of(s, p, t->radius_mm, radius);
    *out = (tube_pouch){{out->at_mm[0], out->at_mm[1], out->at_mm[2]}, radius, n * mm3, t->radius_mm, gap > least_gap};
    message_debug("structure next to the vessel (radius %.2f mm) at %.1f %.1f %.1f: %.3g mL, reaches %.2f of its radii "
                  "from its centre, intensity differs from the vessel by %.2f contrasts, %.0f %% far brighter, gap to "
                  "the vessel %.2f voxels",
                  t->radius_mm, out->at_mm[0], out->at_mm[1], out->at_mm[2], out->volume_mm3 / 1000, far / radius, off,
                  100 * (double)p->bright / n, gap);
    return far < most_far * radius && fabs(off) < alike && (double)p->bright < most_bright * n;
}

static bool is_listed(const tube *t, const double at[3]) {
    for (int k = 0; k < t->n_found; k++)
        if (vec_distance(t->found[k].at_mm, at) < t->found[k].radius_mm)
            return true;
    return false;
}

/* Sets between [t->n] to true for the nodes between the openings. */
static void mark_between(const tube *t, bool *between) {
    memset(between, 0, (size_t)t->n * sizeof *between);
    for (int k = 0; k < t->n_piece; k++) {
        int from, to;
        tube_between(t, k, &from, &to);
        for (int i = from; i < to; i++)
            between[i] = true;
    }
}

/* True if the straight line from the voxel to the vessel stays brighter than the tissue. */
static bool is_joined(const search *s, size_t voxel, const tube_node *t) {
    const double gap_mm = (double)s->field.value[voxel], level = t->outside + bridge * (t->inside - t->outside);
    double from[3];
    int at[3];
    voxel_split(s->image, voxel, at);
    volume_to_lps(s->image, (const double[3]){at[0], at[1], at[2]}, from);
    const double length = vec_distance(from, t->at_mm);
    for (double d = 0; d < gap_mm && d < length; d += 0.5 * s->voxel_mm) {
        double p[3];
        for (int a = 0; a < 3; a++)
            p[a] = from[a] + d / length * (t->at_mm[a] - from[a]);
        if (volume_sample(s->sharp, p) < level)
            return false;
    }
    return true;
}

static void find_pouches(search *s, const bool *between, tube *t) {
    const size_t n = volume_size(s->image);
    for (size_t i = 0; i < n; i++) {
        const double away = (double)s->field.value[i] / s->voxel_mm;
        if (s->done[i] || s->nearest[i] < 0 || away < margin_voxels || away > far_voxels || !between[s->nearest[i]])
            continue;
        const tube_node *node = &t->node[s->nearest[i]];
        const double per = node->inside - node->outside, low = node->inside - 0.5 * per;
        tube_pouch found;
        if (per <= 0 || (double)s->image->value[i] <= low || !is_joined(s, i, node))
            continue;
        const piece p = flood_piece(s, i, low, node->inside + too_bright * per);
        if (!is_pouch(s, &p, node, &found) || is_listed(t, found.at_mm))
            continue;
        if (t->n_pouch < TUBE_SACS)
            t->pouch[t->n_pouch++] = found;
        else
            t->n_pouch_unlisted++;
    }
}

int narrow_neck_sac_find(const volume *image, tube *t) {
    const double *h = image->spacing_mm, thin = volume_thinnest_mm(image);
    const size_t n = volume_size(image);
    volume even = {0};
    bool *between = NULL;
    int rc = OK;
    search s = {.image = &even, .sharp = image, .voxel_mm = cbrt(h[0] * h[1] * h[2])};
    t->n_pouch = t->n_pouch_unlisted = 0;
    if (volume_thickest_mm(image) > most_thick * thin)
        return OK;
    between = malloc((size_t)(t->n + 1) * sizeof *between);
    s.nearest = malloc(n * sizeof *s.nearest);
    s.done = calloc(n, 1);
    s.list = malloc(n * sizeof *s.list);
    if (between == NULL || s.nearest == NULL || s.done == NULL || s.list == NULL) {
        rc = fail_memory("structures next to the vessel", (double)n * sizeof *s.list);
        goto cleanup;
    }
    TRY(volume_copy(&even, image));
    TRY(grid_smooth(&even, (const double[3]){thin / h[0], thin / h[1], thin / h[2]}));
    TRY(volume_create_like(&s.field, image));
    TRY(tube_field(t, (far_voxels + 1) * s.voxel_mm, &s.field, s.nearest));
    mark_between(t, between);
    find_pouches(&s, between, t);
cleanup:
    free(between);
    free(s.nearest);
    free(s.done);
    free(s.list);
    volume_free(&even);
    volume_free(&s.field);
    return rc;
}
