/* SPDX-License-Identifier: Apache-2.0 */
/* The content of readouts.json in one struct; formed from the lattice, the fields and the results of solve. */
#ifndef PORTAFLOW_POST_READOUTS_READOUTS_H
#define PORTAFLOW_POST_READOUTS_READOUTS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/record/unfed_branches.h"
#include "post/flow/wall_heat.h"
#include "post/readouts/extremes.h"
#include "post/readouts/notes.h"
#include "post/readouts/perfusion.h"
#include "post/readouts/ppg.h"
#include "post/flow/flow_section.h"
#include "post/flow/solution.h"
#include "common/record/interval.h"
#include "post/wall/wall.h"
#include <cjson/cJSON.h>

enum { READOUTS_INPUT = 80 };

/* One number that may have an interval. */
typedef struct {
    double *value; /* the value itself, in the readouts */
    /* Three parts of the name, borrowed. what: such as "pressure drop". `of`: such as "SMV"; NULL: the whole vessel.
     * to: such as "PV"; NULL: the value belongs to one place. */
    const char *what, *of, *to;
} readouts_value;

typedef struct readouts {
    const char *case_name;
    bool pulsatile;
    int n_opening, n_section; /* numbers of places; in `place` the openings come first, then the sections */
    place *place;
    flow_section *section; /* [n_section] sections as measured */
    int n_drop;
    readouts_drop *drop;
    readouts_drop largest; /* largest pressure drop between two openings; from NULL: none */
    readouts_peak peak;    /* peak of a pulsatile flow; the caller of readouts_form sets it */
    int n_ppg;
    ppg *ppg;
    wall_statistics wss;            /* statistics of the wall shear stress; in a pulsatile flow of TAWSS */
    double tawss_mean_pa, osi_mean; /* NaN: the flow is steady */
    double velocity_max_m_s;
    int n_unfed;
    /* branches without flow; the caller of readouts_form sets them */
    unfed_branch unfed[UNFED_BRANCHES_MAX];
    char unfed_place[UNFED_BRANCHES_MAX][CASE_WHERE]; /* their places in the space of the case */
    wall_heat *heat;                                  /* heat through the walls, owned; NULL: the case has no heat */
    const perfusion *perfusion; /* perfusion of the liver, set by the caller of readouts_form, borrowed; NULL: none */
    const solution *solution;   /* the run's solution, borrowed */
    notes notes;
    notes exact; /* values of the case whose uncertainty no interval includes (notes_list_exact) */
    /* time of the instant that the readouts belong to; NaN: a steady flow, or averages over the cycle */
    double time_s;
    /* |sum of all flows| over the sum of the inflows */
    double flow_balance;
    int n_instant;
    struct readouts *instant; /* [n_instant] readouts of the requested instants, owned */
    int n_interval;
    /* [n_interval] values that have intervals, in the order of readouts_values, owned; NULL: there are no intervals */
    readouts_value *interval_of;
    interval *interval; /* [n_interval] intervals, owned */
    int n_input;
    char (*input_name)[READOUTS_INPUT]; /* [n_input] uncertain inputs, such as "wall", "flow PV", owned */
    /* [n_interval][n_input] change of each value, in the unit of the value, if one input rises by the half-width of its
     * 95 % interval; the input "wall" rises if the wall moves outwards. NaN: unknown. Owned */
    double *input_change;
    double pulse_pa; /* upper limit of the error of mean pressures by the pulsation of the flow (pulse_error_pa) */
    /* errors of means in sections, which are means over the stored instants; set by instants_take_sampling_error */
    double sampled_pa, sampled_ml_s;
    /* upper limit of the relative error of values without an interval, set by readouts_take_error_bound; 0: unknown */
    double off;
    bool blood_unknown; /* true: the blood model of the case is unknown, so intervals include the difference to
                         * shear-thinning blood */
    enum {
        OFF_NO_FLOW,
        OFF_SPLITS,
        OFF_FLOWS
        /* which flows and mean velocities have the relative error `off`. OFF_NO_FLOW: none. OFF_SPLITS: flows of
         * openings that share a flow that the case does not prescribe. OFF_FLOWS: all flows, because the case
         * prescribes no flow. */
    } off_flows;
} readouts;

/* Form openings (flow and pressure of solve, checked against a section just inside), sections, pressure drops and
 * gradients. `section_point_mm` [c->n_section][3] and `section_normal` (unit; ignored with normal_auto) are LPS. wss,
 * tawss_mean_pa, osi_mean and velocity_max_m_s stay NaN; the caller sets them. Warns if a section cannot be measured or
 * a check fails. *r borrows its names from `c` and `l`. Errors: ERR_RESOURCE. */
MUST_CHECK int readouts_form(const case_file *c, const sampler *s, const fields *f, const solution *run,
                             const double (*section_point_mm)[3], const double (*section_normal)[3], readouts *r);

/* Form the readouts of one instant, in the planes of the sections of `mean`: openings, sections, pressure drops; no
 * gradients, no warnings. `at`: flows and pressures of the openings at the instant (NaN: measured in a section just
 * inside); borrowed. Errors: ERR_RESOURCE. */
