/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/wall/wall_surface.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface_vtk/vtk_surface.h"
#include "mesh/wall/surface_cut.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAD = 3, NODES_MAX = 120000000 };

/* True if an opening is on this face of the box; if so, the face is no wall. */
static bool face_is_open(const voxelize_input *in, int axis, int side) {
    for (int k = 0; k < in->n_opening; k++) {
        const mesh_opening *o = &in->opening[k];
        const double face = in->origin_mm[axis] + in->spacing_mm * (side ? in->dims[axis] - 0.5 : -0.5);
        if (fabs(o->normal[axis]) > 0.999 * sqrt(vec_dot(o->normal, o->normal)) &&
            fabs(o->point_mm[axis] - face) < 0.5 * in->spacing_mm)
            return true;
    }
    return false;
}

/* Field at p, limited by the faces of the box that are walls. */
static double close_faces(const voxelize_input *in, const bool wall[3][2], const double p[3], double d) {
    for (int a = 0; a < 3; a++) {
        const double low = in->origin_mm[a] - 0.5 * in->spacing_mm;
        if (wall[a][0])
            d = fmax(d, low - p[a]);
        if (wall[a][1])
            d = fmax(d, p[a] - low - in->spacing_mm * in->dims[a]);
    }
    return d;
}

static int make_grid(volume *v, const voxelize_input *in) {
    double nodes = 1, step = in->spacing_mm, origin[3];
    int dims[3];
    for (int a = 0; a < 3; a++)
        nodes *= in->dims[a] + 2 * PAD;
    while (nodes > NODES_MAX) {
        step *= 2;
        nodes /= 8;
    }
    for (int a = 0; a < 3; a++) {
        origin[a] = in->origin_mm[a] - PAD * step;
        dims[a] = (int)ceil((in->dims[a] - 1) * in->spacing_mm / step) + 1 + 2 * PAD;
    }
    return volume_set_geometry(v, dims, (const double[3]){step, step, step}, origin, NULL);
}

/* The field at the nodes of a grid. */
typedef struct {
    const volume *grid;
    const voxelize_input *in;
    lattice_rows rows; /* rows of the lattice's cells */
    bool same;         /* true: nodes and cells have the same positions */
    bool wall[3][2];   /* true: the face of the box is a wall */
} nodes;

/* Distance at a node; read from the lattice if it has a cell there. */
static double node_distance(const nodes *w, int i, int j, int k) {
    const int64_t cell = w->same ? lattice_rows_find(&w->rows, i - PAD, j - PAD, k - PAD) : -1;
    double p[3];
    volume_to_lps(w->grid, (const double[3]){i, j, k}, p);
    return close_faces(w->in, w->wall, p,
                       cell >= 0 ? (double)w->rows.lattice->distance_mm[cell] : w->in->distance(w->in->data, p));
}

/* Fill nodes low .. high - 1 of a block of n [3] nodes that starts at `first`. If the wall is more than a step away
 * from all these nodes, they get one value; otherwise they are filled octant by octant. Returns false if there is no
 * wall between the nodes. */
static bool fill_part(const nodes *w, const int first[3], const int n[3], const int low[3], const int high[3],
                      float *value) {
    const double step = w->grid->spacing_mm[0];
    double middle[3], square = 0;
    int most = 0;
    bool crossed = false;
    for (int a = 0; a < 3; a++) {
        middle[a] = w->grid->origin_mm[a] + 0.5 * (low[a] + high[a] - 1) * step;
        square += 0.25 * (high[a] - 1 - low[a]) * (high[a] - 1 - low[a]);
        most = high[a] - low[a] > most ? high[a] - low[a] : most;
    }
    const double d = close_faces(w->in, w->wall, middle, w->in->distance(w->in->data, middle));
    const double reach = step * (sqrt(square) + 1) * (w->in->steepness > 0 ? w->in->steepness : 1);
    const bool far = fabs(d) > reach * (1 + 1e-6);
    if (far || most <= 2) {
        for (int k = low[2]; k < high[2]; k++)
            for (int j = low[1]; j < high[1]; j++)
                for (int i = low[0]; i < high[0]; i++)
                    value[((size_t)(k - first[2]) * (size_t)n[1] + (size_t)(j - first[1])) * (size_t)n[0] +
                          (size_t)(i - first[0])] = (float)(far ? d : node_distance(w, i, j, k));
        return !far;
    }
    for (int part = 0; part < 8; part++) {
        int from[3], to[3];
        bool empty = false;
        for (int a = 0; a < 3; a++) {
            const int upper = low[a] + (most + 1) / 2;
            from[a] = part >> a & 1 ? upper : low[a];
            to[a] = part >> a & 1 || high[a] < upper ? high[a] : upper;
            empty = empty || from[a] >= to[a];
        }
        if (!empty && fill_part(w, first, n, from, to, value))
            crossed = true;
    }
    return crossed;
}

