/* SPDX-License-Identifier: Apache-2.0 */
#include "post/flow/branches.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/image/volume.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Smallest number of voxels per diameter with which a centerline is found reliably: ACROSS_OPENING in the narrowest
 * opening, ACROSS_NARROWEST in the minimum cross-section. Both are chosen. */
static const double ACROSS_OPENING = 12, ACROSS_NARROWEST = 8;
/* The lumen is extended beyond each opening by CONTINUED_RADII radii of the opening, because a centerline is inaccurate
 * next to a closed end. A voxel of the extension gets the signed distance of its projection along the vessel,
 * READ_VOXELS voxels inside the opening. */
static const double CONTINUED_RADII = 1.2, READ_VOXELS = 2;
/* A point belongs to the nearest branch up to this distance from its centerline, in inscribed radii there: a point in
 * the widest cross-section, and no point of another vessel. Chosen. */
static const double BESIDE_RADII = 2;

void branches_free(vessel_branches *b) {
    centerline_free(&b->line);
    free(b->name);
    memset(b, 0, sizeof *b);
}

int branches_number(const vessel_branches *b, const char *name) {
    for (int k = 0; k < b->line.n_branch; k++)
        if (strcmp(b->name[k], name) == 0)
            return k;
    return -1;
}

int branches_nearest(const vessel_branches *b, const double point_mm[3]) {
    double least = INFINITY, radius_mm = 0;
    int nearest = -1;
    for (int k = 0; k < b->line.n_branch; k++)
        for (int i = 0; i < b->line.branch[k].n; i++) {
            const double away = vec_distance(b->line.branch[k].point[i].at_mm, point_mm);
            if (away < least) {
                least = away;
                nearest = k;
                radius_mm = b->line.branch[k].point[i].radius_mm;
            }
        }
    return least <= BESIDE_RADII * radius_mm ? nearest : -1;
}

/* ------------------------------------------------------------------------------------- signed distance as an image */

/* Number of lattice cells along the edge of a voxel. Centerlines are computed on voxels, because a fine lattice has
 * more cells than they need. */
static int find_stride(const lattice *l, double narrowest_cells) {
    double stride = isfinite(narrowest_cells) ? narrowest_cells / ACROSS_NARROWEST : INFINITY;
    for (int k = 0; k < l->n_opening; k++)
        stride = fmin(stride, 2 * l->opening[k].radius_mm / l->spacing_mm / ACROSS_OPENING);
    return stride >= 2 && stride < 64 ? (int)stride : 1;
}

/* Signed distance of a voxel without a cell: the smallest distance of its six neighbours plus one voxel, limited to
 * half a voxel to two voxels. */
static float distance_outside(const volume *phi, const int at[3]) {
    const double h = phi->spacing_mm[0];
    double least = 2 * h;
    for (int k = 0; k < 6; k++) {
        int to[3] = {at[0], at[1], at[2]};
        to[k / 2] += k % 2 ? 1 : -1;
        if (to[k / 2] < 0 || to[k / 2] >= phi->dims[k / 2])
            continue;
        const double d = (double)phi->value[volume_index(phi, to[0], to[1], to[2])];
        if (isfinite(d))
            least = fmin(least, fmax(d + h, h / 2)); /* limited, because the neighbour of a voxel behind an opening may
                                                      * be deep in the lumen */
    }
    return (float)least;
}

/* Extends the lumen straight beyond opening o, in phi. inside: signed distance of the lumen that ends at the
 * openings. */
