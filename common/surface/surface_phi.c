/* From a triangle surface to a signed distance, and closing open ends; see vtk_surface.h. No VTK in here.
 *
 * Distance: exact to the triangles whose box, grown by the band, holds the voxel. Sign: a line through the voxel
 * centres is inside after an odd number of crossings; the three axes vote, so a small gap does not flood the volume. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface/vtk_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void minus(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double segment_distance2(const double p[3], const double a[3], const double b[3]) {
    double ab[3], ap[3];
    minus(b, a, ab);
    minus(p, a, ap);
    const double length2 = vec_dot(ab, ab);
    const double t = length2 > 0 ? fmin(1, fmax(0, vec_dot(ap, ab) / length2)) : 0;
    for (int k = 0; k < 3; k++)
        ap[k] -= t * ab[k];
    return vec_dot(ap, ap);
}

/* Squared distance of p to the triangle c[0], c[1], c[2]. */
static double triangle_distance2(const double p[3], const double *const c[3]) {
    double u[3], v[3], w[3];
    minus(c[1], c[0], u);
    minus(c[2], c[0], v);
    minus(p, c[0], w);
    const double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double size2 = vec_dot(normal, normal);
    const double uu = vec_dot(u, u), uv = vec_dot(u, v), vv = vec_dot(v, v), wu = vec_dot(w, u), wv = vec_dot(w, v);
    const double determinant = uu * vv - uv * uv;
    if (size2 > 0 && determinant > 0) {
        const double s = (wu * vv - wv * uv) / determinant, t = (wv * uu - wu * uv) / determinant;
        if (s >= 0 && t >= 0 && s + t <= 1) {
            const double height = vec_dot(w, normal);
            return height * height / size2;
        }
    }
    const double d01 = segment_distance2(p, c[0], c[1]), d12 = segment_distance2(p, c[1], c[2]);
    return fmin(fmin(d01, d12), segment_distance2(p, c[0], c[2]));
}

/* Voxels (inclusive) that a triangle, grown by `grow` voxels per axis, can reach. */
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

/* Lower phi (unsigned, starts at band) to the distance of one triangle, in the slices first..last. */
static void triangle_spread(const surface *s, const double *index, int64_t t, double band_mm, volume *phi, int first,
                            int last) {
    const int32_t *corner = s->triangle + 3 * t;
    const double *c[3];
    double grow[3];
    int low[3], high[3];
    for (int k = 0; k < 3; k++) {
        c[k] = s->point_mm + 3 * (size_t)corner[k];
        grow[k] = band_mm / phi->spacing_mm[k];
    }
    triangle_range(phi, index, corner, grow, low, high);
    for (int k = low[2] > first ? low[2] : first; k <= high[2] && k <= last; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                double p[3];
                volume_to_lps(phi, (const double[3]){i, j, k}, p);
                float *value = &phi->value[volume_index(phi, i, j, k)];
                const float distance = (float)sqrt(triangle_distance2(p, c));
                if (distance < *value)
                    *value = distance;
            }
}

/* Twice the signed area of 0, a, b with its sign; a tie is broken the same way for both triangles at an edge. */
static int turn_of(const double a[2], const double b[2], double *area) {
    *area = a[1] * b[0] - a[0] * b[1];
    if (*area != 0)
        return *area > 0 ? 1 : -1;
    if (a[1] != b[1])
        return b[1] > a[1] ? 1 : -1;
    return a[0] == b[0] ? 0 : (a[0] > b[0] ? 1 : -1);
}

/* Where the line (j, k) along axis a meets the triangle, in voxels of that axis. false: nowhere. */
static bool line_meets(const double *const c[3], int a, double j, double k, double *where) {
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    double flat[3][2], area[3];
    for (int n = 0; n < 3; n++) {
        flat[n][0] = c[n][b] - j;
        flat[n][1] = c[n][d] - k;
    }
    const int first = turn_of(flat[1], flat[2], &area[0]);
    if (first == 0 || turn_of(flat[2], flat[0], &area[1]) != first || turn_of(flat[0], flat[1], &area[2]) != first)
        return false;
    const double sum = area[0] + area[1] + area[2];
    if (sum == 0)
        return false;
    *where = (area[0] * c[0][a] + area[1] * c[1][a] + area[2] * c[2][a]) / sum;
    return true;
}

static size_t axis_index(const volume *v, int a, int along, int j, int k) {
    int at[3];
    at[a] = along;
    at[(a + 1) % 3] = j;
    at[(a + 2) % 3] = k;
    return volume_index(v, at[0], at[1], at[2]);
}

/* Add one vote to every voxel that is inside along axis a. */
static void axis_vote(const surface *s, const double *index, int a, const volume *v, unsigned char *toggle,
                      unsigned char *vote) {
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    memset(toggle, 0, volume_size(v));
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
                if (!line_meets(c, a, j, k, &where) || where > v->dims[a] - 1)
                    continue;
                toggle[axis_index(v, a, where <= 0 ? 0 : (int)ceil(where), j, k)] ^= 1;
            }
    }
    for (int k = 0; k < v->dims[d]; k++)
        for (int j = 0; j < v->dims[b]; j++) {
            unsigned char inside = 0;
            for (int i = 0; i < v->dims[a]; i++) {
                const size_t at = axis_index(v, a, i, j, k);
                inside ^= toggle[at];
                vote[at] = (unsigned char)(vote[at] + inside);
            }
        }
}

static void spread_all(const surface *s, const double *index, double band_mm, volume *phi) {
    const int slab = 8, n_slab = (phi->dims[2] + slab - 1) / slab;
#pragma omp parallel for schedule(dynamic)
    for (int n = 0; n < n_slab; n++) {
        const int last = (n + 1) * slab - 1;
        for (int64_t t = 0; t < s->n_triangle; t++)
            triangle_spread(s, index, t, band_mm, phi, n * slab, last < phi->dims[2] ? last : phi->dims[2] - 1);
    }
}

int surface_to_phi(const surface *s, double band_mm, volume *phi_mm) {
    int rc = OK;
    const size_t n = volume_size(phi_mm);
    double *index = malloc(3 * sizeof(double) * (size_t)s->n_point);
    unsigned char *toggle = malloc(n), *vote = calloc(n, 1);
    if (!index || !toggle || !vote) {
        rc = fail_memory("the distance to a surface", 2.0 * (double)n + 24.0 * (double)s->n_point);
        goto cleanup;
    }
    for (int64_t i = 0; i < s->n_point; i++)
        volume_to_index(phi_mm, s->point_mm + 3 * i, index + 3 * i);
    for (size_t i = 0; i < n; i++)
        phi_mm->value[i] = (float)band_mm;
    spread_all(s, index, band_mm, phi_mm);
    for (int a = 0; a < 3; a++)
        axis_vote(s, index, a, phi_mm, toggle, vote);
    for (size_t i = 0; i < n; i++)
        if (vote[i] >= 2)
            phi_mm->value[i] = -phi_mm->value[i];
cleanup:
    free(index);
    free(toggle);
    free(vote);
    return rc;
}
