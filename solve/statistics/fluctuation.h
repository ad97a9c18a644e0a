/* Statistics of a flow that does not become steady: is it still on its way, and what are its mean and its swing?
 *
 * Two parts. The history says from the changes of the velocity (run.h) whether they still fall. Once they do not, the
 * averages collect pressures and flows of the openings at every monitor, and the fields now and then. The standard
 * error of a mean follows from the means of 16 batches in a row, which works for samples that are correlated as long as
 * a batch outlasts the correlation (Flegal, Jones 2010). Lattice units throughout; host memory. */
#ifndef PORTAFLOW_FLUCTUATION_H
#define PORTAFLOW_FLUCTUATION_H
#include "solve/core/state_fields.h"
#include "common/base/must_check.h"
#include <stdbool.h>

/* Mean of one quantity and how it varies. */
typedef struct {
    double mean, deviation, low, high, error; /* deviation: standard; error: standard error of the mean */
} fluctuation_value;

typedef struct {
    long n_change, room_change;
    float *log_change; /* [n_change] of every monitor */
    int n_opening;
    long n_sample, room_sample;
    double *sample; /* [n_sample][2 n_opening] flow, density of each opening */
    long n_field;
    state_fields mean; /* of n_field fields; NULL before the first */
} fluctuation;

void fluctuation_free(fluctuation *f); /* safe on a zeroed struct */

/* Errors of both: ERR_RESOURCE. */
MUST_CHECK int fluctuation_change(fluctuation *f, double change);
MUST_CHECK int fluctuation_sample(fluctuation *f, const double *flow, const double *density);
/* now is added to the mean fields. Errors: ERR_RESOURCE. */
MUST_CHECK int fluctuation_fields(fluctuation *f, const state_fields *now, int64_t n_cell);

/* How far the mean velocity is from that of now, relative to it (L2 over the cells of all ranks); NAN without a mean.
 * Errors: those of ranks_sums. */
MUST_CHECK int fluctuation_apart(const fluctuation *f, const state_fields *now, int64_t n_cell, double *apart);

/* Geometric mean of the changes of the last quarter, NAN below 40. */
double fluctuation_recent(const fluctuation *f);

/* The changes of the last quarter are no smaller than those of the quarter before (by less than a fifth). */
bool fluctuation_lasts(const fluctuation *f);

/* How 16 batches in a row change: the straight line through their means by least squares, from the first to the last
 * sample, and the standard error of that; NAN below 64 samples. */
typedef struct {
    double change, error;
} fluctuation_trend;

/* Of the samples of one quantity, and the same of 16 samples and more; of log(change) over the last n monitors. */
fluctuation_trend fluctuation_trend_of(const fluctuation *f, int what);
fluctuation_trend fluctuation_trend_of_few(const fluctuation *f, int what);
fluctuation_trend fluctuation_trend_of_change(const fluctuation *f, long n);

/* How often the means of the 16 batches pass from above the mean to below it or back; 0 below 64 samples. */
int fluctuation_crossings(const fluctuation *f, int what);

/* what: 2 k the flow, 2 k + 1 the density of opening k; less_of >= 0: minus that quantity, at each instant. error is
 * NAN below 64 samples. */
fluctuation_value fluctuation_of(const fluctuation *f, int what, int less_of);
#endif
