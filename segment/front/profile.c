/* See profile.h. */
#include "segment/front/profile.h"
#include "common/base/status.h"
#include <math.h>
#include <string.h>

enum { HALF = 12, SAMPLES = 2 * HALF + 1, ROUNDS = 5 };
static const double step = 0.5;            /* voxels between samples */
static const double sampling = 0.25;       /* voxels^2: reading between the voxels, smoothing the level */
static const double band = 3;              /* voxels */
static const double core = 2, shell = 1.5; /* standard deviations of the blur: where N and L are taken */
/* Of a step blurred by a Gaussian 0.023 is missing 2 s inside and 0.067 1.5 s outside: (0.5 - 0.023) / (1 - 0.090). */
static const double half = 0.524;
static const double off_core = 0.3;                 /* contrasts */
static const double no_fall = 0.2, full_fall = 0.5; /* contrasts */

/* Linear between the voxels, which at the border are repeated. */
static double sample(const volume *v, const double at[3]) {
    size_t corner = 0, step_to[3];
    double part[3], sum = 0;
    const size_t stride[3] = {1, (size_t)v->dims[0], (size_t)v->dims[0] * (size_t)v->dims[1]};
    for (int a = 0; a < 3; a++) {
        const double x = fmin(v->dims[a] - 1, fmax(0, at[a]));
        const int low = (int)fmin(x, v->dims[a] > 1 ? v->dims[a] - 2 : 0);
        part[a] = x - low;
        corner += (size_t)low * stride[a];
        step_to[a] = v->dims[a] > 1 ? stride[a] : 0;
    }
    for (int n = 0; n < 8; n++) {
        const size_t i = corner + (n & 1 ? step_to[0] : 0) + (n & 2 ? step_to[1] : 0) + (n & 4 ? step_to[2] : 0);
        sum += (n & 1 ? part[0] : 1 - part[0]) * (n & 2 ? part[1] : 1 - part[1]) * (n & 4 ? part[2] : 1 - part[2]) *
               (double)v->value[i];
    }
    return sum;
}

/* Of a profile with its present wall in the middle: between the samples, x in voxels. */
static double profile_at(const double f[SAMPLES], double x) {
    const double s = fmin(SAMPLES - 1.001, fmax(0, x / step + HALF));
    const int low = (int)s;
    return f[low] + (s - low) * (f[low + 1] - f[low]);
}

/* Where the profile falls through `value`, nearest to `from`; NAN: nowhere. */
static double falls_through(const double f[SAMPLES], double value, double from) {
    double best = NAN;
    for (int i = 0; i + 1 < SAMPLES; i++) {
        if (!(f[i] >= value && f[i + 1] < value))
            continue;
        const double x = step * (i - HALF + (f[i] - value) / (f[i] - f[i + 1]));
        if (isnan(best) || fabs(x - from) < fabs(best - from))
            best = x;
    }
    return best;
}

static double least_within(const double f[SAMPLES], double low, double high) {
    double least = fmin(profile_at(f, low), profile_at(f, high));
    for (int i = 0; i < SAMPLES; i++)
        if (step * (i - HALF) > low && step * (i - HALF) < high)
            least = fmin(least, f[i]);
    return least;
}

/* The wall on the profile, and how far the image falls there. NAN: none. */
static double half_height(const double f[SAMPLES], double inside, double outside, double s, double *fall) {
    const double contrast = inside - outside;
    double x = falls_through(f, 0.5 * (inside + outside), 0);
    for (int round = 0; round < ROUNDS && !isnan(x); round++) {
        const double n =
            fmin(inside + off_core * contrast, fmax(inside - off_core * contrast, profile_at(f, x - core * s)));
        const double l = least_within(f, x, x + shell * s);
        *fall = n - l;
        x = falls_through(f, n - half * *fall, x);
    }
    return x;
}

/* Unit vector outwards; false where the level is flat. */
static bool outwards(const volume *v, int i, int j, int k, double d[3]) {
    const int at[3] = {i, j, k};
    double norm = 0;
    for (int a = 0; a < 3; a++) {
        int up[3] = {i, j, k}, down[3] = {i, j, k};
        up[a] += at[a] + 1 < v->dims[a], down[a] -= at[a] > 0;
        d[a] = (double)v->value[volume_index(v, up[0], up[1], up[2])] -
               (double)v->value[volume_index(v, down[0], down[1], down[2])];
        norm += d[a] * d[a];
    }
    for (int a = 0; a < 3; a++)
        d[a] /= sqrt(norm);
    return norm > 1e-12;
}

static double settled(const volume *image, const double at[3], const double d[3], double inside, double outside,
                      const double variance[3], double old) {
    double f[SAMPLES], across = sampling, fall = 0;
    for (int a = 0; a < 3; a++)
        across += d[a] * d[a] * variance[a];
    for (int n = 0; n < SAMPLES; n++) {
        const double t = step * (n - HALF) - old;
        f[n] = sample(image, (const double[3]){at[0] + t * d[0], at[1] + t * d[1], at[2] + t * d[2]});
    }
    const double x = half_height(f, inside, outside, sqrt(across), &fall);
    if (isnan(x))
        return old;
    const double trust = fmin(1, fmax(0, (fall / (inside - outside) - no_fall) / (full_fall - no_fall)));
    return old - trust * x;
}

int profile_settle(const volume *image, double inside, double outside, const double variance[3], volume *level) {
    volume old = {0};
    int rc = volume_create_like(&old, level);
    if (rc != OK)
        return rc;
    memcpy(old.value, level->value, volume_size(level) * sizeof *level->value);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                const size_t here = volume_index(level, i, j, k);
                double d[3];
                if (fabs((double)old.value[here]) > band || !outwards(&old, i, j, k, d))
                    continue;
                level->value[here] = (float)settled(image, (const double[3]){i, j, k}, d, inside, outside, variance,
                                                    (double)old.value[here]);
            }
    volume_free(&old);
    return OK;
}
