/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of an unsteady flow: is it still developing, and what are its means and fluctuations?
 *
 * The history of the residual shows whether the flow still settles. Averages then collect pressures and flows of the
 * openings at every monitor, and fields at some of the monitors. The standard error of a mean follows from 16 batch
 * means, which is valid for correlated samples while a batch is longer than the correlation time (Flegal and Jones
 * 2010). Lattice units; host memory. */
#ifndef PORTAFLOW_FLUCTUATION_H
#define PORTAFLOW_FLUCTUATION_H
#include "solve/core/state_fields.h"
#include "common/base/must_check.h"
#include <stdbool.h>

/* Statistics of one quantity. */
typedef struct {
    /* deviation: standard deviation of the samples; low, high: their range; error: standard error of the mean */
    double mean, deviation, low, high, error;
} fluctuation_value;

typedef struct {
    long n_change, room_change;
    float *log_change; /* [n_change] logarithm of the residual at each monitor */
    int n_opening;
    long n_sample, room_sample;
    double *sample; /* [n_sample][2 n_opening] flow and density of each opening in each sample */
    long n_field;
    state_fields mean; /* mean of n_field fields; NULL: no field was added */
} fluctuation;

void fluctuation_free(fluctuation *f); /* safe on a zeroed struct */

/* Add one monitor: its residual (fluctuation_change), or the flow and density of each opening. Errors of both:
 * ERR_RESOURCE. */
MUST_CHECK int fluctuation_change(fluctuation *f, double change);
MUST_CHECK int fluctuation_sample(fluctuation *f, const double *flow, const double *density);
/* Adds a field to the mean fields. Errors: ERR_RESOURCE. */
MUST_CHECK int fluctuation_fields(fluctuation *f, const state_fields *now, int64_t n_cell);

/* Computes the relative difference of the present and the mean velocity (L2 over the cells of all ranks); NAN without a
 * mean. Errors: see ranks_sums. */
MUST_CHECK int fluctuation_relative_difference(const fluctuation *f, const state_fields *now, int64_t n_cell,
                                               double *apart);

/* Geometric mean of the residual over the last quarter of the history; NAN below 40 monitors. */
double fluctuation_recent_residual(const fluctuation *f);

/* True when the geometric mean of the residual fell by less than a fifth (factor exp(-0.2)) between the last two
 * quarters of the history, or rose. False below 40 monitors. */
bool fluctuation_residual_constant(const fluctuation *f);

/* Trend over 16 batch means by linear least squares: change from the first to the last sample, and its standard error.
 * NAN below 64 samples. */
typedef struct {
    double change, error;
} fluctuation_trend;

/* fluctuation_trend_of: trend of one quantity; `what` as in fluctuation_of. fluctuation_trend_of_few: the same, but
 * valid from 16 samples on. fluctuation_trend_of_change: trend of log(residual) over the last n monitors. */
fluctuation_trend fluctuation_trend_of(const fluctuation *f, int what);
fluctuation_trend fluctuation_trend_of_few(const fluctuation *f, int what);
fluctuation_trend fluctuation_trend_of_change(const fluctuation *f, long n);

/* Number of times that the sequence of batch means crosses the overall mean; 0 below 64 samples. */
int fluctuation_crossings(const fluctuation *f, int what);

/* Computes the statistics of a quantity. what: 2 k for the flow of opening k, 2 k + 1 for its density. less_of >= 0:
 * the quantity with this number is subtracted at each instant. error is NAN below 64 samples. */
fluctuation_value fluctuation_of(const fluctuation *f, int what, int less_of);
#endif
