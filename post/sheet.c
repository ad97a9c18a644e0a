/* See sheet.h. */
#include "post/sheet.h"
#include "post/fit.h"
#include "post/vec.h"
#include "common/status.h"
#include <string.h>

static const double STIFFNESS = 1e-4; /* keeps the cubic flat where the cells do not settle it */

static double weight_of(const sampler *s, int64_t c) {
    double d = s->active[c] ? (double)s->lattice->distance_mm[c] : 0;
    return d * d;
}

/* weighted mean and principal axes: the largest first, the smallest last, right-handed */
static double principal_axes(const sampler *s, cut_frame *f) {
    const lattice *l = s->lattice;
    double sum = 0, mean[3] = {0}, m[6] = {0}, value[3], v[3][3];
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3], w = weight_of(s, c);
        lattice_centre_mm(l, c, p);
        vec_add(mean, w, p, mean);
        sum += w;
    }
    if (!(sum > 0))
        return 0;
    for (int a = 0; a < 3; a++)
        f->centre_mm[a] = mean[a] / sum;
    for (int64_t c = 0; c < l->n_cell; c++) {
        static const int ij[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        double p[3], w = weight_of(s, c) / sum;
        lattice_centre_mm(l, c, p);
        vec_add(p, -1, f->centre_mm, p);
        for (int k = 0; k < 6; k++)
            m[k] += w * p[ij[k][0]] * p[ij[k][1]];
    }
    vec_eigen(m, value, v);
    memcpy(f->axis[0], v[2], sizeof v[2]);
    memcpy(f->axis[2], v[0], sizeof v[0]);
    vec_cross(f->axis[2], f->axis[0], f->axis[1]);
    return sqrt(value[2]);
}

int sheet_fit(const sampler *s, cut_frame *f) {
    const lattice *l = s->lattice;
    double m[FIT_MAX_UNKNOWN][FIT_MAX_UNKNOWN] = {{0}}, right[FIT_MAX_UNKNOWN] = {0}, sum = 0;
    memset(f, 0, sizeof *f);
    double scale = principal_axes(s, f);
    if (!(scale > 0))
        return fail(ERR_NUMERIC, "no cell of the lumen lies away from the wall");
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3], w = weight_of(s, c);
        lattice_centre_mm(l, c, p);
        vec_add(p, -1, f->centre_mm, p);
        double x = vec_dot(p, f->axis[0]) / scale, y = vec_dot(p, f->axis[1]) / scale, z = vec_dot(p, f->axis[2]);
        double b[CUT_HEIGHT_TERMS] = {1, x, y, x * x, x * y, y * y, x * x * x, x * x * y, x * y * y, y * y * y};
        fit_add(CUT_HEIGHT_TERMS, b, w, m);
        for (int k = 0; k < CUT_HEIGHT_TERMS; k++)
            right[k] += w * b[k] * z;
        sum += w;
    }
    for (int k = 3; k < CUT_HEIGHT_TERMS; k++)
        m[k][k] += STIFFNESS * sum;
    if (fit_solve(CUT_HEIGHT_TERMS, m, right, f->height))
        f->scale_mm = scale;
    else
        memset(f->height, 0, sizeof f->height); /* the plane */
    return OK;
}

void sheet_speed(const sampler *s, const fields *f, const surface *cut, double *speed_m_s, double *velocity_m_s) {
#pragma omp parallel for schedule(dynamic, 256)
    for (int64_t k = 0; k < cut->n_point; k++) {
        sampler_stencil st;
        int found = sampler_find(s, SAMPLER_NO_SLIP, cut->point_mm + 3 * k, NULL, &st);
        for (int a = 0; a < 3; a++)
            velocity_m_s[3 * k + a] = found ? sampler_apply(&st, f->velocity_m_s, 3, a) : NAN;
        speed_m_s[k] = vec_length(velocity_m_s + 3 * k);
    }
}

int sheet_pick(const surface *cut, int most, int32_t *index) {
    double area = surface_area_mm2(cut), apart = sqrt(area / (most > 0 ? 0.6 * most : 1));
    int n = 0;
    for (int64_t k = 0; k < cut->n_point && n < most; k++) {
        int near = 0;
        for (int j = 0; j < n && !near; j++)
            near = vec_distance(cut->point_mm + 3 * k, cut->point_mm + 3 * (int64_t)index[j]) < apart;
        if (!near)
            index[n++] = (int32_t)k;
    }
    return n;
}
