/* What the openings prescribe: from the case's words to one lattice value per opening and step. */
#ifndef PORTAFLOW_BOUNDARY_VALUES_H
#define PORTAFLOW_BOUNDARY_VALUES_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "common/waveform/waveform.h"
#include "solve/core/domain.h"
#include "solve/core/scale.h"

typedef struct {
    int n;                       /* openings, in the order of the lattice */
    const case_opening **from;   /* [n] the case's opening of the same name (borrowed) */
    domain_condition *condition; /* [n] for domain_create; moving walls in m/s */
    waveform *wave;              /* [n], n = 0 knots where there is none */
    double *mean_m3_s;           /* [n] into the fluid, steady or mean over the cycle; 0 where no flow is given */
    double *largest_m3_s;        /* [n] into the fluid, of largest size in time: case_flow_m3_s */
    /* largest velocity to expect anywhere: profile peaks at the inlets, the inflow through all pressure outlets, moving
     * walls, and the body force balanced by viscosity in the widest passage */
    double fastest_m_s;
    double *setback_pa_s_m3; /* [n] pressure per flow that a developed flow loses between the opening's plane and where
                                the lattice has its pressure: boundary_values_set_back, 0 before */
    double reference_pa;     /* of the first pressure opening: the solver works with differences to it */
    int rest;                /* opening whose flow is the rest of the others': below; -1 */
    double period_s;         /* of one cycle of the run: solve.period or the waveforms'; 0 when no waveform */
    double beat_s;           /* the shortest period of a waveform */
    bool from_mean;          /* the run begins with the mean flow, not at rest: flows go from there to their course */
} boundary_values;

/* Matches the lattice's openings with the case's by name and reads the waveforms. radius_m: of the widest passage.
 * Errors: ERR_INPUT (an opening is missing on either side, waveforms whose periods do not fit), ERR_RESOURCE, those of
 * waveform_read. Test: tests/unit/solve/test_boundary_values.c */
MUST_CHECK int boundary_values_create(const case_file *c, const lattice *l, double radius_m, boundary_values *g);
void boundary_values_free(boundary_values *g);

/* An inlet whose pressure is given brings no profile along, and what given flows draw through it settles slowly. Where
 * its flow follows (case_rest; above 0) it is an opening of that flow in place of the outlet that takes most, which is
 * one of pressure 0; all pressures are then shifted so that the inlet's, density [n] its lattice pressures (those of
 * the openings' planes), is the given one. Pressure where the lattice's is 0: */
double boundary_values_reference_pa(const boundary_values *g, const scale *s, const double *density);

/* Of a lattice with the condition of g, interpolated walls: 32 mu U / D_h^2 over domain_opening.setback (D_h the
 * hydraulic diameter: exact in a circle, a fifth too much in a flat ellipse). Not of on_site openings. */
void boundary_values_set_back(boundary_values *g, const lattice *l, const domain *d, double viscosity_pa_s);

/* From 0 to 1 at part = 1 and beyond, without jumps of its slope and of the slope's: such make sound. */
double boundary_values_rise(double part);

/* given [n] for the step that starts at `time_s`, lattice units; ramp_s: time over which flows
 * rise from rest, or leave their mean (from_mean), 0: at once. */
void boundary_values_at(const boundary_values *g, const scale *s, double ramp_s, double time_s,
                        prescribed_value *given);
#endif
