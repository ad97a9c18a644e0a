/* SPDX-License-Identifier: Apache-2.0 */
/* Inlet flow of the phantoms over one cycle. The curves are synthetic; their extremes are from papers (SOURCES.md). */
#ifndef PORTAFLOW_PULSE_H
#define PORTAFLOW_PULSE_H
#include "common/base/must_check.h"

enum pulse_kind { PULSE_VENOUS, PULSE_ARTERIAL };

double pulse_period_s(int kind);

/* Flow at a time of the cycle, relative to the mean. */
double pulse_value(int kind, double time_s);

/* Write the waveform as "t_s,flow_ml_s"; the last row repeats the first value. Errors: ERR_OUTPUT. */
MUST_CHECK int pulse_write(int kind, double mean_ml_s, const char *path);
#endif
