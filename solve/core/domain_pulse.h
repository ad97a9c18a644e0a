/* SPDX-License-Identifier: Apache-2.0 */
/* Pulse profiles (opening_pulse.h) at the links of the flow openings. */
#ifndef PORTAFLOW_DOMAIN_PULSE_H
#define PORTAFLOW_DOMAIN_PULSE_H
#include "solve/core/domain.h"

/* Sets the members of d that hold pulse profiles, for the conditions with pulse profiles. The links of d have their
 * final weights. A pulse profile gets no flow: its flow over the links is subtracted with the steady profile. Errors:
 * ERR_RESOURCE, and errors of parts->sum. Test: tests/unit/solve/test_pulse_inlets.c */
MUST_CHECK int domain_pulse_create(const lattice *l, const domain_share *parts, const domain_condition *condition,
                                   domain *d);
/* Copies the pulse profiles of `from`, whose links d has. Errors: ERR_RESOURCE. */
MUST_CHECK int domain_pulse_copy(const domain *from, domain *d);

/* Density deviation in eq. 12 caused by the momentum of the pulse profiles of opening k, beside domain_opening.carried.
 * flow: of the opening; given: prescribed values of the step, with d->n_pulse > 0. */
double domain_pulse_carried(const domain *d, int k, double flow, const prescribed_value *given);
#endif
