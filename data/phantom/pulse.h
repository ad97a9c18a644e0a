/* Flow over one cycle for the phantoms' inlets. The courses are made up; their extremes follow
 * the papers (README.md). */
#ifndef PORTAFLOW_PULSE_H
#define PORTAFLOW_PULSE_H
#include "common/base/must_check.h"

enum pulse_kind { PULSE_VENOUS, PULSE_ARTERIAL };

double pulse_period_s(int kind);

/* Flow at a time of the cycle, relative to its mean over the cycle. */
double pulse_value(int kind, double time_s);

/* Write a waveform file "t_s,flow_ml_s" with that mean, the last row repeating the first. Errors: ERR_OUTPUT. */
MUST_CHECK int pulse_write(int kind, double mean_ml_s, const char *path);
#endif