MUST_CHECK int readouts_form_instant(const case_file *c, const sampler *s, const fields *f, const readouts *mean,
                                     const solution *at, double time_s, readouts *r);

/* Adds statistics of the wall shear stress `value` [n_point], Pa: over the whole counted wall (r->wss), and around each
 * section, on the wall within one spacing of the plane of the section and within 1.5 radii plus one spacing of its
 * centroid. Errors: ERR_RESOURCE. */
MUST_CHECK int readouts_add_wss(const wall *w, double spacing_mm, const double *value, readouts *r);
/* Lists all values in a fixed order: area, flow, mean velocity and pressure of each place; the pressure drops and the
 * largest of all drops; terms and value of each gradient; mean and 99th percentile of WSS; the highest velocity. list
 * [returned]; NULL: only counts the values. */
int readouts_values(readouts *r, readouts_value *list);
/* The interval of a value of *r, found by its address; NULL: none. */
const interval *readouts_interval(const readouts *r, const double *value);
/* True if intervals from several lattices exist. False if only gradients have intervals, from the
 * uncertainty of the inputs. */
bool readouts_has_sequence(const readouts *r);
/* Sets pulse_pa and, also for the instants, off_flows and off: the error bound of the record of mesh, or if larger the
 * bound from the friction that solve found on a far too coarse lattice. r->off is limited to READOUTS_OFF_MOST, because
 * a larger bound would round a pressure drop of 4 Pa to 0. */
#define READOUTS_OFF_MOST 2.0
void readouts_take_error_bound(const case_file *c, const cJSON *mesh, const cJSON *solve, readouts *r);
/* Absolute error bound of a value of *r, in its unit; 0: prescribed exactly, has an interval, or unknown.
 *
 *   pressure drops, highest velocities             r->off times the value
 *   wall shear stress                              resolution_shear_bound(r->off) times the value
 *   pressures                                      r->off times the range of all pressures
 *   flows, mean velocities                         by off_flows; OFF_SPLITS: in proportion to the flow elsewhere
 *   all of these                                   combined with the interval g of the given flows, relative: g of
 *                                                  flows and velocities, (1 + g)^2 - 1 of pressures and stresses
 *   pressures and pressure drops of a pulse        in addition r->pulse_pa; in sections also r->sampled_pa
 *   highest values, wall around a section          relative interval of the related value, if intervals exist */
double readouts_off(const readouts *r, const double *value);
/* Absolute error of the flow or mean velocity of a section by its difference from the flow that the openings give it;
 * 0: none, or another value. */
double readouts_section_off(const readouts *r, const double *value);
/* True if *value is a mean pressure or pressure drop of *r that has the error r->pulse_pa. */
bool readouts_has_pulse_error(const readouts *r, const double *value);
/* Range of the pressures of openings and sections, Pa. Errors by numerical friction are proportional to this range. */
double readouts_pressure_range_pa(const readouts *r);
/* readouts_exact_pa: the part of a value that has no uncertainty. For a pressure it is the first prescribed pressure of
 * an opening, otherwise 0. readouts_follows: true if the value is the flow of an opening that follows from the
 * prescribed flows. Such a flow is equal on every lattice, up to errors of the flow balance. */
double readouts_exact_pa(const readouts *r, const double *value);
bool readouts_follows(const readouts *r, const case_file *c, const double *value);
enum { READOUTS_SHOWN = 64 };
/* Text of a diameter or Reynolds number of a place, or of a pressure drop on the finest lattice. It has the digits that
 * the intervals of area, mean velocity and pressure drop allow. */
const char *readouts_show_diameter(const readouts *r, const place *p, char text[READOUTS_SHOWN]);
const char *readouts_show_reynolds(const readouts *r, const place *p, char text[READOUTS_SHOWN]);
/* Formats the flow through the liver, mL/s, of a modelled term. */
const char *readouts_show_liver_flow(const readouts *r, const ppg *g, const ppg_term *t, char text[READOUTS_SHOWN]);
const char *readouts_show_finest(const readouts *r, const double *value, char text[READOUTS_SHOWN]);
/* Error bounds for values shown in pictures. readouts_off_wss and readouts_off_speed: relative; readouts_off_pressure:
 * Pa. */
double readouts_off_wss(const readouts *r);
double readouts_off_speed(const readouts *r);
double readouts_off_pressure(const readouts *r);
/* True if the interval of a portal pressure gradient of *r, or of its liver, is not symmetric, by the lobule law.
 * bound: its ends, Pa. The other parts of the interval add to both sides as squares. */
bool readouts_bounds_pa(const readouts *r, const double *value, double bound[2]);
/* Text of a value of *r times `scale`: with its interval, or without an interval with the digits that readouts_off
 * allows. */
const char *readouts_show(const readouts *r, const double *value, double scale, char text[READOUTS_SHOWN]);
void readouts_free(readouts *r); /* safe on a zeroed struct */

/* The object of readouts.json without its warnings; the caller calls cJSON_Delete. NULL: no memory. */
cJSON *readouts_json(const readouts *r);
#endif
