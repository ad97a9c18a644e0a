/* SPDX-License-Identifier: Apache-2.0 */
#include "data/phantom/pulse.h"
#include "common/base/file.h"
#include <math.h>
#include <stdio.h>

enum { STEPS = 43 };

double pulse_period_s(int kind) {
    return kind == PULSE_VENOUS ? 0.86 : 0.9;
}

/* Venous flow over its mean: maximum at 0.07 s, minimum at 0.62 s [shang2023, section 3.2], 15 % above and below the
 * mean, cosine in between. */
static double venous_flow(double t) {
    const double peak = 0.07, low = 0.62, period = pulse_period_s(PULSE_VENOUS);
    const double since = fmod(t - peak + period, period), fall = low - peak;
    const double phase = since < fall ? since / fall : 1 + (since - fall) / (period - fall);
    return 1 + 0.15 * cos(M_PI * phase);
}

static double periodic_gaussian(double t, double centre, double width) {
    double sum = 0;
    for (int cycle = -1; cycle <= 1; cycle++) {
        const double z = (t - centre + cycle * pulse_period_s(PULSE_ARTERIAL)) / width;
        sum += exp(-z * z / 2);
    }
    return sum;
}

/* Reynolds number of the arterial flow: steady flow plus a systolic and a smaller dicrotic wave. 533 at the peak (0.17
 * s), and the minimum of 100 at 0.77 s, before the next systolic wave [wang2015, section 3]. */
static double arterial_flow(double t) {
    return 100 + 433 * (periodic_gaussian(t, 0.17, 0.055) + 0.22 * periodic_gaussian(t, 0.45, 0.06));
}

static double arterial_mean(void) {
    enum { SAMPLES = 1000 };
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++)
        sum += arterial_flow(pulse_period_s(PULSE_ARTERIAL) * i / SAMPLES);
    return sum / SAMPLES;
}

double pulse_value(int kind, double time_s) {
    return kind == PULSE_VENOUS ? venous_flow(time_s) : arterial_flow(time_s) / arterial_mean();
}

int pulse_write(int kind, double mean_ml_s, const char *path) {
    char text[64 * (STEPS + 3)];
    int used = snprintf(text, sizeof text, "t_s,flow_ml_s\n");
    for (int i = 0; i <= STEPS; i++) {
        const double t = pulse_period_s(kind) * i / STEPS;
        used += snprintf(text + used, sizeof text - (size_t)used, "%.4f,%.4f\n", t,
                         mean_ml_s * pulse_value(kind, i == STEPS ? 0 : t));
    }
    return file_write(path, text, (size_t)used);
}
