/* SPDX-License-Identifier: Apache-2.0 */
/* A flow with heat of the tests: the lattice, and what runs on it. */
#ifndef PORTAFLOW_TESTS_HEAT_FLOW_H
#define PORTAFLOW_TESTS_HEAT_FLOW_H
#include "tests/unit/solve/solve_flow.h"

typedef struct {
    lattice l;
    domain d;
    backend *b;
    heat_settings heat;
    backend_settings s;
} flow;

/* omega_minus of a diffusivity, with its partner. */
static inline void heat_diffusivity(heat_settings *h, double diffusivity) {
    h->omega_minus = 1 / (0.5 + 4 * diffusivity);
    h->omega_plus = 1 / (0.5 + 0.25 / (4 * diffusivity));
}

static inline void flow_close(flow *w) {
    backend_cpu.destroy(w->b);
    domain_free(&w->d);
    lattice_free(&w->l);
}
#endif