static void continue_lumen(const lattice_opening *o, const volume *inside, volume *phi) {
    const double h = phi->spacing_mm[0], length_mm = CONTINUED_RADII * o->radius_mm + 2 * h,
                 reach_mm = 2 * o->radius_mm + length_mm;
    const double *along = vec_length(o->along) > 0.5 ? o->along : o->normal;
    const double slope = fmax(vec_dot(along, o->normal), 0.1);
    double centre[3];
    int low[3], high[3];
    volume_to_index(phi, o->centre_mm, centre);
    for (int a = 0; a < 3; a++) {
        low[a] = (int)fmax(0, floor(centre[a] - reach_mm / h));
        high[a] = (int)fmin(phi->dims[a] - 1, ceil(centre[a] + reach_mm / h));
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                double at_mm[3], d[3];
                volume_to_lps(phi, (const double[3]){i, j, k}, at_mm);
                vec_add(at_mm, -1, o->centre_mm, d);
                const double height_mm = vec_dot(d, o->normal);
                if (height_mm <= 0 || height_mm > length_mm || vec_length(d) > reach_mm)
                    continue;
                vec_add(at_mm, -(height_mm + READ_VOXELS * h) / slope, along, at_mm);
                float *value = &phi->value[volume_index(phi, i, j, k)];
                *value = fminf(*value, (float)volume_sample(inside, at_mm));
            }
}

/* Fills phi, NaN in voxels without a cell, so that the lumen continues beyond its openings. */
static int fill_outside(const lattice *l, volume *phi) {
    volume inside = {0};
    int rc = volume_create_like(&inside, phi);
    if (rc != OK)
        return rc;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < phi->dims[2]; k++)
        for (int j = 0; j < phi->dims[1]; j++)
            for (int i = 0; i < phi->dims[0]; i++) {
                const size_t at = volume_index(phi, i, j, k);
                inside.value[at] =
                    isfinite(phi->value[at]) ? phi->value[at] : distance_outside(phi, (const int[3]){i, j, k});
            }
    memcpy(phi->value, inside.value, volume_size(phi) * sizeof *phi->value);
    for (int k = 0; k < l->n_opening; k++)
        if (l->opening[k].role != LATTICE_MOVING_WALL)
            continue_lumen(&l->opening[k], &inside, phi);
    volume_free(&inside);
    return OK;
}

static int make_distance(const lattice *l, int stride, volume *phi) {
    int dims[3];
    double origin_mm[3];
    const double h = l->spacing_mm * stride, spacing_mm[3] = {h, h, h};
    double radius_mm = 0;
    for (int k = 0; k < l->n_opening; k++)
        radius_mm = fmax(radius_mm, l->opening[k].radius_mm);
    const int margin = (int)ceil(CONTINUED_RADII * radius_mm / h) + 4;
    for (int a = 0; a < 3; a++) {
        dims[a] = (l->dims[a] + stride - 1) / stride + 2 * margin;
        origin_mm[a] = l->origin_mm[a] - margin * h;
    }
    const int rc = volume_create(phi, dims, spacing_mm, origin_mm, NULL);
    if (rc != OK)
        return rc;
    const size_t n = volume_size(phi);
    for (size_t k = 0; k < n; k++)
        phi->value[k] = NAN;
    for (int64_t c = 0; c < l->n_cell; c++) {
        const int32_t *at = l->cell + 3 * c;
        if (at[0] % stride == 0 && at[1] % stride == 0 && at[2] % stride == 0)
            phi->value[volume_index(phi, at[0] / stride + margin, at[1] / stride + margin, at[2] / stride + margin)] =
                l->distance_mm[c];
    }
    return fill_outside(l, phi);
}

/* ---------------------------------------------------------------------------------- direction, names, arc length */

static void reverse_branch(centerline_branch_line *b) {
    const int node = b->node[0];
    b->node[0] = b->node[1];
    b->node[1] = node;
    for (int i = 0, j = b->n - 1; i < j; i++, j--) {
        const centerline_point p = b->point[i];
        b->point[i] = b->point[j];
        b->point[j] = p;
    }
    for (int i = 0; i < b->n; i++) {
        b->point[i].abscissa_mm = b->length_mm - b->point[i].abscissa_mm;
        for (int a = 0; a < 3; a++)
            b->point[i].tangent[a] = -b->point[i].tangent[a];
    }
}

/* Counts the openings that can be reached from a node of branch `branch` without passing through this branch: count[0]
 * inlets, count[1] outlets. opening [n_given]: index of the opening at each given end. */
