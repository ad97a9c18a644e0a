/* What one opening prescribes in one step, lattice units. The opening's kind (domain_kind) says which member holds; all
 * members have the size of one double, so that kernels read an array of them with one load. */
#ifndef PORTAFLOW_PRESCRIBED_VALUE_H
#define PORTAFLOW_PRESCRIBED_VALUE_H

typedef union {
    double flow;       /* DOMAIN_FLOW: into the fluid, cells^3 per step */
    double pressure;   /* DOMAIN_PRESSURE: as a density, 3 p, relative to the reference */
    double wall_speed; /* DOMAIN_MOVING_WALL: unit of the condition's velocity, cells per step */
} prescribed_value;
#endif
