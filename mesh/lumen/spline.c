/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/lumen/spline.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAD = 2 };

/* Replace n values by the coefficients of the cubic spline through them: causal, then anticausal filter with pole
 * sqrt(3) - 2, mirrored at the ends. */
static void filter_line(double *c, int n) {
    const double pole = sqrt(3.0) - 2;
    if (n <= 1)
        return;
    for (int i = 0; i < n; i++)
        c[i] *= 6;
    double sum = c[0], power = pole;
    const int horizon = n < 40 ? n : 40;
    if (horizon < n) {
        for (int i = 1; i < horizon; i++, power *= pole)
            sum += power * c[i];
    } else { /* the mirrored signal is periodic, so its geometric sum has a closed form */
        const double last = pow(pole, n - 1);
        double back = last * last / pole;
        sum = c[0] + last * c[n - 1];
        for (int i = 1; i < n - 1; i++, power *= pole, back /= pole)
            sum += (power + back) * c[i];
        sum /= 1 - last * last;
    }
    c[0] = sum;
    for (int i = 1; i < n; i++)
        c[i] += pole * c[i - 1];
    c[n - 1] = pole / (pole * pole - 1) * (c[n - 1] + pole * c[n - 2]);
    for (int i = n - 2; i >= 0; i--)
        c[i] = pole * (c[i + 1] - c[i]);
}

/* Filter the lines along `axis` in one plane; k is the index of the plane along the last of the other two axes. */
static void filter_plane(const spline *s, int axis, int k, double *line) {
    const size_t stride[3] = {1, (size_t)s->dims[0], (size_t)s->dims[0] * (size_t)s->dims[1]};
    const int b = axis == 0 ? 1 : 0, d = axis == 2 ? 1 : 2, n = s->grid.dims[axis];
    for (int j = 0; j < s->grid.dims[b]; j++) {
        float *start =
            s->coefficient + PAD * stride[axis] + (size_t)(j + PAD) * stride[b] + (size_t)(k + PAD) * stride[d];
        for (int i = 0; i < n; i++)
            line[i] = start[(size_t)i * stride[axis]];
        filter_line(line, n);
        for (int i = 0; i < n; i++)
            start[(size_t)i * stride[axis]] = (float)line[i];
    }
}

static int mirror_index(int i, int n) {
    if (n == 1)
        return 0;
    i = i < 0 ? -i : i;
    return i < n ? i : (2 * (n - 1) - i < 0 ? 0 : 2 * (n - 1) - i);
}

static void fill_padding(spline *s) {
    const int *n = s->grid.dims, *m = s->dims;
    for (int z = 0; z < m[2]; z++)
        for (int y = 0; y < m[1]; y++)
            for (int x = 0; x < m[0]; x++) {
                const int i = mirror_index(x - PAD, n[0]), j = mirror_index(y - PAD, n[1]),
                          k = mirror_index(z - PAD, n[2]);
                if (i == x - PAD && j == y - PAD && k == z - PAD) {
                    x = n[0] + PAD - 1; /* skip the inner part of the row, which holds final coefficients */
                    continue;
                }
                s->coefficient[((size_t)z * (size_t)m[1] + (size_t)y) * (size_t)m[0] + (size_t)x] =
                    s->coefficient[((size_t)(k + PAD) * (size_t)m[1] + (size_t)(j + PAD)) * (size_t)m[0] +
                                   (size_t)(i + PAD)];
            }
}

static int filter_all(spline *s) {
    int longest = 1, bad = OK;
    for (int a = 0; a < 3; a++)
        longest = s->grid.dims[a] > longest ? s->grid.dims[a] : longest;
    for (int axis = 0; axis < 3; axis++) {
        const int n_plane = s->grid.dims[axis == 2 ? 1 : 2];
#pragma omp parallel
        {
            double *line = malloc((size_t)longest * sizeof *line);
#pragma omp for schedule(static)
            for (int k = 0; k < n_plane; k++)
                if (line)
                    filter_plane(s, axis, k, line);
            if (!line) {
#pragma omp critical(mesh_spline)
                bad = ERR_RESOURCE;
            }
            free(line);
        }
    }
    return bad == OK ? OK : fail_memory("a line of the volume", 8.0 * longest);
}

int spline_create(spline *s, const volume *v) {
    memset(s, 0, sizeof *s);
    s->grid = *v;
    s->grid.value = NULL;
    size_t n = 1;
    for (int a = 0; a < 3; a++) {
        s->dims[a] = v->dims[a] + 2 * PAD;
        n *= (size_t)s->dims[a];
    }
    s->coefficient = calloc(n, sizeof *s->coefficient);
    if (!s->coefficient)
        return fail_memory("the smooth distance", (double)n * sizeof *s->coefficient);
    for (int z = 0; z < v->dims[2]; z++)
        for (int y = 0; y < v->dims[1]; y++)
            memcpy(s->coefficient + ((size_t)(z + PAD) * (size_t)s->dims[1] + (size_t)(y + PAD)) * (size_t)s->dims[0] +
                       PAD,
                   v->value + volume_index(v, 0, y, z), (size_t)v->dims[0] * sizeof(float));
    const int rc = filter_all(s);
    if (rc != OK)
        spline_free(s);
    else
        fill_padding(s);
    return rc;
}

