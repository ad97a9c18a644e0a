/* SPDX-License-Identifier: Apache-2.0 */
/* See centerline.h. */
#include "common/centerline/centerline.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/context/context.h"
#include "common/centerline/bifurcation_place.h"
#include "common/centerline/branch_order.h"
#include "common/centerline/branch_trace.h"
#include "common/centerline/lumen_grid.h"
#include "common/centerline/skeleton_graph.h"
#include "common/centerline/thinning.h"
#include "common/centerline/vessel_tips.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_RADII = 3; /* Smallest length of a vessel with a single branch, in radii; own choice */
static const double NODE_MOVE = 0.5; /* Largest shift of a bifurcation to the centre of its sphere, in radii; own
                                      * choice */

void centerline_free(centerline *c) {
    for (int k = 0; k < c->n_branch; k++)
        free(c->branch[k].point);
    free(c->branch);
    free(c->node);
    memset(c, 0, sizeof *c);
}

static void to_lps(const volume *phi, const double at[3], double lps[3]) {
    const double *h = phi->spacing_mm;
    volume_to_lps(phi, (const double[3]){at[0] / h[0], at[1] / h[1], at[2] / h[2]}, lps);
}

static void turn_to_lps(const volume *phi, const double d[3], double lps[3]) {
    for (int a = 0; a < 3; a++)
        lps[a] = phi->direction[3 * a] * d[0] + phi->direction[3 * a + 1] * d[1] + phi->direction[3 * a + 2] * d[2];
}

/* Finds the lumen voxel nearest to each given end. */
static int nearest_voxels(const volume *phi, const lumen_grid *g, int n, const double (*end_mm)[3], size_t **voxel) {
    *voxel = malloc((size_t)n * sizeof **voxel);
    if (*voxel == NULL)
        return fail_memory("the ends of the vessel", n * (double)sizeof **voxel);
    for (int e = 0; e < n; e++) {
        double index[3], best = INFINITY;
        volume_to_index(phi, end_mm[e], index);
        for (size_t k = 0; k < g->n; k++) {
            double at[3], square = 0;
            lumen_grid_index(g, g->voxel[k], at);
            for (int a = 0; a < 3; a++)
                square += (at[a] - index[a]) * g->spacing_mm[a] * ((at[a] - index[a]) * g->spacing_mm[a]);
            if (square < best) {
                best = square;
                (*voxel)[e] = g->voxel[k];
            }
        }
    }
    return OK;
}

/* Moves a fixed node to its given end if this end is inside the lumen. */
static void place_given_ends(const volume *phi, int n, const double (*end_mm)[3], const lumen_grid *g,
                             const size_t *voxel, skeleton_graph *s, int *given) {
    for (int k = 0; k < s->n_node; k++)
        given[k] = -1;
    for (int e = 0; e < n; e++) {
        double at[3], index[3];
        lumen_grid_index(g, voxel[e], at);
        volume_to_index(phi, end_mm[e], index);
        for (int a = 0; a < 3; a++) {
            at[a] *= phi->spacing_mm[a];
            index[a] *= phi->spacing_mm[a];
        }
        for (int k = 0; k < s->n_node; k++) {
            skeleton_node *node = &s->node[k];
            if (!node->fixed || node->degree == 0 || given[k] >= 0 ||
                vec_distance(node->p.at, at) > 2 * g->thinnest_mm + node->p.depth_mm)
                continue;
            given[k] = e;
            if (wall_rays_phi(phi, index) < 0)
                memcpy(node->p.at, index, sizeof index);
            break;
        }
    }
}

/* Moves the bifurcations to the centres of their spheres. The edges at a bifurcation then begin at its new place. */
static void centre_nodes(const volume *phi, skeleton_graph *s) {
    for (int k = 0; k < s->n_node; k++) {
        skeleton_node *node = &s->node[k];
        if (node->degree >= 3 && !node->fixed)
            node->p.depth_mm = wall_rays_ball_centre(phi, NODE_MOVE * node->p.depth_mm, node->p.at);
    }
    for (int k = 0; k < s->n_edge; k++) {
        skeleton_edge *e = &s->edge[k];
        if (e->removed)
            continue;
        e->point[0].depth_mm = s->node[e->node[0]].p.depth_mm;
        memcpy(e->point[0].at, s->node[e->node[0]].p.at, sizeof e->point[0].at);
        memcpy(e->point[e->n - 1].at, s->node[e->node[1]].p.at, sizeof e->point[0].at);
    }
}