/* Fill nodes `low .. low + n - 1`; passed as the surface_fill of the wall. */
static bool fill_nodes(const void *data, const int low[3], const int n[3], float *value) {
    const int high[3] = {low[0] + n[0], low[1] + n[1], low[2] + n[2]};
    return fill_part(data, low, n, low, high, value);
}

/* Distance at p and its gradient. */
static double wall_slope(const voxelize_input *in, const double p[3], double step, double slope[3]) {
    double d;
    if (in->slope && in->slope(in->data, p, &d, slope))
        return d;
    for (int a = 0; a < 3; a++) {
        double low[3] = {p[0], p[1], p[2]}, high[3] = {p[0], p[1], p[2]};
        low[a] -= 0.1 * step;
        high[a] += 0.1 * step;
        slope[a] = (in->distance(in->data, high) - in->distance(in->data, low)) / (0.2 * step);
    }
    return in->distance(in->data, p);
}

/* Moves the points onto the zero level, where the distance is smooth. Before, they lie on straight edges between
 * nodes. */
static void settle_points(surface *s, const voxelize_input *in, double step) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < s->n_point; i++) {
        double *p = s->point_mm + 3 * i, slope[3];
        const double d = wall_slope(in, p, step, slope), square = vec_dot(slope, slope);
        if (fabs(d) < 0.25 * step && square > 0.25 && square < 2)
            for (int a = 0; a < 3; a++)
                p[a] -= d * slope[a] / square;
    }
}

static int cut_with(surface *s, const double normal[3], const double point[3], const section *limits, double reach,
                    double tiny) {
    const size_t n = (size_t)s->n_point + 1;
    double *height = malloc(n * sizeof *height);
    bool *marked = malloc(n * sizeof *marked);
    int rc = height && marked ? OK : fail_memory("the cut of a surface", 9.0 * (double)n);
    for (int64_t i = 0; rc == OK && i < s->n_point; i++) {
        const double *p = s->point_mm + 3 * i;
        height[i] = tiny;
        for (int a = 0; a < 3; a++)
            height[i] += (p[a] - point[a]) * normal[a];
        marked[i] = true;
        if (!limits)
            continue;
        double u, v;
        section_coordinates(limits, p, &u, &v);
        const long column = lround(u), row = lround(v);
        const bool on_map = column >= 0 && row >= 0 && column < limits->n && row < limits->n;
        const int node = on_map ? limits->node[(size_t)row * (size_t)limits->n + (size_t)column] : SECTION_WALL;
        marked[i] = fabs(height[i]) < reach && (node == SECTION_INSIDE || node == SECTION_NEAR);
    }
    if (rc == OK)
        rc = surface_cut_plane(s, height, marked);
    free(height);
    free(marked);
    return rc;
}

static int cut_openings(surface *s, const voxelize_input *in, double step) {
    int rc = OK;
    for (int k = 0; k < in->n_opening && rc == OK; k++) {
        section limits;
        rc = section_create(&limits, in, &in->opening[k]);
        if (rc != OK)
            return rc;
        rc = cut_with(s, limits.normal, limits.point, &limits, 2 * step, 1e-3 * step);
        section_free(&limits);
    }
    for (int a = 0; a < 3 && rc == OK; a++)
        for (int side = 0; in->periodic[a] && side < 2 && rc == OK; side++) {
            double normal[3] = {0, 0, 0}, point[3] = {0, 0, 0};
            normal[a] = side ? 1 : -1;
            point[a] = in->origin_mm[a] + in->spacing_mm * (side ? in->dims[a] - 0.5 : -0.5);
            rc = cut_with(s, normal, point, NULL, 0, 1e-6 * step);
        }
    return rc;
}