void spline_free(spline *s) {
    free(s->coefficient);
    memset(s, 0, sizeof *s);
}

/* Weights of the four coefficients around a point at t (0..1) between two of them, and the derivatives of the
 * weights. */
static void weights_of(double t, double w[4], double slope[4]) {
    const double r = 1 - t;
    w[0] = r * r * r / 6;
    w[1] = 2.0 / 3 - t * t * (2 - t) / 2;
    w[2] = 2.0 / 3 - r * r * (2 - r) / 2;
    w[3] = t * t * t / 6;
    slope[0] = -r * r / 2;
    slope[1] = t * (3 * t - 4) / 2;
    slope[2] = -r * (3 * r - 4) / 2;
    slope[3] = t * t / 2;
}

double spline_at_index(const spline *s, const double index[3], double gradient[3]) {
    double w[3][4], slope[3][4], value = 0, g[3] = {0, 0, 0};
    size_t start = 0;
    for (int a = 2; a >= 0; a--) {
        const int last = s->grid.dims[a] - 1;
        const double x = fmin(last, fmax(0, index[a]));
        int cell = (int)x;
        cell = cell > last - 1 && last > 0 ? last - 1 : cell;
        weights_of(x - cell, w[a], slope[a]);
        start = start * (size_t)s->dims[a] + (size_t)(cell + PAD - 1);
    }
    const size_t row = (size_t)s->dims[0], plane = row * (size_t)s->dims[1];
    for (int k = 0; k < 4; k++) {
        double in_plane = 0, in_plane_x = 0, in_plane_y = 0;
        for (int j = 0; j < 4; j++) {
            const float *c = s->coefficient + start + (size_t)k * plane + (size_t)j * row;
            const double line = w[0][0] * c[0] + w[0][1] * c[1] + w[0][2] * c[2] + w[0][3] * c[3];
            in_plane += w[1][j] * line;
            if (!gradient)
                continue;
            in_plane_y += slope[1][j] * line;
            in_plane_x += w[1][j] * (slope[0][0] * c[0] + slope[0][1] * c[1] + slope[0][2] * c[2] + slope[0][3] * c[3]);
        }
        value += w[2][k] * in_plane;
        g[0] += w[2][k] * in_plane_x;
        g[1] += w[2][k] * in_plane_y;
        g[2] += slope[2][k] * in_plane;
    }
    if (gradient)
        memcpy(gradient, g, sizeof g);
    return value;
}

double spline_value(const spline *s, const double lps_mm[3], double gradient_mm[3]) {
    double index[3], square = 0, g[3];
    volume_to_index(&s->grid, lps_mm, index);
    for (int a = 0; a < 3; a++) {
        const double beyond = index[a] - fmin(s->grid.dims[a] - 1, fmax(0, index[a]));
        square += beyond * beyond * s->grid.spacing_mm[a] * s->grid.spacing_mm[a];
    }
    const double value = spline_at_index(s, index, gradient_mm ? g : NULL);
    for (int k = 0; gradient_mm && k < 3; k++) {
        gradient_mm[k] = 0;
        for (int a = 0; a < 3; a++)
            gradient_mm[k] += s->grid.direction[3 * k + a] * g[a] / s->grid.spacing_mm[a];
    }
    return square > 0 ? value + sqrt(square) : value;
}

/* Largest absolute second difference of the coefficients `first .. last` (inclusive), along axes a and b. */
static double largest_difference(const spline *s, const int first[3], const int last[3], int a, int b) {
    const size_t stride[3] = {1, (size_t)s->dims[0], (size_t)s->dims[0] * (size_t)s->dims[1]};
    int end[3] = {last[0], last[1], last[2]};
    float most = 0;
    end[a]--;
    end[b]--;
    for (int k = first[2]; k <= end[2]; k++)
        for (int j = first[1]; j <= end[1]; j++)
            for (int i = first[0]; i <= end[0]; i++) {
                const float *c = s->coefficient + (size_t)k * stride[2] + (size_t)j * stride[1] + (size_t)i;
                const float d = fabsf((c[0] - c[stride[a]]) - (c[stride[b]] - c[stride[a] + stride[b]]));
                most = d > most ? d : most;
            }
    return (double)most;
}

double spline_bend(const spline *s, const double low[3], const double high[3]) {
    int first[3], last[3];
    double square = 0;
    for (int a = 0; a < 3; a++) {
        const int most = s->grid.dims[a] > 1 ? s->grid.dims[a] - 2 : 0;
        first[a] = (int)fmin(most, floor(low[a])) + PAD - 1;
        last[a] = (int)fmin(most, floor(high[a])) + PAD + 2;
    }
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            const double d = largest_difference(s, first, last, a, b) / (s->grid.spacing_mm[a] * s->grid.spacing_mm[b]);
            square += (a == b ? 1 : 2) * d * d;
        }
    return sqrt(square) * (1 + 1e-5); /* margin for rounding in differences of float */
}