/* Removes pieces that are too short for a centerline: a single branch shorter than three radii. A ball, for example,
 * has a branch of two radii. */
static void drop_blobs(skeleton_graph *s) {
    for (int k = 0; k < s->n_edge; k++) {
        skeleton_edge *e = &s->edge[k];
        const skeleton_node *a = &s->node[e->node[0]], *b = &s->node[e->node[1]];
        if (e->removed || (e->node[0] != e->node[1] && (a->degree != 1 || b->degree != 1)) || a->fixed || b->fixed)
            continue;
        double radius = 0;
        for (int i = 0; i < e->n; i++)
            radius = fmax(radius, e->point[i].depth_mm);
        if (skeleton_graph_length_mm(e) > LEAST_RADII * radius && e->n > 3)
            continue;
        e->removed = true;
        s->node[e->node[0]].degree--;
        s->node[e->node[1]].degree--;
    }
}

/* Traces all remaining edges. */
static int trace_edges(const volume *phi, const skeleton_graph *s, branch_trace *trace) {
    context_record *const caller = context_current();
    int rc = OK;
#pragma omp parallel for schedule(dynamic, 1) reduction(max : rc)
    for (int k = 0; k < s->n_edge; k++) {
        context_record *const before = context_enter(caller);
        const skeleton_edge *e = &s->edge[k];
        branch_ends ends = {.ring = e->node[0] == e->node[1] && s->node[e->node[0]].degree == 2};
        for (int side = 0; side < 2; side++) {
            const skeleton_node *node = &s->node[e->node[side]];
            ends.found[side] = node->degree == 1 && !node->fixed;
            ends.ball_mm[side] = node->degree >= 3 ? node->p.depth_mm : 0;
        }
        const int traced = e->removed ? OK : branch_trace_run(phi, e, &ends, &trace[k]);
        rc = traced > rc ? traced : rc;
        (void)context_enter(before);
    }
    return rc == OK ? OK : status_code();
}

/* The branches at one node. */
static bifurcation_branches branches_at(const skeleton_graph *s, int node, branch_trace *trace) {
    bifurcation_branches b = {.n = 0};
    for (int k = 0; k < s->n_edge; k++)
        for (int i = 0; i < 2; i++)
            if (!s->edge[k].removed && s->edge[k].node[i] == node && b.n < BIFURCATION_BRANCHES) {
                b.trace[b.n] = &trace[k];
                b.side[b.n++] = i;
            }
    return b;
}

/* Sets the own points of the branches at one node: points inside another branch are not own. A branch that returns to
 * its node is not compared with itself. */
static void leave_node(const bifurcation_branches *b) {
    for (int k = 0; k < b->n; k++) {
        const branch_trace *other[BIFURCATION_BRANCHES];
        bool at_start[BIFURCATION_BRANCHES];
        int m = 0;
        for (int i = 0; i < b->n; i++)
            if (b->trace[i] != b->trace[k]) {
                other[m] = b->trace[i];
                at_start[m++] = b->side[i] == 0;
            }
        branch_trace_leave(b->trace[k], b->side[k], m, other, at_start);
    }
}

/* Moves the bifurcations from the centres of their spheres to the places where the axes of their branches meet. place
 * [n_node] out: zero at other nodes. */
static int place_bifurcations(const volume *phi, const skeleton_graph *s, branch_trace *trace,
                              bifurcation_place *place) {
    int rc = OK;
    for (int k = 0; k < s->n_node; k++) {
        const skeleton_node *node = &s->node[k];
        place[k] = (bifurcation_place){.at = {node->p.at[0], node->p.at[1], node->p.at[2]}};
        if (node->degree < 3 || node->fixed)
            continue;
        const bifurcation_branches b = branches_at(s, k, trace);
        TRY(bifurcation_place_find(&b, node->p.depth_mm, node->p.at, &place[k]));
        if (vec_distance(place[k].at, node->p.at) > 0)
            bifurcation_place_join(phi, &b, node->p.depth_mm, place[k].at);
    }
cleanup:
    return rc;
}

