/* SPDX-License-Identifier: Apache-2.0 */
/* Boundary values: converts the conditions of the case to one lattice value per opening and time step. */
#ifndef PORTAFLOW_BOUNDARY_VALUES_H
#define PORTAFLOW_BOUNDARY_VALUES_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "common/waveform/waveform.h"
#include "solve/core/domain.h"
#include "solve/core/scale.h"
#include "solve/boundary/opening_model.h"

/* Pulse profiles of an opening (pulse_inlets.h). */
typedef struct {
    opening_pulse profile;
    int n_harmonic;
    /* [n_profile][n_harmonic][2] amplitudes of each profile, m3/s: its value at time t is the sum over harmonics h =
     * 1.. of c cos(h w t) - s sin(h w t), w = 2 pi / pulse_period_s */
    double *wave;
} boundary_pulse;

typedef struct {
    int n;                       /* number of openings, in the order of the lattice */
    const case_opening **from;   /* [n] opening of the case with the same name, borrowed */
    domain_condition *condition; /* [n] argument of domain_create; velocity of moving walls in m/s */
    waveform *wave;              /* [n] waveforms; 0 knots: none */
    /* [n] flow into the fluid, m3/s: the steady flow, or the mean over the cycle; 0 if no flow is prescribed */
    double *mean_m3_s;
    /* [n] flow into the fluid with the largest magnitude in the cycle, m3/s (case_flow_m3_s); NaN: none */
    double *largest_m3_s;
    /* Expected largest velocity anywhere, the largest of five estimates: profile peaks of the prescribed flows; twice
     * the prescribed inflow divided by the area of all pressure openings; moving walls; the flow that a pressure
     * difference causes; the flow that the body force causes in the widest cross-section. */
    double fastest_m_s;
    /* [n] pressure loss per flow of a developed flow between the plane of the opening and the outlet cells; 0 until
     * boundary_values_set_back sets it */
    double *setback_pa_s_m3;
    /* pressure at density deviation 0 at the start; the solver computes pressures relative to it */
    double reference_pa;
    /* index of the opening whose flow is the remainder of all other flows (see boundary_values_reference_pa); -1:
     * none */
    int rest;
    /* [n] share of the net prescribed flow that leaves through a split outlet (case_file.split); 0 for all other
     * openings, and for the split outlet with a pressure */
    double *share;
    opening_network network; /* modelled openings and all other pressure openings */
    opening_state initial;   /* steady state of the network for the mean flows */
    int n_pulse;             /* largest number of pulse profiles of an opening, domain.n_pulse; 0: none */
    boundary_pulse *pulse;   /* [n] pulse profiles of each opening */
    double pulse_period_s;   /* period of the pulse profiles (pulse_inlets.h); 0: there are none */
    double period_s;         /* length of one cycle: solve.period or the period of the waveforms; 0 without waveforms */
    double beat_s;           /* shortest period of a waveform */
    bool from_mean;          /* true: the run starts from the mean flow; false: from rest */
} boundary_values;

/* Matches the openings of the lattice with the openings of the case by name, and reads the waveforms. radius_m: radius
 * of the widest cross-section. Errors: ERR_INPUT (an opening is missing in case or lattice; periods of waveforms do not
 * fit), ERR_RESOURCE, and the errors of waveform_read. Test: tests/unit/solve/test_boundary_values.c */
MUST_CHECK int boundary_values_create(const case_file *c, const lattice *l, double radius_m, boundary_values *g);
void boundary_values_free(boundary_values *g);

/* Pressure in Pa that corresponds to density deviation 0 of the lattice. flow, density [n]: lattice flows and pressures
 * at the planes of the openings. In two cases it is not the prescribed pressure of an opening:
 *   steady flow with models    the opening `level` (opening_model.h) gets the pressure of its model at its flow
 *   case_balancing_inlet       an inlet with a prescribed pressure whose flow follows from the other prescribed flows.
 *                              It would have no profile and settle slowly, so the solver prescribes its flow, and
 *                              pressure 0 at the outlet with the largest prescribed outflow. The returned pressure
 *                              shifts all pressures so that the inlet has the prescribed pressure. */
double boundary_values_reference_pa(const boundary_values *g, const scale *s, const double *flow,
                                    const double *density);
/* Pressure of opening k at the start, Pa: prescribed, or from its model at the mean flow. 0 for all other openings. */
double boundary_values_pressure_pa(const boundary_values *g, int k);
/* Sum of the prescribed flows into the fluid, m3/s. given [n]: prescribed values of one step. */
double boundary_values_supply_m3_s(const boundary_values *g, const scale *s, const prescribed_value *given);
/* Factor, 0 to 1, by which all pressures are multiplied while the flow rises from rest. */
double boundary_values_pressure_part(const boundary_values *g, double ramp_s, double time_s);

/* Sets setback_pa_s_m3 = 32 mu U / D_h^2 times domain_opening.setback, divided by the flow. 32 mu U / D_h^2 is the
 * pressure loss per length at mean velocity U; D_h is the hydraulic diameter (exact in a circle, 19 % low in a flat
 * ellipse). Only for interpolated walls and openings that are not on-site. */
void boundary_values_set_back(boundary_values *g, const lattice *l, const domain *d, double viscosity_pa_s);

/* Smooth step: 0 at part = 0, 1 from part = 1 on. First and second derivative are continuous, because a jump would send
 * a sound wave through the lattice. */
double boundary_values_rise(double part);

/* Flow into the fluid that opening k prescribes, m3/s, without the rise. */
double boundary_values_flow_m3_s(const boundary_values *g, int k, double time_s);

/* Computes the boundary values of the step that starts at `time_s`. given [domain_given] out, lattice units. ramp_s:
 * duration of the rise from rest, or from the mean flow (from_mean); 0: no rise. */
void boundary_values_at(const boundary_values *g, const scale *s, double ramp_s, double time_s,
                        prescribed_value *given);
#endif