/* True if the point is in the box and one of the eight nearest cells is in the lattice. */
static bool is_at_cells(const lattice_rows *rows, const double p[3]) {
    const lattice *l = rows->lattice;
    int at[3];
    for (int a = 0; a < 3; a++) {
        const double index = (p[a] - l->origin_mm[a]) / l->spacing_mm;
        if (!(index > -0.51 && index < l->dims[a] - 0.49))
            return false;
        at[a] = (int)floor(index);
    }
    for (int n = 0; n < 8; n++)
        if (lattice_rows_find(rows, at[0] + (n & 1), at[1] + (n >> 1 & 1), at[2] + (n >> 2)) >= 0)
            return true;
    return false;
}

/* Keep the pieces of the surface that bound the lattice: more of their triangles are at cells of the lattice than
 * elsewhere. */
static int keep_bounding(surface *s, const lattice *l) {
    int rc;
    int32_t n_piece = 0;
    lattice_rows rows = {0};
    int32_t *piece = malloc((size_t)(s->n_triangle + 1) * sizeof *piece);
    int64_t *vote = NULL;
    bool *keep = malloc((size_t)s->n_triangle + 1);
    if (!piece || !keep) {
        rc = fail_memory("the pieces of a surface", 5.0 * (double)s->n_triangle);
        goto cleanup;
    }
    TRY(surface_cut_pieces(s, piece, &n_piece));
    TRY(lattice_rows_create(&rows, l));
    vote = calloc((size_t)n_piece + 1, sizeof *vote);
    if (!vote) {
        rc = fail_memory("the pieces of a surface", 8.0 * n_piece);
        goto cleanup;
    }
    for (int64_t t = 0; t < s->n_triangle; t++)
        vote[piece[t]] += is_at_cells(&rows, s->point_mm + 3 * (size_t)s->triangle[3 * t]) ? 1 : -1;
    for (int64_t t = 0; t < s->n_triangle; t++)
        keep[t] = vote[piece[t]] > 0;
    TRY(surface_cut_keep(s, keep));
cleanup:
    lattice_rows_free(&rows);
    free(piece);
    free(vote);
    free(keep);
    return rc;
}

static int copy_surface(surface *to, const surface *from) {
    const int rc = surface_create(to, from->n_point, from->n_triangle);
    if (rc == OK) {
        memcpy(to->point_mm, from->point_mm, (size_t)from->n_point * 3 * sizeof *to->point_mm);
        memcpy(to->triangle, from->triangle, (size_t)from->n_triangle * 3 * sizeof *to->triangle);
    }
    return rc;
}

int wall_surface_open(surface *wall, const voxelize_input *in, const lattice *l) {
    int rc;
    volume grid;
    nodes n = {.grid = &grid, .in = in};
    *wall = (surface){0};
    TRY(lattice_rows_create(&n.rows, l));
    TRY(make_grid(&grid, in));
    n.same = grid.spacing_mm[0] == in->spacing_mm;
    for (int a = 0; a < 3; a++)
        for (int side = 0; side < 2; side++)
            n.wall[a][side] = !in->periodic[a] && !face_is_open(in, a, side);
    TRY(surface_from_blocks(&grid, fill_nodes, &n, wall));
    settle_points(wall, in, grid.spacing_mm[0]);
    TRY(cut_openings(wall, in, grid.spacing_mm[0]));
    TRY(keep_bounding(wall, l));
cleanup:
    lattice_rows_free(&n.rows);
    if (rc != OK)
        surface_free(wall);
    return rc;
}

int wall_surface_create(wall_surface *w, const voxelize_input *in, const lattice *l) {
    int rc;
    memset(w, 0, sizeof *w);
    TRY(wall_surface_open(&w->wall, in, l));
    TRY(copy_surface(&w->closed, &w->wall));
    TRY(surface_fill_holes(&w->closed, true, &w->n_cap));
    w->volume_mm3 = surface_volume_mm3(&w->closed);
    /* the wall of an obstacle encloses a negative volume, because its normals point out of the fluid, into the
     * obstacle */
    if (!(w->volume_mm3 > 0))
        w->volume_mm3 = NAN;
    w->open_edges = surface_open_edges(&w->closed);
cleanup:
    if (rc != OK)
        wall_surface_free(w);
    return rc;
}

void wall_surface_free(wall_surface *w) {
    surface_free(&w->wall);
    surface_free(&w->closed);
    memset(w, 0, sizeof *w);
}
