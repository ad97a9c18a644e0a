/* See mask_distance.h. */
#include "segment/voxel/mask_distance.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    double *f, *z; /* [n], [n + 1] */
    int *at;       /* [n] */
} scratch;

/* Lower envelope of parabolas: d[i] = min over k of f[k] + ((i - k) h)^2. */
static void transform(float *line, size_t stride, int n, double h, const scratch *s) {
    int top = 0;
    double h2 = h * h;
    bool constant = true;
    for (int i = 0; i < n; i++) {
        s->f[i] = (double)line[(size_t)i * stride];
        constant = constant && s->f[i] == s->f[0];
    }
    if (constant) /* most lines: nothing near, or all inside */
        return;
    s->at[0] = 0;
    s->z[0] = -INFINITY;
    s->z[1] = INFINITY;
    for (int q = 1; q < n; q++) {
        double cross;
        for (;;) {
            int p = s->at[top];
            cross = (s->f[q] - s->f[p] + h2 * ((double)q * q - (double)p * p)) / (2 * h2 * (q - p));
            if (top == 0 || cross > s->z[top])
                break;
            top--;
        }
        top++;
        s->at[top] = q;
        s->z[top] = cross;
        s->z[top + 1] = INFINITY;
    }
    for (int i = 0, k = 0; i < n; i++) {
        while (k < top && s->z[k + 1] < i)
            k++;
        int p = s->at[k];
        line[(size_t)i * stride] = (float)(s->f[p] + h2 * (i - p) * (i - p));
    }
}

static int transform_axis(volume *v, int axis) {
    int n = v->dims[axis], rc = OK;
    size_t stride = axis == 0 ? 1 : (axis == 1 ? (size_t)v->dims[0] : (size_t)v->dims[0] * (size_t)v->dims[1]);
    size_t lines = volume_size(v) / (size_t)n;
#pragma omp parallel
    {
        scratch s = {malloc((size_t)n * sizeof(double)), malloc(((size_t)n + 1) * sizeof(double)),
                     malloc((size_t)n * sizeof(int))};
        bool good = s.f != NULL && s.z != NULL && s.at != NULL;
        if (!good) {
#pragma omp critical
            rc = fail_memory("distances in a mask", 20.0 * n);
        }
#pragma omp for schedule(static)
        for (size_t l = 0; l < lines; l++)
            if (good)
                transform(v->value + (l / stride) * stride * (size_t)n + l % stride, stride, n, v->spacing_mm[axis],
                          &s);
        free(s.f);
        free(s.z);
        free(s.at);
    }
    return rc;
}

/* Squared distance (up to far2) to the nearest voxel whose being inside equals `inside`. */
static int squared(const volume *mask, bool inside, const bool axes[3], float far2, volume *out) {
    int rc = OK;
    const size_t n = volume_size(mask);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        out->value[i] = (mask->value[i] > 0.5F) == inside ? 0 : far2;
    for (int a = 0; a < 3 && rc == OK; a++)
        if (axes[a] && mask->dims[a] > 1)
            rc = transform_axis(out, a);
    return rc;
}

int mask_distance(const volume *mask, const bool axes[3], double limit_mm, volume *out) {
    int rc = OK;
    volume to_inside = {0};
    double half = INFINITY, far = 2 * limit_mm;
    for (int a = 0; a < 3; a++)
        if (axes[a])
            half = fmin(half, mask->spacing_mm[a] / 2);
    TRY(volume_create_like(&to_inside, mask));
    TRY(volume_create_like(out, mask));
    TRY(squared(mask, false, axes, (float)(far * far), out));
    TRY(squared(mask, true, axes, (float)(far * far), &to_inside));
    const size_t n = volume_size(out);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        bool in = mask->value[i] > 0.5F;
        double d = sqrt((double)(in ? out->value[i] : to_inside.value[i])) - half;
        d = fmin(d, limit_mm);
        out->value[i] = (float)(in ? -d : d);
    }
cleanup:
    volume_free(&to_inside);
    if (rc != OK)
        volume_free(out);
    return rc;
}
