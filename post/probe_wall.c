/* See probe.h. */
#include "post/points.h"
#include "post/probe.h"
#include "post/vec.h"
#include "common/status.h"
#include "common/vtk_surface.h"
#include <math.h>
#include <stdlib.h>

static double square_to(const double a[3], const double b[3]) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static int64_t nearest_point(const surface *s, const double mm[3]) {
    int64_t nearest = 0;
    double least = INFINITY;
    for (int64_t i = 0; i < s->n_point; i++) {
        const double square = square_to(s->point_mm + 3 * i, mm);
        if (square < least) {
            least = square;
            nearest = i;
        }
    }
    return nearest;
}

/* Weights of the corners at the foot point of mm in the triangle; a foot outside is pulled to the edge. Returns the
 * squared distance. */
static double foot_in(const surface *s, int64_t triangle, const double mm[3], double weight[3]) {
    const int32_t *corner = s->triangle + 3 * triangle;
    const double *a = s->point_mm + 3 * (int64_t)corner[0], *b = s->point_mm + 3 * (int64_t)corner[1];
    const double *c = s->point_mm + 3 * (int64_t)corner[2];
    double u[3], v[3], w[3], foot[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = mm[k] - a[k];
    }
    const double uu = vec_dot(u, u), uv = vec_dot(u, v), vv = vec_dot(v, v), uw = vec_dot(u, w), vw = vec_dot(v, w);
    const double area = uu * vv - uv * uv;
    weight[1] = area > 0 ? fmax((vv * uw - uv * vw) / area, 0) : 0;
    weight[2] = area > 0 ? fmax((uu * vw - uv * uw) / area, 0) : 0;
    const double sum = fmax(weight[1] + weight[2], 1);
    weight[1] /= sum;
    weight[2] /= sum;
    weight[0] = 1 - weight[1] - weight[2];
    for (int k = 0; k < 3; k++)
        foot[k] = weight[0] * a[k] + weight[1] * b[k] + weight[2] * c[k];
    return square_to(foot, mm);
}

/* The best of the triangles round the nearest point; -1 when it has none. */
static int64_t nearest_triangle(const surface *s, const double mm[3], double weight[3], double *distance_mm) {
    const int64_t point = nearest_point(s, mm);
    double least = square_to(s->point_mm + 3 * point, mm), w[3];
    int64_t nearest = -1;
    for (int64_t t = 0; t < s->n_triangle; t++) {
        const int32_t *corner = s->triangle + 3 * t;
        if (corner[0] != point && corner[1] != point && corner[2] != point)
            continue;
        const double square = foot_in(s, t, mm, w);
        if (nearest >= 0 && square >= least)
            continue;
        least = square;
        nearest = t;
        for (int k = 0; k < 3; k++)
            weight[k] = w[k];
    }
    *distance_mm = sqrt(least);
    return nearest;
}

static void write_point(const surface *s, const double *wss_pa, const double given[3], enum probe_frame frame,
                        FILE *to) {
    const double sign = frame == PROBE_RAS ? -1 : 1, mm[3] = {sign * given[0], sign * given[1], given[2]};
    double weight[3] = {0}, distance_mm, value[3] = {NAN, NAN, NAN};
    const int64_t triangle = nearest_triangle(s, mm, weight, &distance_mm);
    for (int a = 0; a < 3 && triangle >= 0; a++) {
        value[a] = 0;
        for (int k = 0; k < 3; k++)
            value[a] += (a < 2 ? sign : 1) * weight[k] * wss_pa[3 * (int64_t)s->triangle[3 * triangle + k] + a];
    }
    fprintf(to, "%.9g,%.9g,%.9g,%.6g,", given[0], given[1], given[2], distance_mm);
    if (isfinite(value[0] + value[1] + value[2]))
        fprintf(to, "%.6g,%.6g,%.6g,%.6g\n", value[0], value[1], value[2], vec_length(value));
    else
        fprintf(to, ",,,\n");
}

int probe_wall_write(const char *wall_path, const char *points_path, enum probe_frame frame, FILE *to) {
    points p = {0};
    surface s = {0};
    double *wss_pa = NULL;
    int rc;
    TRY(points_read(points_path, &p));
    TRY(surface_read_array(wall_path, "wss_vector_pa", 3, &s, &wss_pa));
    fprintf(to, "x_mm,y_mm,z_mm,distance_mm,wss_x_pa,wss_y_pa,wss_z_pa,wss_pa\n");
    for (size_t k = 0; k < p.n; k++)
        write_point(&s, wss_pa, p.mm + 3 * k, frame, to);
    if (ferror(to))
        rc = fail(ERR_OUTPUT, "the values could not be written");
cleanup:
    free(wss_pa);
    surface_free(&s);
    points_free(&p);
    return rc;
}
