/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/statistics/fluctuation.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 16, FEWEST = 4 * BATCHES, FEWEST_CHANGES = 40 };
/* The residual is constant if the mean of log(residual) falls by less than this from the third to the last quarter of
 * its history, or rises */
static const double STILL = 0.2;

void fluctuation_free(fluctuation *f) {
    free(f->log_change);
    free(f->sample);
    state_fields_free(&f->mean);
    *f = (fluctuation){0};
}

int fluctuation_change(fluctuation *f, double change) {
    if (f->n_change == f->room_change) {
        const long room = 2 * f->room_change + 1024;
        float *more = realloc(f->log_change, (size_t)room * sizeof *more);
        if (!more)
            return fail_memory("the history of the run", 4.0 * (double)room);
        f->log_change = more;
        f->room_change = room;
    }
    f->log_change[f->n_change++] = (float)log(fmax(change, 1e-30));
    return OK;
}

int fluctuation_sample(fluctuation *f, const double *flow, const double *density) {
    const size_t width = 2 * (size_t)f->n_opening;
    if (f->n_sample == f->room_sample) {
        const long room = 2 * f->room_sample + 1024;
        double *more = realloc(f->sample, ((size_t)room * width + 1) * sizeof *more);
        if (!more)
            return fail_memory("the history of the openings", 8.0 * (double)room * (double)width);
        f->sample = more;
        f->room_sample = room;
    }
    for (int k = 0; k < f->n_opening; k++) {
        f->sample[(size_t)f->n_sample * width + 2 * (size_t)k] = flow[k];
        f->sample[(size_t)f->n_sample * width + 2 * (size_t)k + 1] = density[k];
    }
    f->n_sample++;
    return OK;
}

static void mean_add(float *mean, const float *now, int64_t n, double weight) {
#pragma omp parallel for schedule(static) if (n > 65536)
    for (int64_t k = 0; k < n; k++)
        mean[k] = (float)(mean[k] + weight * ((double)now[k] - mean[k]));
}

int fluctuation_fields(fluctuation *f, const state_fields *now, int64_t n_cell) {
    if (!f->mean.density) {
        const int rc = state_fields_create(&f->mean, n_cell);
        if (rc != OK)
            return rc;
        f->n_field = 0;
    }
    const double weight = 1.0 / (double)++f->n_field; /* the first field has weight 1 */
    if (f->n_field == 1) {
        for (int64_t c = 0; c < n_cell; c++)
            f->mean.density[c] = now->density[c];
        for (int64_t c = 0; c < 3 * n_cell; c++)
            f->mean.velocity[c] = now->velocity[c];
        for (int64_t c = 0; c < 6 * n_cell; c++)
            f->mean.stress[c] = now->stress[c];
        return OK;
    }
    mean_add(f->mean.density, now->density, n_cell, weight);
    mean_add(f->mean.velocity, now->velocity, 3 * n_cell, weight);
    mean_add(f->mean.stress, now->stress, 6 * n_cell, weight);
    return OK;
}

int fluctuation_relative_difference(const fluctuation *f, const state_fields *now, int64_t n_cell, double *apart) {
    exact_sum sum[2] = {0}; /* sums of squares: of velocity differences, of velocities */
    const int64_t n = f->mean.velocity ? 3 * n_cell : 0;
#pragma omp parallel if (n > 65536)
    {
        exact_sum part[2] = {0};
#pragma omp for schedule(static)
        for (int64_t k = 0; k < n; k++) {
            const double difference = (double)f->mean.velocity[k] - now->velocity[k];
            exact_sum_add(&part[0], difference * difference);
            exact_sum_add(&part[1], (double)now->velocity[k] * now->velocity[k]);
        }
#pragma omp critical
        for (int k = 0; k < 2; k++)
            exact_sum_join(&sum[k], &part[k]);
    }
    const int rc = ranks_sums(sum, 2);
    *apart = rc == OK ? sqrt(exact_sum_value(&sum[0]) / exact_sum_value(&sum[1])) : NAN; /* 0 / 0 gives NAN */
    return rc;
}

static double part_mean(const float *x, long begin, long end) {
    double sum = 0;
    for (long k = begin; k < end; k++)
        sum += x[k];
    return sum / (double)(end - begin);
}

double fluctuation_recent_residual(const fluctuation *f) {
    const long n = f->n_change;
    return n < FEWEST_CHANGES ? NAN : exp(part_mean(f->log_change, n - n / 4, n));
}