static int measure_branches(const volume *phi, const skeleton_graph *s, branch_trace *trace) {
    context_record *const caller = context_current();
    int rc = OK;
    for (int k = 0; k < s->n_node; k++)
        if (s->node[k].degree >= 3) {
            const bifurcation_branches b = branches_at(s, k, trace);
            leave_node(&b);
        }
#pragma omp parallel for schedule(dynamic, 1) reduction(max : rc)
    for (int k = 0; k < s->n_edge; k++) {
        context_record *const before = context_enter(caller);
        const int measured = s->edge[k].removed ? OK : branch_trace_measure(phi, &trace[k]);
        rc = measured > rc ? measured : rc;
        (void)context_enter(before);
    }
    return rc == OK ? OK : status_code();
}

/* Copies a trace into a branch, in LPS. */
static int copy_branch(const volume *phi, const branch_trace *t, centerline_branch_line *b) {
    *b = (centerline_branch_line){.n = t->n, .parent = -1, .ring = t->ring};
    b->point = calloc((size_t)t->n, sizeof *b->point);
    if (b->point == NULL)
        return fail_memory("a centerline", t->n * (double)sizeof *b->point);
    for (int k = 0; k < t->n; k++) {
        const trace_point *from = &t->point[k];
        centerline_point *p = &b->point[k];
        *p = (centerline_point){.abscissa_mm = from->s_mm,
                                .radius_mm = from->radius_mm,
                                .curvature_per_mm = from->own ? from->curvature : NAN,
                                .torsion_per_mm = from->own ? from->torsion : NAN,
                                .section = from->section,
                                .own = from->own};
        to_lps(phi, from->at, p->at_mm);
        turn_to_lps(phi, from->tangent, p->tangent);
    }
    b->length_mm = b->point[b->n - 1].abscissa_mm;
    return OK;
}

/* Turns a covariance, xx yy zz xy xz yz, to LPS. */
static void turn_covariance(const volume *phi, const double in[6], double out[6]) {
    const double rows[3][3] = {{in[0], in[3], in[4]}, {in[3], in[1], in[5]}, {in[4], in[5], in[2]}};
    double half[3][3], full[3][3];
    for (int a = 0; a < 3; a++)
        turn_to_lps(phi, rows[a], half[a]);
    for (int a = 0; a < 3; a++)
        turn_to_lps(phi, (const double[3]){half[0][a], half[1][a], half[2][a]}, full[a]);
    for (int a = 0; a < 3; a++)
        out[a] = full[a][a];
    out[3] = full[0][1];
    out[4] = full[0][2];
    out[5] = full[1][2];
}

/* Creates nodes and branches of the result. number: for each node of the graph, its number in the result. */
static int copy_graph(const volume *phi, const skeleton_graph *s, const branch_trace *trace,
                      const bifurcation_place *place, const int *given, int *number, centerline *out) {
    int rc = OK;
    out->node = calloc((size_t)s->n_node + 1, sizeof *out->node);
    out->branch = calloc((size_t)s->n_edge + 1, sizeof *out->branch);
    if (out->node == NULL || out->branch == NULL)
        return fail_memory("the centerlines", s->n_edge * (double)sizeof *out->branch);
    for (int k = 0; k < s->n_node; k++) {
        number[k] = out->n_node;
        if (s->node[k].degree == 0)
            continue;
        centerline_node *node = &out->node[out->n_node++];
        *node = (centerline_node){.degree = s->node[k].degree, .given = given[k], .radius_mm = NAN};
        to_lps(phi, place[k].at, node->at_mm);
        turn_covariance(phi, place[k].cov_axes, node->cov_axes);
        turn_covariance(phi, place[k].cov_bend_mm2, node->cov_bend_mm2);
        if (node->degree >= 3)
            node->radius_mm = s->node[k].p.depth_mm;
    }
    for (int k = 0; k < s->n_edge; k++) {
        if (s->edge[k].removed)
            continue;
        centerline_branch_line *b = &out->branch[out->n_branch];
        TRY(copy_branch(phi, &trace[k], b));
        out->n_branch++;
        for (int side = 0; side < 2; side++) {
            b->node[side] = number[s->edge[k].node[side]];
            centerline_node *node = &out->node[b->node[side]];
            if (node->degree >= 3)
                continue;
            const centerline_point *end = &b->point[side == 0 ? 0 : b->n - 1];
            memcpy(node->at_mm, end->at_mm, sizeof node->at_mm);
            node->radius_mm = end->radius_mm;
        }
    }
cleanup:
    return rc;
}

