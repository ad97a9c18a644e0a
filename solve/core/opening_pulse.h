/* SPDX-License-Identifier: Apache-2.0 */
/* Pulse profiles of an opening: functions over its cross-section. The developed profile of a pulsatile flow is the
 * steady developed profile times the flow, plus the sum of the pulse profiles, each times a value that changes with time
 * (boundary/pulse_inlets.h). Node (i, j) is at centre + (i - n/2) step axis[0] + (j - n/2) step axis[1]. */
#ifndef PORTAFLOW_OPENING_PULSE_H
#define PORTAFLOW_OPENING_PULSE_H

enum { OPENING_PULSES = 8 }; /* largest number of pulse profiles of an opening */

typedef struct {
    int n_profile;
    int n;                           /* number of nodes along each side of the grid, odd */
    double centre_mm[3], axis[2][3]; /* LPS; the axes are unit vectors across the vessel */
    double step_mm;
    double *ratio;     /* [n_profile][n][n] pulse profile over the steady developed profile, u fastest */
    double *curvature; /* [n_profile][n][n] negative Laplacian of the pulse profile, per mm2 */
} opening_pulse;

/* Projects a point along the vessel; i, j: its position in nodes of the grid. */
void opening_pulse_coordinates(const opening_pulse *p, const double lps_mm[3], double *i, double *j);
/* Ratio and curvature of a profile at a point, linear between nodes. Beyond the grid: its border. */
void opening_pulse_at(const opening_pulse *p, int profile, const double lps_mm[3], double *ratio, double *curvature);
void opening_pulse_free(opening_pulse *p); /* safe on a zeroed struct */
#endif
