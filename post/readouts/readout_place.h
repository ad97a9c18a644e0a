/* SPDX-License-Identifier: Apache-2.0 */
/* An opening or a section with its pressure and flow, and the check whether its flow can be laminar. */
#ifndef PORTAFLOW_POST_READOUTS_READOUT_PLACE_H
#define PORTAFLOW_POST_READOUTS_READOUT_PLACE_H
#include "common/case/case.h"
#include <stdbool.h>

typedef struct {
    const char *name;
    int role;  /* role of an opening (enum lattice_role); -1: the place is a section */
    int piece; /* piece of the lumen (piece.h); -1: unknown */
    /* NaN: unknown. Flow of an opening: positive in the direction of its role. Flow of a section: positive along its
     * normal. */
    double area_mm2, flow_ml_s, mean_velocity_m_s, pressure_pa;
    /* Reynolds number (readout_place_reynolds); NaN: unknown */
    double reynolds;
    /* only for a section: largest velocity, and flow opposite to the main direction (flow_section.h); NaN: unknown */
    double velocity_max_m_s, backflow_ml_s;
    bool flow_given, pressure_given; /* flow_given: the case prescribes the flow; pressure_given: the case prescribes
                                      * the pressure */
    double inflow_share;             /* collateral outlet: its flow over all inflows; NaN: not collateral */
    bool collateral;                 /* outlet whose blood does not reach the liver */
    char model[CASE_MODEL];          /* resistance, Windkessel or split of an opening (case_write_model); "": none */
    bool behind_given;               /* true: the opening has a resistance or Windkessel */
    double behind_pa;                /* if behind_given: pressure at the far end of this model */
    double flow_error_ml_s;          /* half-width of the 95 % interval of a prescribed flow; 0: exact */
    /* wall shear stress around a section; TAWSS in a pulsatile flow; NaN: unknown */
    double wss_mean_pa, wss_max_pa;
} place;

/* the place with this name; NULL: there is none */
const place *readout_place_find(int n, const place *p, const char *name);

/* Reynolds number of a section: density * |mean velocity| * D / viscosity, D = 2 sqrt(area / pi). The viscosity is the
 * viscosity at the wall (viscosity_law_wall_pa_s). SI units except area_mm2. NaN if an argument is NaN. */
double readout_place_reynolds(double area_mm2, double mean_velocity_m_s, double density_kg_m3,
                              const viscosity_law *law);

/* Reynolds number above which a warning is given. Steady: 2040, where turbulence becomes sustained in a straight pipe
 * (Avila et al. 2011). Pulsatile, for the mean over the cycle: 1000, our choice, since pulsatile flow in curved or
 * uneven vessels becomes unsteady at lower Reynolds numbers (Xu et al. 2020). */
double readout_place_reynolds_limit(bool pulsatile);

/* The place with the largest Reynolds number; NULL: none is known. */
const place *readout_place_fastest(int n, const place *p);

/* Warns if the largest Reynolds number of the places exceeds the limit. fastest: Reynolds number at the largest
 * velocity inside the vessel, which may be in a stenosis between openings with slower flow; NaN: unknown. averaged: the
 * values are time averages of an unsteady flow. */
void readout_place_warn_turbulent(int n, const place *p, double fastest, bool pulsatile, bool averaged);
#endif