static void count_beyond(const centerline *c, const lattice *l, const int *opening, int branch, int side,
                         uint8_t *reached, int count[2]) {
    memset(reached, 0, (size_t)c->n_node + 1);
    reached[c->branch[branch].node[side]] = 1;
    count[0] = count[1] = 0;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < c->n_branch; k++)
            for (int i = 0; i < 2 && k != branch; i++)
                if (reached[c->branch[k].node[i]] && !reached[c->branch[k].node[1 - i]]) {
                    reached[c->branch[k].node[1 - i]] = 1;
                    more = true;
                }
    }
    for (int k = 0; k < c->n_node; k++)
        if (reached[k] && c->node[k].given >= 0)
            count[l->opening[opening[c->node[k].given]].role == LATTICE_OUTLET]++;
}

static int direct_branches(centerline *c, const lattice *l, const int *opening) {
    uint8_t *reached = malloc((size_t)c->n_node + 1);
    if (reached == NULL)
        return fail_memory("the branches of the vessel", c->n_node);
    for (int k = 0; k < c->n_branch; k++) {
        int before[2], beyond[2];
        count_beyond(c, l, opening, k, 0, reached, before);
        count_beyond(c, l, opening, k, 1, reached, beyond);
        const bool inflow = beyond[0] > 0 && beyond[1] == 0 && before[1] > 0,
                   outflow = before[1] > 0 && before[0] == 0 && beyond[0] > 0;
        if (inflow || outflow)
            reverse_branch(&c->branch[k]);
    }
    free(reached);
    return OK;
}

static int name_branches(vessel_branches *b, const char *const *end_name) {
    vessel_table t;
    int rc = OK;
    b->name = calloc((size_t)b->line.n_branch + 1, sizeof *b->name);
    if (b->name == NULL)
        return fail_memory("the branches of the vessel", b->line.n_branch * (double)sizeof *b->name);
    TRY(vessel_table_create(&b->line, NAN, NAN, NAN, end_name, &t));
    for (int k = 0; k < b->line.n_branch; k++)
        memcpy(b->name[k], t.branch[k].name, sizeof b->name[k]);
    vessel_table_free(&t);
cleanup:
    return rc;
}

/* ---------------------------------------------------------------------------------------------------------- find */

static int find_lines(const lattice *l, double narrowest_cells, int n, const int *opening, vessel_branches *b) {
    volume phi = {0};
    double(*end_mm)[3] = calloc((size_t)n + 1, sizeof *end_mm);
    const char **name = calloc((size_t)n + 1, sizeof *name);
    const int stride = find_stride(l, narrowest_cells);
    int rc = OK;
    if (end_mm == NULL || name == NULL)
        GIVE_UP(fail_memory("the branches of the vessel", 32.0 * n));
    for (int k = 0; k < n; k++) {
        const lattice_opening *o = &l->opening[opening[k]];
        memcpy(end_mm[k], o->centre_mm, sizeof end_mm[k]);
        name[k] = o->name;
    }
    TRY(make_distance(l, stride, &phi));
    TRY(centerline_find(&phi, n, (const double(*)[3])end_mm, &b->line));
    TRY(name_branches(b, name));
    TRY(direct_branches(&b->line, l, opening));
cleanup:
    volume_free(&phi);
    free(end_mm);
    free(name);
    return rc;
}

int branches_find(const lattice *l, double narrowest_cells, vessel_branches *b) {
    int *opening = calloc((size_t)l->n_opening + 1, sizeof *opening), n = 0, rc = OK;
    memset(b, 0, sizeof *b);
    if (opening == NULL)
        return fail_memory("the branches of the vessel", 4.0 * l->n_opening);
    for (int k = 0; k < l->n_opening; k++)
        if (l->opening[k].role != LATTICE_MOVING_WALL)
            opening[n++] = k;
    if (n >= 2)
        rc = find_lines(l, narrowest_cells, n, opening, b);
    else
        snprintf(b->why, sizeof b->why, "the model has no two openings");
    free(opening);
    if (rc == OK)
        return OK;
    const char *why = status_message();
    char text[sizeof b->why];
    snprintf(text, sizeof text, "%s", why);
    branches_free(b);
    if (rc == ERR_RESOURCE)
        return rc;
    status_clear();
    snprintf(b->why, sizeof b->why, "%s", text);
    return OK;
}

