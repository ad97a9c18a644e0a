/* SPDX-License-Identifier: Apache-2.0 */
/* Resistances and Windkessels at openings (OPENINGS.md, eq. 20 to 24). A port is an opening with a prescribed or modelled
 * pressure. A network of all ports gives pressures and flows in time: each port has its model and the inertia and
 * friction of the vessel in front of it, and all ports share the pressure of one node. Flows are positive out of the
 * fluid, also at inlets. SI units. */
#ifndef PORTAFLOW_OPENING_MODEL_H
#define PORTAFLOW_OPENING_MODEL_H
#include <stdbool.h>

enum { OPENING_PORTS = 256 };

typedef struct {
    bool modelled;             /* false: prescribed pressure behind_pa */
    double behind_pa;          /* distal, source or prescribed pressure */
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
    int level; /* port whose pressure the lattice takes as 0: the first prescribed one, otherwise port 0 */
    bool pulsatile;
} opening_network;

/* State of a network. pending_pa: shift of stored_pa that is still to be applied in this cycle. */
typedef struct {
    double flow_m3_s[OPENING_PORTS], pressure_pa[OPENING_PORTS];
    double stored_pa[OPENING_PORTS]; /* pressure of the capacitance */
    double loss_pa[OPENING_PORTS];   /* pressure difference from node to port that vessel_pa_s_m3 does not explain */
    double begin_pa[OPENING_PORTS], pending_pa[OPENING_PORTS]; /* stored_pa at the start of the cycle; see above */
    double supply_m3_s;             /* difference of the measured from the prescribed supply */
    double given_pa[OPENING_PORTS]; /* pressures of the last step, relative to the pressure of `level` */
    double set;                     /* 1: the state has been started */
} opening_state;
enum { OPENING_STATE = sizeof(opening_state) / sizeof(double) }; /* the state as an array of double */

/* Resistance of a port in steady flow; 0 for a prescribed pressure. */
double opening_port_resistance(const opening_port *p);
/* Pressure of a port in steady flow. */
double opening_port_pressure(const opening_port *p, double flow_m3_s);

/* Steady flow of the network for a supply: the sum of all prescribed flows into the fluid. */
void opening_network_steady(const opening_network *w, double supply_m3_s, opening_state *s);
/* Sets a steady state with these measured flows [n]. */
void opening_network_start(const opening_network *w, const double *flow_m3_s, opening_state *s);
/* Advances by dt_s to a time with this supply (eq. 21 to 23). cycle_part: part of the cycle that has passed at the end,
 * 0 to 1, and cycle_before at the start; only for pulsatile networks. */
void opening_network_step(const opening_network *w, double supply_m3_s, double dt_s, double cycle_before,
                          double cycle_part, opening_state *s);
/* Draws the network towards measured flows [n], dt_s after the last call, with the time constant observer_s (eq. 24). */
void opening_network_observe(const opening_network *w, const double *flow_m3_s, double dt_s, double observer_s,
                             opening_state *s);
/* End of a cycle. Predicts the periodic pressure of each capacitance and sets pending_pa. Returns the largest distance
 * of a stored pressure from the periodic one, over its distance from behind_pa. */
double opening_network_cycle(const opening_network *w, double period_s, opening_state *s);
/* Largest difference of measured flows [n] from the flows of the network, over the largest flow. */
double opening_network_error(const opening_network *w, const double *flow_m3_s, const opening_state *s);
/* Replaces *s by the sum of weight[k] times state[k], k < n. */
void opening_state_combine(int n, const double *weight, const opening_state *state, opening_state *s);
#endif
