/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/statistics/settling.h"
#include <math.h>

/* Residuals between which the waiting time of settling_due_s shrinks. Up to ON_ITS_WAY the waiting time is 2 viscous
 * time constants, from UNSTEADY on it is half a viscous time constant. */
static const double ON_ITS_WAY = 0.1, UNSTEADY = 0.3;

double settling_monitors(long n, const float *log_change, double tolerance) {
    const long first = n / 2, used = n - first;
    const double goal = log(tolerance), middle = 0.5 * (double)(used - 1);
    double sum = 0, slope = 0, square = 0;
    if (n < SETTLING_LEAST)
        return NAN;
    for (long k = 0; k < used; k++) {
        const double from_middle = (double)k - middle;
        sum += log_change[first + k];
        slope += from_middle * log_change[first + k];
        square += from_middle * from_middle;
    }
    slope /= square;
    const double now = sum / (double)used + slope * middle;
    if (log_change[n - 1] <= goal)
        return 0;
    return slope < 0 ? fmax((goal - now) / slope, 0) : INFINITY;
}

double settling_due_s(double viscous_s, double passages_s, double change) {
    /* 0 for a residual up to ON_ITS_WAY or NAN, 1 from UNSTEADY on */
    const double part = log(fmax(change, ON_ITS_WAY) / ON_ITS_WAY) / log(UNSTEADY / ON_ITS_WAY);
    return fmax(2 * pow(0.25, fmin(part, 1)) * viscous_s, passages_s);
}

double settling_left_s(double now_s, double settle_s, double begin_s, double passages_s) {
    const double averaged_s = fmax(begin_s - now_s, 0) + passages_s;
    return isnan(settle_s) || settle_s <= averaged_s ? settle_s : averaged_s;
}

double settling_average_left_s(double since_s, double error, double limit, double passages_s) {
    if (!isfinite(error))
        return since_s < passages_s ? passages_s - since_s : NAN;
    const double needed_s = since_s * (error / limit) * (error / limit);
    return fmax(fmin(fmax(needed_s, passages_s), 20 * passages_s) - since_s, 0);
}

double settling_cycles_left(double change, double before, double slowest) {
    const double ratio = isnan(before) ? slowest : change / before;
    return ratio < SETTLING_FALLS ? change * ratio / (1 - ratio) : change;
}

int settling_cycles(int done, double change, double before, double limit, int least) {
    const double ratio = change / before, goal = ratio < SETTLING_FALLS ? limit * fmin(1, (1 - ratio) / ratio) : limit;
    double more = 0;
    if (change > goal && !isnan(before))
        more = ratio < 1 ? ceil(log(goal / change) / log(ratio)) : HUGE_VAL;
    const double all = fmax(done + more + 1, least);
    return (int)fmin(all, 3.0 * least);
}