bool branches_place(const vessel_branches *b, int branch, double at_mm, double point_mm[3], double tangent[3]) {
    const centerline_branch_line *c = &b->line.branch[branch];
    int low = 0, high = c->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (c->point[middle].abscissa_mm <= at_mm)
            low = middle;
        else
            high = middle;
    }
    const centerline_point *p = &c->point[low], *q = &c->point[high];
    const double length = q->abscissa_mm - p->abscissa_mm,
                 part = length > 0 ? fmin(fmax((at_mm - p->abscissa_mm) / length, 0), 1) : 0;
    for (int a = 0; a < 3; a++) {
        point_mm[a] = (1 - part) * p->at_mm[a] + part * q->at_mm[a];
        tangent[a] = (1 - part) * p->tangent[a] + part * q->tangent[a];
    }
    if (!vec_normalize(tangent))
        memcpy(tangent, p->tangent, sizeof p->tangent);
    return p->own && q->own && !p->section.open && !q->section.open;
}

/* ---------------------------------------------------------------------------------------------------------- path */

/* Node of an opening; -1: none. Given ends are numbered like the openings, without moving walls. */
static int node_of_opening(const vessel_branches *b, const lattice *l, int opening) {
    int given = 0;
    for (int k = 0; k < opening; k++)
        given += l->opening[k].role != LATTICE_MOVING_WALL;
    for (int k = 0; k < b->line.n_node; k++)
        if (b->line.node[k].given == given)
            return k;
    return -1;
}

/* Shortest way to every node (Bellman and Ford). came [n_node] out: branch that leads to the node; -1: none. */
static void find_ways(const centerline *c, int from, double *way_mm, int *came) {
    for (int k = 0; k < c->n_node; k++) {
        way_mm[k] = k == from ? 0 : INFINITY;
        came[k] = -1;
    }
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < c->n_branch; k++)
            for (int i = 0; i < 2; i++) {
                const int a = c->branch[k].node[i], z = c->branch[k].node[1 - i];
                if (way_mm[a] + c->branch[k].length_mm < way_mm[z]) {
                    way_mm[z] = way_mm[a] + c->branch[k].length_mm;
                    came[z] = k;
                    more = true;
                }
            }
    }
}

/* Appends the points of a branch, beginning at its node `from`. The first point is skipped if the previous branch ended
 * there. */
static void append_branch(const centerline_branch_line *c, int from, int *n, double (*at_mm)[3], double *radius_mm) {
    for (int i = *n > 0; i < c->n; i++) {
        const centerline_point *p = &c->point[c->node[1] == from ? c->n - 1 - i : i];
        memcpy(at_mm[(*n)++], p->at_mm, sizeof p->at_mm);
        if (p->own && !p->section.open)
            *radius_mm = fmax(*radius_mm, sqrt(p->section.area_mm2 / M_PI));
    }
}

int branches_path(const vessel_branches *b, const lattice *l, int from, int to, int *n, double (**at_mm)[3],
                  double *radius_mm) {
    const centerline *c = &b->line;
    const int first = node_of_opening(b, l, from), last = node_of_opening(b, l, to);
    double *way_mm = malloc(((size_t)c->n_node + 1) * sizeof *way_mm);
    int *came = malloc(((size_t)c->n_node + 1) * sizeof *came), total = 0;
    *n = 0;
    *radius_mm = 0;
    for (int k = 0; k < c->n_branch; k++)
        total += c->branch[k].n;
    *at_mm = malloc(((size_t)total + 1) * sizeof **at_mm);
    const bool room = way_mm && came && *at_mm;
    if (room && first >= 0 && last >= 0 && first != last) {
        find_ways(c, last, way_mm, came);
        for (int node = first; node != last && came[node] >= 0;) { /* from `from` towards `to` */
            const centerline_branch_line *way = &c->branch[came[node]];
            append_branch(way, node, n, *at_mm, radius_mm);
            node = way->node[way->node[0] == node];
        }
    }
    free(way_mm);
    free(came);
    return room ? OK : fail_memory("the branches of the vessel", 24.0 * total);
}
