/* SPDX-License-Identifier: Apache-2.0 */
/* Error of mean pressure drops by the pulsation of the flow. It matters if the flow varies by more than its mean, as
 * with reverse flow. Two causes on the lattice: the mean momentum flux of the pulsation grows along the vessel
 * (womersley_growth), and numerical friction takes more at the peak than it gives back later. */
#ifndef PORTAFLOW_PULSE_ERROR_H
#define PORTAFLOW_PULSE_ERROR_H
#include "common/base/must_check.h"
#include "solve/boundary/boundary_values.h"

/* True if the flow of the waveform differs from its mean, at some time, by more than the size of the mean. */
bool pulse_error_varies(const waveform *w);

/* Fails with ERR_INPUT if the case is pulsatile, uses cumulants and has a waveform that pulse_error_varies. Measured in
 * an oblique tube of 16 cells per diameter, flow (1 + 5 cos) of its mean: -17 % of the friction at tau 0.508, +49 % at
 * 0.504. Other errors: as waveform_read. */
MUST_CHECK int pulse_error_check_cumulants(const case_file *c);

/* Friction loss of the mean flow, Pa: the largest of all openings, each in a straight pipe of the opening's diameter to
 * the farthest opening. */
double pulse_error_friction_pa(const case_file *c, const lattice *l, const boundary_values *g);

typedef struct {
    double spacing_m; /* 0: error by the speed of sound alone */
    double angle;     /* omega L / c_s (scale.h) */
    bool regularized;
} pulse_lattice;

/* Error of mean pressure drops by the waveform of opening k, Pa, an upper limit of its size in a straight pipe of the
 * opening's diameter; 0 without a waveform.
 * F: friction loss in this pipe; Q0: mean flow; Qmax: largest |Q|; < >: mean over the cycle.
 *   rho womersley_growth / area^2  +  1.5 resolution_friction(Qmax) F((|<Q^3>| - |Q0|^3) / Qmax^2) */
double pulse_error_pa(const case_file *c, const lattice *l, const boundary_values *g, int k, const pulse_lattice *on);

/* Largest phase lag of sound, omega L / c_s, that changes each mean pressure drop by 3 % of the friction of the mean
 * flow or less. It is limited to the range SCALE_SOUND_ANGLE to SCALE_SOUND_MOST. */
double pulse_error_sound_angle(const case_file *c, const lattice *l, const boundary_values *g);
#endif
