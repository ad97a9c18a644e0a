/* SPDX-License-Identifier: Apache-2.0 */
/* Cooling of a fluid in a tube, for verify:heat and the unit test of heat through openings. */
#ifndef PORTAFLOW_GRAETZ_H
#define PORTAFLOW_GRAETZ_H
#include <stdbool.h>

/* Integrates R'' + R'/r + (k Pe (1 - r^2) + k^2) R = 0 from R = 1 on the axis to the wall, r = 1 (Runge-Kutta); returns
 * R at the wall. along false: without the term k^2 (axial conduction). */
static inline double graetz_end(double k, double peclet, bool along) {
    enum { STEPS = 2000 };
    double y[2] = {1, 0};
    for (int n = 0; n < STEPS; n++) {
        const double part[4] = {0, 0.5, 0.5, 1}, h = 1.0 / STEPS;
        double slope[4][2], sum[2] = {0, 0};
        for (int m = 0; m < 4; m++) {
            const double r = (n + part[m]) * h, pull = k * peclet * (1 - r * r) + (along ? k * k : 0);
            const double a = y[0] + (m ? part[m] * h * slope[m - 1][0] : 0),
                         b = y[1] + (m ? part[m] * h * slope[m - 1][1] : 0);
            slope[m][0] = b;
            slope[m][1] = r > 0 ? -pull * a - b / r : -0.5 * pull * a;
            for (int i = 0; i < 2; i++)
                sum[i] += (m == 1 || m == 2 ? 2 : 1) * slope[m][i] * h / 6;
        }
        y[0] += sum[0];
        y[1] += sum[1];
    }
    return y[0];
}

/* Far from the inlet of a tube with constant wall temperature, the difference between fluid and wall temperature decays
 * as exp(-k x / R). Returns the smallest k; along: with axial conduction. Without axial conduction k Pe / 2 is the
 * Nusselt number 3.657 (Graetz 1885; Shah and London 1978). */
static inline double graetz(double peclet, bool along) {
    double low = 0, high = 12 / peclet;
    for (int n = 0; n < 60; n++) {
        const double middle = 0.5 * (low + high);
        if (graetz_end(middle, peclet, along) > 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}
#endif
