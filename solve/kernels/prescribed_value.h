/* SPDX-License-Identifier: Apache-2.0 */
/* Prescribed value of one opening in one step, lattice units. The opening's kind (domain_kind) selects the member. All
 * members have the size of a double, so that kernels read an array with one load each. */
#ifndef PORTAFLOW_PRESCRIBED_VALUE_H
#define PORTAFLOW_PRESCRIBED_VALUE_H

typedef union {
    double flow;       /* DOMAIN_FLOW: into the fluid, cells^3 per step */
    double pressure;   /* DOMAIN_PRESSURE: density difference 3 (p - p_reference) */
    double wall_speed; /* DOMAIN_MOVING_WALL: cells per step; multiplies domain_condition.velocity */
} prescribed_value;
#endif
