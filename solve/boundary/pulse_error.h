/* SPDX-License-Identifier: Apache-2.0 */
/* Error of mean pressure drops by the pulsation of the flow. It matters if the flow varies by more than its mean, as
 * with reverse flow. Two causes on the lattice: the mean momentum flux of the pulsation grows along the vessel
 * (womersley_growth), and numerical friction takes more at the peak than it gives back later. */
#ifndef PORTAFLOW_PULSE_ERROR_H
#define PORTAFLOW_PULSE_ERROR_H
#include "solve/boundary/boundary_values.h"

/* Friction loss of the mean flow, Pa: the largest of all openings, each in a straight pipe of the opening's diameter to
 * the farthest opening. */
double pulse_error_friction_pa(const case_file *c, const lattice *l, const boundary_values *g);

typedef struct {
    double spacing_m; /* 0: error by the speed of sound alone */
    double angle;     /* omega L / c_s (scale.h) */
    bool regularized, cumulant;
} pulse_lattice;

/* Error of mean pressure drops by the waveform of opening k, Pa, an upper limit in a straight pipe of the opening's
 * diameter; 0 without a waveform. F: friction loss in this pipe; Q0: mean flow; Qmax: largest |Q|; < >: mean over the
 * cycle.
 *   rho womersley_growth / area^2  +  1.5 resolution_friction(Qmax) F((|<Q^3>| - |Q0|^3) / Qmax^2) */
double pulse_error_pa(const case_file *c, const lattice *l, const boundary_values *g, int k, const pulse_lattice *on);

/* Largest omega L / c_s, SCALE_SOUND_ANGLE to SCALE_SOUND_MOST, for which the speed of sound changes no mean pressure
 * drop by more than 3 % of the friction of the mean flow. */
double pulse_error_sound_angle(const case_file *c, const lattice *l, const boundary_values *g);
#endif
