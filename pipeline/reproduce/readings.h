/* SPDX-License-Identifier: Apache-2.0 */
/* Readouts of a computed case with their intervals, from out/post/readouts.json. */
#ifndef PORTAFLOW_READINGS_H
#define PORTAFLOW_READINGS_H
#include "pipeline/reproduce/study_case.h"

enum { READINGS_MAX = 24, READINGS_NAME = 48, READINGS_TALLY_MAX = 2000 };
enum reading_kind { READING_DROP, READING_WSS_MEAN, READING_WSS_P99, READING_FLOW };

/* Pressures in Pa, flows in mL/s. NaN: no such number. */
typedef struct {
    enum reading_kind kind;
    char what[READINGS_NAME];     /* "IN to OUT" of a pressure drop; opening of a flow */
    double value;                 /* in the report; extrapolated if there are several grid levels */
    double finest;                /* on the finest lattice; the value if there is one grid level */
    double total, lattice, image; /* half-widths of the 95 % intervals: total, from the lattice, from the image */
    double order;                 /* observed order of convergence */
} reading;

typedef struct {
    int n, n_drop; /* n_drop: number of pressure drops, which come first */
    reading r[READINGS_MAX];
} readings;

/* Reads pressure drops, wall shear stress and, if there are two outlets or more, their flows. */
void readings_read(const study_case *t, readings *all);

/* Index of the largest pressure drop; 0 if there is none. */
int readings_largest_drop(const readings *all);

/* Counts of intervals; width [known]: their half-widths, in percent of the truth. */
typedef struct {
    int known, inside, without;
    double width[READINGS_TALLY_MAX];
} readings_tally;

/* Adds the interval value +- half; half NaN: there is none. Returns true if it contains the truth. */
bool readings_tally_add(readings_tally *t, double value, double truth, double half);
/* Part of the intervals that contain the truth, percent; 0 without intervals. */
double readings_tally_inside(const readings_tally *t);
/* Median half-width; NaN without intervals. Sorts the widths. */
double readings_tally_median(readings_tally *t);
#endif
