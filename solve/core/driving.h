/* What the openings prescribe: from the case's words to one lattice value per opening and step. */
#ifndef PORTAFLOW_DRIVING_H
#define PORTAFLOW_DRIVING_H
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "common/case/waveform.h"
#include "solve/core/domain.h"
#include "solve/core/scale.h"

typedef struct {
    int n;                       /* openings, in the order of the lattice */
    const case_opening **from;   /* [n] the case's opening of the same name (borrowed) */
    domain_condition *condition; /* [n] for domain_create; moving walls hold m/s until driving_scale */
    waveform *wave;              /* [n], n = 0 knots where there is none */
    double *flow_m3_s;           /* [n] steady value into the fluid (FLOW) */
    double *flow_peak_m3_s;      /* [n] largest magnitude over the period */
    double reference_pa;         /* of the first pressure opening: the solver works with differences to it */
    double period_s;             /* of one cycle of the run: solve.period or the waveforms'; 0 when no waveform */
    double beat_s;               /* the shortest period of a waveform */
    double ramp_s;               /* time over which flows rise from rest */
} driving;

/* Matches the lattice's openings with the case's by name and reads the waveforms.
 * Errors: ERR_INPUT (an opening is missing on either side, waveforms whose periods do not fit). */
int driving_create(const case_file *c, const lattice *l, driving *g);
void driving_free(driving *g);

/* Mean velocity of opening k at its largest flow, m/s. */
double driving_velocity_m_s(const driving *g, const lattice *l, int k);
/* Largest velocity to expect anywhere: profile peaks at the inlets, the inflow through all pressure outlets, moving
 * walls, and the body force balanced by viscosity in the widest passage (radius_m). */
double driving_reference_m_s(const driving *g, const lattice *l, const case_file *c, double radius_m);

/* Moving walls to lattice units; must be called before domain_create. */
void driving_scale(driving *g, const scale *s);
/* Mean/peak velocities become flows with the areas and profile peaks of the finished domain. */
void driving_flows(driving *g, const lattice *l, const domain *d);
/* value [n] for the step that starts at `time_s`. */
void driving_values(const driving *g, const scale *s, double time_s, double *value);
#endif
