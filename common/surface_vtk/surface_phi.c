/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_surface.h: signed distance to a triangle surface. Does not use VTK.
 *
 * Distance: exact to all triangles whose bounding box, enlarged by the band, contains the voxel. Sign: a line through
 * voxel centres is inside after an odd number of crossings. The majority of the three axes decides, so a small gap does
 * not flood the volume. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/context/context.h"
#include "common/surface_vtk/vtk_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void subtract_vectors(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double segment_distance2(const double p[3], const double a[3], const double b[3]) {
    double ab[3], ap[3];
    subtract_vectors(b, a, ab);
    subtract_vectors(p, a, ap);
    const double length2 = vec_dot(ab, ab), part = length2 > 0 ? vec_dot(ap, ab) / length2 : 0;
    const double t = part < 0 ? 0 : part > 1 ? 1 : part;
    for (int k = 0; k < 3; k++)
        ap[k] -= t * ab[k];
    return vec_dot(ap, ap);
}

/* A triangle with what its distance to many points needs. */
typedef struct {
    const double *c[3];           /* corners */
    double u[3], v[3], normal[3]; /* sides from c[0], and their vector product */
    double uu, uv, vv, size2, determinant;
    double unit[3];           /* unit normal; 0: no area */
    double middle[3], radius; /* a sphere that contains the triangle */
} flat_triangle;

static flat_triangle make_triangle(const surface *s, int64_t t) {
    flat_triangle f = {.radius = 0};
    for (int k = 0; k < 3; k++)
        f.c[k] = s->point_mm + 3 * (size_t)s->triangle[3 * t + k];
    subtract_vectors(f.c[1], f.c[0], f.u);
    subtract_vectors(f.c[2], f.c[0], f.v);
    vec_cross(f.u, f.v, f.normal);
    f.size2 = vec_dot(f.normal, f.normal);
    f.uu = vec_dot(f.u, f.u);
    f.uv = vec_dot(f.u, f.v);
    f.vv = vec_dot(f.v, f.v);
    f.determinant = f.uu * f.vv - f.uv * f.uv;
    if (!(surface_triangle_mm2(s, t, f.unit) > 0) || !vec_normalize(f.unit))
        memset(f.unit, 0, sizeof f.unit);
    for (int a = 0; a < 3; a++)
        f.middle[a] = (f.c[0][a] + f.c[1][a] + f.c[2][a]) / 3;
    for (int k = 0; k < 3; k++)
        f.radius = fmax(f.radius, vec_distance(f.middle, f.c[k]));
    return f;
}

/* Squared distance of p to the triangle. */
static double triangle_distance2(const double p[3], const flat_triangle *f) {
    double w[3];
    subtract_vectors(p, f->c[0], w);
    const double wu = vec_dot(w, f->u), wv = vec_dot(w, f->v);
    if (f->size2 > 0 && f->determinant > 0) {
        const double s = (wu * f->vv - wv * f->uv) / f->determinant, t = (wv * f->uu - wu * f->uv) / f->determinant;
        if (s >= 0 && t >= 0 && s + t <= 1) {
            const double height = vec_dot(w, f->normal);
            return height * height / f->size2;
        }
    }
    const double d01 = segment_distance2(p, f->c[0], f->c[1]), d12 = segment_distance2(p, f->c[1], f->c[2]),
                 d02 = segment_distance2(p, f->c[0], f->c[2]), least = d01 < d12 ? d01 : d12;
    return least < d02 ? least : d02;
}

/* True if the triangle is farther from p than `known` mm, because its plane or its sphere is. */
static bool is_farther(const double p[3], const flat_triangle *f, double known) {
    double w[3], from_middle[3];
    subtract_vectors(p, f->c[0], w);
    subtract_vectors(p, f->middle, from_middle);
    const double height = vec_dot(w, f->unit), reach = known + f->radius;
    return height * height > known * known * (1 + 1e-5) ||
           vec_dot(from_middle, from_middle) > reach * reach * (1 + 1e-5);
}

/* Range of voxels (inclusive) within `grow` voxels of a triangle's bounding box. */
static void triangle_range(const volume *v, const double *index, const int32_t *corner, const double grow[3],
                           int low[3], int high[3]) {
    for (int a = 0; a < 3; a++) {
        const double x = index[3 * (size_t)corner[0] + a], y = index[3 * (size_t)corner[1] + a];
        const double z = index[3 * (size_t)corner[2] + a];
        const double least = fmin(x, fmin(y, z)) - grow[a], most = fmax(x, fmax(y, z)) + grow[a];
        low[a] = (int)fmax(0, fmin(v->dims[a], ceil(least)));
        high[a] = (int)fmin(v->dims[a] - 1, fmax(-1, floor(most)));
    }
}

/* Range of voxels that contains the band of triangle t. */
static void band_range(const volume *v, const surface *s, const double *index, int64_t t, double band_mm, int low[3],
                       int high[3]) {
    const double grow[3] = {band_mm / v->spacing_mm[0], band_mm / v->spacing_mm[1], band_mm / v->spacing_mm[2]};
    triangle_range(v, index, s->triangle + 3 * t, grow, low, high);
}