/* Finds the skeleton of the lumen between the tips, or between the given ends. */
static int find_graph(const volume *phi, int n_end, const double (*end_mm)[3], lumen_grid *g, size_t **ends,
                      skeleton_graph *s, centerline *out) {
    const double voxel_mm3 = phi->spacing_mm[0] * phi->spacing_mm[1] * phi->spacing_mm[2];
    vessel_tips tips = {0};
    int rc = OK;
    TRY(lumen_grid_create(phi, g));
    TRY(vessel_tips_find(g, &tips));
    out->n_small_piece = tips.n_small;
    out->small_mm3 = (double)tips.small_voxels * voxel_mm3;
    out->cavity_mm3 = (double)g->cavity_voxels * voxel_mm3;
    out->lumen_mm3 = (double)g->n * voxel_mm3;
    if (n_end > 0)
        TRY(nearest_voxels(phi, g, n_end, end_mm, ends));
    TRY(thinning_run(g, n_end > 0 ? n_end : tips.n, n_end > 0 ? *ends : tips.voxel));
    TRY(skeleton_graph_build(g, n_end, *ends, s));
    drop_blobs(s);
cleanup:
    free(tips.voxel);
    return rc;
}

int centerline_find(const volume *phi, int n_end, const double (*end_mm)[3], centerline *out) {
    lumen_grid g = {0};
    skeleton_graph s = {0};
    branch_trace *trace = NULL;
    bifurcation_place *place = NULL;
    size_t *ends = NULL;
    int *given = NULL, *number = NULL, rc = OK;
    memset(out, 0, sizeof *out);
    TRY(find_graph(phi, n_end, end_mm, &g, &ends, &s, out));
    trace = calloc((size_t)s.n_edge + 1, sizeof *trace);
    given = malloc(((size_t)s.n_node + 1) * sizeof *given);
    number = malloc(((size_t)s.n_node + 1) * sizeof *number);
    place = calloc((size_t)s.n_node + 1, sizeof *place);
    if (trace == NULL || place == NULL || given == NULL || number == NULL)
        GIVE_UP(fail_memory("the centerlines", s.n_edge * (double)sizeof *trace));
    place_given_ends(phi, n_end, end_mm, &g, ends, &s, given);
    centre_nodes(phi, &s);
    TRY(trace_edges(phi, &s, trace));
    TRY(measure_branches(phi, &s, trace));
    TRY(place_bifurcations(phi, &s, trace, place));
    TRY(copy_graph(phi, &s, trace, place, given, number, out));
    if (out->n_branch == 0)
        GIVE_UP(fail(ERR_INPUT, "the lumen has no centerline, because no part of it is longer than one and a half "
                                "times its width; check that it is a vessel"));
    TRY(branch_order_sort(out));
cleanup:
    for (int k = 0; trace != NULL && k < s.n_edge; k++)
        branch_trace_free(&trace[k]);
    free(trace);
    free(place);
    free(given);
    free(number);
    free(ends);
    lumen_grid_free(&g);
    skeleton_graph_free(&s);
    if (rc != OK)
        centerline_free(out);
    if (rc == ERR_INPUT) { /* the lumen is no vessel */
        snprintf(out->why_none, sizeof out->why_none, "%s", status_message());
        status_clear();
        rc = OK;
    }
    return rc;
}