bool fluctuation_residual_constant(const fluctuation *f) {
    const long n = f->n_change;
    if (n < FEWEST_CHANGES)
        return false;
    return part_mean(f->log_change, n - n / 4, n) > part_mean(f->log_change, n - n / 2, n - n / 4) - STILL;
}

static fluctuation_trend batch_trend(const double batch[BATCHES]) {
    double middle = 0, slope = 0, square = 0, left = 0;
    for (int b = 0; b < BATCHES; b++)
        middle += batch[b] / BATCHES;
    for (int b = 0; b < BATCHES; b++) {
        const double at = (b + 0.5) / BATCHES - 0.5;
        slope += at * batch[b];
        square += at * at;
    }
    slope /= square;
    for (int b = 0; b < BATCHES; b++)
        left += pow(batch[b] - middle - slope * ((b + 0.5) / BATCHES - 0.5), 2);
    return (fluctuation_trend){slope, sqrt(left / (BATCHES - 2) / square)};
}

static bool batches_of(const fluctuation *f, int what, long fewest, double batch[BATCHES]) {
    const size_t width = 2 * (size_t)f->n_opening;
    long in[BATCHES] = {0};
    if (f->n_sample < fewest)
        return false;
    memset(batch, 0, BATCHES * sizeof *batch);
    for (long k = 0; k < f->n_sample; k++) {
        const int b = (int)(k * BATCHES / f->n_sample);
        batch[b] += f->sample[(size_t)k * width + (size_t)what];
        in[b]++;
    }
    for (int b = 0; b < BATCHES; b++)
        batch[b] /= (double)in[b];
    return true;
}

fluctuation_trend fluctuation_trend_of(const fluctuation *f, int what) {
    double batch[BATCHES];
    return batches_of(f, what, FEWEST, batch) ? batch_trend(batch) : (fluctuation_trend){NAN, NAN};
}

fluctuation_trend fluctuation_trend_of_few(const fluctuation *f, int what) {
    double batch[BATCHES];
    return batches_of(f, what, BATCHES, batch) ? batch_trend(batch) : (fluctuation_trend){NAN, NAN};
}

fluctuation_trend fluctuation_trend_of_change(const fluctuation *f, long n) {
    double batch[BATCHES];
    const long first = f->n_change - n;
    if (n < FEWEST || first < 0)
        return (fluctuation_trend){NAN, NAN};
    for (int b = 0; b < BATCHES; b++)
        batch[b] = part_mean(f->log_change, first + b * n / BATCHES, first + (b + 1) * n / BATCHES);
    return batch_trend(batch);
}

int fluctuation_crossings(const fluctuation *f, int what) {
    double batch[BATCHES], mean = 0;
    int n = 0;
    if (!batches_of(f, what, FEWEST, batch))
        return 0;
    for (int b = 0; b < BATCHES; b++)
        mean += batch[b] / BATCHES;
    for (int b = 1; b < BATCHES; b++)
        n += (batch[b] > mean) != (batch[b - 1] > mean);
    return n;
}

fluctuation_value fluctuation_of(const fluctuation *f, int what, int less_of) {
    const size_t width = 2 * (size_t)f->n_opening;
    const long n = f->n_sample;
    fluctuation_value v = {NAN, NAN, INFINITY, -INFINITY, NAN};
    double sum = 0, square = 0, batch[BATCHES] = {0}, spread = 0;
    long in[BATCHES] = {0};
    if (n == 0)
        return v;
    for (long k = 0; k < n; k++) {
        const double *s = f->sample + (size_t)k * width, x = s[what] - (less_of >= 0 ? s[less_of] : 0.0);
        const int b = (int)(k * BATCHES / n);
        sum += x;
        batch[b] += x;
        in[b]++;
        v.low = fmin(v.low, x);
        v.high = fmax(v.high, x);
    }
    v.mean = sum / (double)n;
    for (long k = 0; k < n; k++) {
        const double *s = f->sample + (size_t)k * width, x = s[what] - (less_of >= 0 ? s[less_of] : 0.0) - v.mean;
        square += x * x;
    }
    v.deviation = sqrt(square / (double)n);
    if (n < FEWEST)
        return v;
    for (int b = 0; b < BATCHES; b++)
        spread += pow(batch[b] / (double)in[b] - v.mean, 2);
    v.error = sqrt(spread / (BATCHES * (BATCHES - 1)));
    return v;
}
