/* SPDX-License-Identifier: Apache-2.0 */
/* The largest pressure drop between two openings, and the peak of a pulsatile flow. */
#ifndef PORTAFLOW_POST_READOUTS_EXTREMES_H
#define PORTAFLOW_POST_READOUTS_EXTREMES_H
#include "common/case/case.h"
#include "post/flow/monitors.h"
#include "post/readouts/readout_place.h"

typedef struct {
    const char *from, *to;
    double value_pa; /* NaN: unknown */
} readouts_drop;

/* The instant of the last cycle with the largest inflow. time_s NaN: the flow is steady, or there are no monitors of
 * the last cycle. */
typedef struct {
    double time_s, inflow_ml_s; /* time in the cycle; sum of the flows of all openings where blood enters */
    double reynolds;            /* largest Reynolds number of all openings */
    const char *reynolds_at;    /* name of the opening with this Reynolds number */
    readouts_drop drop;         /* largest pressure drop between two openings at this instant; from NULL: none */
} readouts_peak;

/* Pressure drop between the two openings of p [n] whose pressures differ most, from the higher to the lower pressure.
 * Only pairs in the same connected piece of lumen count. from NULL: no such pair. */
readouts_drop extremes_drop(int n, const place *p);

/* The same pressure drop in a row of m, whose openings are p [n]. */
readouts_drop extremes_row_drop(int n, const place *p, const monitors *m, int row);

/* Finds the instant of largest inflow in the last cycle: among the rows of m that are at most period_s before the
 * last row. p [n]: openings, whose member `area_mm2` gives the Reynolds numbers and `piece` the pairs of connected
 * openings. time_s is NaN if no such row has inflow. */
readouts_peak extremes_peak(int n, const place *p, const case_file *c, const monitors *m, double period_s);
#endif