/* Lowers phi (unsigned, initially band_mm) to the distance of one triangle, in slices `first .. last`. */
static void triangle_spread(const surface *s, const double *index, int64_t t, double band_mm, volume *phi, int first,
                            int last) {
    const flat_triangle f = make_triangle(s, t);
    double step[3][3];
    int low[3], high[3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            step[a][b] = phi->direction[3 * a + b] * phi->spacing_mm[b];
    band_range(phi, s, index, t, band_mm, low, high);
    for (int k = low[2] > first ? low[2] : first; k <= high[2] && k <= last; k++)
        for (int j = low[1]; j <= high[1]; j++) {
            float *row = &phi->value[volume_index(phi, 0, j, k)];
            for (int i = low[0]; i <= high[0]; i++) {
                double p[3];
                for (int a = 0; a < 3; a++) /* volume_to_lps, inline */
                    p[a] = phi->origin_mm[a] + step[a][0] * i + step[a][1] * j + step[a][2] * k;
                if (is_farther(p, &f, (double)row[i]))
                    continue;
                const float distance = (float)sqrt(triangle_distance2(p, &f));
                if (distance < row[i])
                    row[i] = distance;
            }
        }
}

/* Sign of the area of the triangle 0, a, b; *area: twice the area. A zero area gets a consistent sign for both
 * triangles at an edge. */
static int turn_sign(const double a[2], const double b[2], double *area) {
    *area = a[1] * b[0] - a[0] * b[1];
    if (*area != 0)
        return *area > 0 ? 1 : -1;
    if (a[1] != b[1])
        return b[1] > a[1] ? 1 : -1;
    return a[0] == b[0] ? 0 : (a[0] > b[0] ? 1 : -1);
}

/* Intersection of the line (j, k) along axis a with the triangle, in voxels along a. false: none. */
static bool line_meets(const double *const c[3], int a, double j, double k, double *where) {
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    double flat[3][2], area[3];
    for (int n = 0; n < 3; n++) {
        flat[n][0] = c[n][b] - j;
        flat[n][1] = c[n][d] - k;
    }
    const int first = turn_sign(flat[1], flat[2], &area[0]);
    if (first == 0 || turn_sign(flat[2], flat[0], &area[1]) != first || turn_sign(flat[0], flat[1], &area[2]) != first)
        return false;
    const double sum = area[0] + area[1] + area[2];
    if (sum == 0)
        return false;
    *where = (area[0] * c[0][a] + area[1] * c[1][a] + area[2] * c[2][a]) / sum;
    return true;
}

/* Crossings of lines along one axis with the surface, each given by the first voxel behind it. */
typedef struct {
    size_t *voxel; /* [n] first voxel behind each crossing */
    int64_t n, room;
} crossings;

static int crossings_add(crossings *c, size_t voxel) {
    if (c->n == c->room) {
        const int64_t room = c->room ? 2 * c->room : 4096;
        size_t *more = realloc(c->voxel, (size_t)room * sizeof *more);
        if (!more)
            return fail_memory("the distance to a surface", (double)room * sizeof *more);
        c->voxel = more;
        c->room = room;
    }
    c->voxel[c->n++] = voxel;
    return OK;
}

static int find_crossings(const surface *s, const double *index, int a, const volume *v, crossings *out) {
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    for (int64_t t = 0; t < s->n_triangle; t++) {
        const int32_t *corner = s->triangle + 3 * t;
        const double *c[3];
        int low[3], high[3];
        for (int n = 0; n < 3; n++)
            c[n] = index + 3 * (size_t)corner[n];
        triangle_range(v, index, corner, (const double[3]){0, 0, 0}, low, high);
        for (int k = low[d]; k <= high[d]; k++)
            for (int j = low[b]; j <= high[b]; j++) {
                double where;
                int at[3];
                if (!line_meets(c, a, j, k, &where) || where > v->dims[a] - 1)
                    continue;
                at[a] = where <= 0 ? 0 : (int)ceil(where);
                at[b] = j;
                at[d] = k;
                if (crossings_add(out, volume_index(v, at[0], at[1], at[2])) != OK)
                    return ERR_RESOURCE;
            }
    }
    return OK;
}

static int compare_voxels(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Negates the voxels of one plane that are inside along two or three axes. in [3][plane]: in[0] (lines
 * along x) and in[1] (y) are 1 where the line crosses the surface; in[2] (z) is 1 where the line is inside. */
static void vote_plane(const volume *v, int z, unsigned char *const in[3], unsigned char *row) {
    memset(row, 0, (size_t)v->dims[0]);
    for (int y = 0; y < v->dims[1]; y++) {
        const size_t first = (size_t)y * (size_t)v->dims[0];
        float *value = v->value + volume_index(v, 0, y, z);
        unsigned char along = 0;
        for (size_t x = 0; x < (size_t)v->dims[0]; x++) {
            along ^= in[0][first + x];
            row[x] ^= in[1][first + x];
            if (along + row[x] + in[2][first + x] >= 2)
                value[x] = -value[x];
        }
    }
}

/* Sets the signs plane by plane; memory holds only the crossings and one plane per axis. */
static int set_sides(const surface *s, const double *index, const volume *v) {
    const size_t plane = (size_t)v->dims[0] * (size_t)v->dims[1];
    crossings crossing[3] = {{0}};
    unsigned char *in[3] = {calloc(plane, 1), calloc(plane, 1), calloc(plane, 1)}, *row = malloc((size_t)v->dims[0]);
    int64_t next[3] = {0};
    context_record *const caller = context_current();
    int rc = OK;
    if (!in[0] || !in[1] || !in[2] || !row)
        GIVE_UP(fail_memory("the distance to a surface", 3.0 * (double)plane));
#pragma omp parallel for schedule(static, 1) reduction(max : rc)
    for (int a = 0; a < 3; a++) {
        context_record *const before = context_enter(caller);
        const int found = find_crossings(s, index, a, v, &crossing[a]);
        rc = found > rc ? found : rc;
        (void)context_enter(before);
        if (crossing[a].n > 0)
            qsort(crossing[a].voxel, (size_t)crossing[a].n, sizeof *crossing[a].voxel, compare_voxels);
    }
    TRY(rc);
    for (int z = 0; z < v->dims[2]; z++) {
        const size_t first = (size_t)z * plane;
        for (int a = 0; a < 3; a++) {
            if (a < 2)
                memset(in[a], 0, plane);
            for (; next[a] < crossing[a].n && crossing[a].voxel[next[a]] < first + plane; next[a]++)
                in[a][crossing[a].voxel[next[a]] - first] ^= 1;
        }
        vote_plane(v, z, in, row);
    }
cleanup:
    for (int a = 0; a < 3; a++) {
        free(crossing[a].voxel);
        free(in[a]);
    }
    free(row);
    return rc;
}

enum { SLAB = 8 }; /* planes that a thread takes at a time */

/* Lists the triangles that reach into each slab: list[first[n]] .. list[first[n + 1] - 1] for slab n. Call first with
 * list NULL to count. */
static void list_slabs(const surface *s, const double *index, double band_mm, const volume *phi, int n_slab,
                       int64_t *first, int32_t *list) {
    for (int64_t t = 0; t < s->n_triangle; t++) {
        int low[3], high[3];
        band_range(phi, s, index, t, band_mm, low, high);
        for (int n = low[2] / SLAB; low[2] <= high[2] && n <= high[2] / SLAB; n++) {
            if (list)
                list[first[n]] = (int32_t)t;
            first[n + (list ? 0 : 1)]++;
        }
    }
    for (int n = 0; !list && n < n_slab; n++)
        first[n + 1] += first[n];
    /* filling the lists has advanced first[n] to the start of slab n + 1; shift it back */
    for (int n = n_slab; list && n > 0; n--)
        first[n] = first[n - 1];
    first[0] = 0;
}

static int spread_all(const surface *s, const double *index, double band_mm, volume *phi) {
    const int n_slab = (phi->dims[2] + SLAB - 1) / SLAB;
    int64_t *first = calloc((size_t)n_slab + 1, sizeof *first);
    int32_t *list = NULL;
    int rc = OK;
    if (!first)
        GIVE_UP(fail_memory("the distance to a surface", 8.0 * n_slab));
    list_slabs(s, index, band_mm, phi, n_slab, first, NULL);
    list = malloc((size_t)(first[n_slab] + 1) * sizeof *list);
    if (!list)
        GIVE_UP(fail_memory("the distance to a surface", 4.0 * (double)first[n_slab]));
    list_slabs(s, index, band_mm, phi, n_slab, first, list);
#pragma omp parallel for schedule(dynamic)
    for (int n = 0; n < n_slab; n++) {
        const int last = (n + 1) * SLAB - 1;
        for (int64_t k = first[n]; k < first[n + 1]; k++)
            triangle_spread(s, index, list[k], band_mm, phi, n * SLAB, last < phi->dims[2] ? last : phi->dims[2] - 1);
    }
cleanup:
    free(first);
    free(list);
    return rc;
}

int surface_to_phi(const surface *s, double band_mm, volume *phi_mm) {
    int rc = OK;
    const size_t n = volume_size(phi_mm);
    double *index = malloc(3 * sizeof(double) * (size_t)s->n_point);
    if (!index)
        return fail_memory("the distance to a surface", 24.0 * (double)s->n_point);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < s->n_point; i++)
        volume_to_index(phi_mm, s->point_mm + 3 * i, index + 3 * i);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        phi_mm->value[i] = (float)band_mm;
    TRY(spread_all(s, index, band_mm, phi_mm));
    rc = set_sides(s, index, phi_mm);
cleanup:
    free(index);
    return rc;
}
