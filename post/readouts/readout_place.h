/* A place where pressure and flow are known, an opening or a section, and whether the flow through it can be laminar. */
#ifndef PORTAFLOW_POST_READOUTS_READOUT_PLACE_H
#define PORTAFLOW_POST_READOUTS_READOUT_PLACE_H
#include <stdbool.h>

typedef struct {
    const char *name;
    int role;                                                   /* enum lattice_role of an opening, -1: a section */
    int piece;                                                  /* of the lumen (piece.h), -1: not known */
    double area_mm2, flow_ml_s, mean_velocity_m_s, pressure_pa; /* NaN: not known. Flow positive in the role's
                                                                   direction, at a section along its normal */
    double reynolds;                        /* of the mean velocity (readout_place_reynolds); NaN: not known */
    double velocity_max_m_s, backflow_ml_s; /* of a section (flow_section.h); NaN: not known */
    bool flow_given, pressure_given;        /* by the case */
    double wss_mean_pa, wss_max_pa; /* on the wall round a section, TAWSS when it is an average; NaN: not known */
} place;

const place *readout_place_find(int n, const place *p, const char *name); /* NULL: none */

/* Reynolds number of a section: density * |mean velocity| * D / viscosity, D = 2 sqrt(area / pi). SI but area_mm2.
 * NaN where one of them is. */
double readout_place_reynolds(double area_mm2, double mean_velocity_m_s, double density_kg_m3, double viscosity_pa_s);

/* The Reynolds number above which a warning is given. Steady: 2040, from which turbulence is sustained in a straight
 * pipe (Avila et al. 2011). Pulsatile, of the mean over the cycle: 1000, our choice of half of that, for pulsating flow
 * through vessels that are bent or uneven becomes unsteady at lower Reynolds numbers (Xu et al. 2020). */
double readout_place_reynolds_limit(bool pulsatile);

/* The place with the largest Reynolds number; NULL: none has one. */
const place *readout_place_fastest(int n, const place *p);

/* Warns of the place whose Reynolds number is the furthest above the limit, or of the fastest place inside the vessel
 * (`fastest`, its Reynolds number, NaN: not known), which a narrowing behind quiet openings is. `averaged`: values are
 * means of a flow that is unsteady. */
void readout_place_warn_turbulent(int n, const place *p, double fastest, bool pulsatile, bool averaged);
#endif
