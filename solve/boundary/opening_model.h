/* SPDX-License-Identifier: Apache-2.0 */
/* Resistances and Windkessels at openings (OPENINGS.md, eq. 20 to 24). A port is an opening with a prescribed or
 * modelled pressure. All ports are connected to one node and form a network, which gives pressures and flows in time.
 * Each port has its model, and the inertia and friction of the vessel between node and port. Flows are positive out of
 * the fluid, also at inlets. SI units. */
#ifndef PORTAFLOW_OPENING_MODEL_H
#define PORTAFLOW_OPENING_MODEL_H
#include <stdbool.h>

enum { OPENING_PORTS = 256 };

typedef struct {
    bool modelled;             /* false: prescribed pressure behind_pa */
    double behind_pa;          /* pressure at the far end of the model (distal or source), or the prescribed pressure */
    double proximal_pa_s_m3;   /* Windkessel: proximal resistance; otherwise the resistance; 0 if not modelled */
    double capacitance_m3_pa;  /* Windkessel; 0: none */
    double distal_pa_s_m3;     /* Windkessel: distal resistance; otherwise 0 */
    double vessel_pa_s_m3;     /* estimated friction of the vessel between node and port */
    double inertance_pa_s2_m3; /* estimated inertia of the vessel between node and port */
} opening_port;

typedef struct {
    int n;                      /* number of ports; 0: no opening is modelled */
    int opening[OPENING_PORTS]; /* index of the opening in the lattice, ascending */
    opening_port port[OPENING_PORTS];
    int level; /* port whose pressure is density deviation 0 in the lattice: the first port with a prescribed
                * pressure, otherwise port 0 */
    bool pulsatile;
} opening_network;

/* State of a network. pending_pa: total shift of stored_pa that is spread over the first half of this cycle. */
typedef struct {
    double flow_m3_s[OPENING_PORTS], pressure_pa[OPENING_PORTS];
    double stored_pa[OPENING_PORTS]; /* pressure in the capacitance */
    double loss_pa[OPENING_PORTS];   /* pressure difference from node to port that is not due to the friction
                                      * vessel_pa_s_m3 */
    /* begin_pa: stored_pa at the start of the cycle, with the shift that was pending then */
    double begin_pa[OPENING_PORTS], pending_pa[OPENING_PORTS];
    double supply_m3_s; /* measured supply minus prescribed supply, in steady flow; supply: sum of the prescribed flows
                         * into the fluid */
    double given_pa[OPENING_PORTS]; /* pressures of the last step, relative to the pressure of `level` */
    double set;                     /* 1: the state is valid; 0: not yet started */
} opening_state;
enum { OPENING_STATE = sizeof(opening_state) / sizeof(double) }; /* the state as an array of double */

/* Resistance of a port in steady flow; 0 for a prescribed pressure. */
double opening_port_resistance(const opening_port *p);
/* Pressure of a port in steady flow. */
double opening_port_pressure(const opening_port *p, double flow_m3_s);

/* Steady flow of the network. supply: sum of all prescribed flows into the fluid. */
void opening_network_steady(const opening_network *w, double supply_m3_s, opening_state *s);
/* Starts from a steady state with the measured flows [n]. */
void opening_network_start(const opening_network *w, const double *flow_m3_s, opening_state *s);
/* Starts from the steady state of models that have changed since the flows and pressures [n] were measured. The losses
 * of the vessel are the measured ones. */
void opening_network_start_changed(const opening_network *w, const double *flow_m3_s, const double *pressure_pa,
                                   opening_state *s);
/* Advances the network by dt_s. supply: at the end of this time (eq. 20 to 22). Only for pulsatile networks:
 * cycle_before and cycle_part, 0 to 1, the parts of the cycle that have passed at the start and at the end. */
void opening_network_step(const opening_network *w, double supply_m3_s, double dt_s, double cycle_before,
                          double cycle_part, opening_state *s);
/* Moves the network towards the measured flows [n] with the time constant observer_s (eq. 23). dt_s: time since the
 * last call. */
void opening_network_observe(const opening_network *w, const double *flow_m3_s, double dt_s, double observer_s,
                             opening_state *s);
/* Call at the end of a cycle. Predicts how far the pressures of all capacitances together are from periodic, and sets
 * pending_pa (eq. 24). Returns the largest relative change that remains in a capacitance, over |stored pressure -
 * behind_pa|. */
double opening_network_cycle(const opening_network *w, double period_s, opening_state *s);
/* Largest difference between the measured flows [n] and the flows of the network, over the largest measured flow. */
double opening_network_error(const opening_network *w, const double *flow_m3_s, const opening_state *s);
/* Replaces *s by the sum of weight[k] times state[k], k < n. */
void opening_state_combine(int n, const double *weight, const opening_state *state, opening_state *s);
#endif
