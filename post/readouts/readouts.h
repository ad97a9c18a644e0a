/* Everything readouts.json says, in one struct; formed from the lattice, the fields and what solve reports. */
#ifndef PORTAFLOW_POST_READOUTS_READOUTS_H
#define PORTAFLOW_POST_READOUTS_READOUTS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "post/flow/wall_heat.h"
#include "post/readouts/notes.h"
#include "post/readouts/ppg.h"
#include "post/flow/flow_section.h"
#include "post/flow/solution.h"
#include "post/readouts/interval.h"
#include "post/wall/wall.h"
#include <cjson/cJSON.h>

typedef struct {
    const char *from, *to;
    double value_pa; /* NaN: not known */
} readouts_drop;

/* One number that may have an interval. */
typedef struct {
    double *value;              /* in the readouts */
    const char *what, *of, *to; /* "pressure drop", "SMV" (NULL: of the whole), "PV" (NULL: of no pair); borrowed */
} readouts_value;

typedef struct readouts {
    const char *case_name;
    bool pulsatile;
    int n_opening, n_section; /* place: openings first, then sections */
    place *place;
    flow_section *section; /* [n_section] */
    int n_drop;
    readouts_drop *drop;
    int n_ppg;
    ppg *ppg;
    wall_statistics wss;            /* of the steady WSS, or of TAWSS */
    double tawss_mean_pa, osi_mean; /* NaN: steady */
    double velocity_max_m_s;
    wall_heat *heat;          /* NULL: none; owned */
    const solution *solution; /* borrowed */
    notes notes;
    double time_s;       /* of an instant of the cycle; NaN: steady, or the averages over the cycle */
    double flow_balance; /* sum of the flows over the inflow, >= 0 */
    int n_instant;
    struct readouts *instant; /* [n_instant] the instants that the case asks for; owned */
    int n_interval;
    readouts_value *interval_of; /* [n_interval] as readouts_values lists them, owned; NULL: none were made */
    interval *interval;          /* [n_interval] owned */
    double off;                  /* readouts_take_error_bound: part by which numbers may be off; 0: nothing says so */
    enum {
        OFF_NO_FLOW,
        OFF_SPLITS,
        OFF_FLOWS
    } off_flows; /* and mean velocities, too: where several openings share
                                                              what the case leaves open, or where it gives no flow */
} readouts;

/* Openings (flow and pressure as solve measured them, checked against a section just inside), sections, pressure drops
 * and gradients. `section_point_mm` [c->n_section][3] and `section_normal` (unit; ignored where normal_auto) are LPS.
 * wss, tawss_mean_pa, osi_mean and velocity_max_m_s stay NaN for the caller to fill in. Warns when a section cannot be
 * measured or a check fails. Everything in *r borrows its names from `c` and `l`. Errors: ERR_RESOURCE. */
MUST_CHECK int readouts_form(const case_file *c, const sampler *s, const fields *f, const solution *run,
                             const double (*section_point_mm)[3], const double (*section_normal)[3], readouts *r);

/* The same at one instant, in the planes that `mean` found for the sections: openings, sections, pressure drops; no
 * gradients, no warnings. `at`: flows and pressures of the openings at that instant (NaN: they are read in a section
 * just inside); borrowed. Errors: ERR_RESOURCE. */
MUST_CHECK int readouts_form_instant(const case_file *c, const sampler *s, const fields *f, const readouts *mean,
                                     const solution *at, double time_s, readouts *r);

/* The wall shear stress, as `value` [n_point] on the wall: of the whole counted wall (r->wss) and round each section,
 * on the wall up to a spacing beside its plane. Errors: ERR_RESOURCE. */
MUST_CHECK int readouts_add_wss(const wall *w, double spacing_mm, const double *value, readouts *r);
/* All of them, in one order: of each place area, flow, mean velocity, pressure; the drops; the terms of each gradient
 * and its value; WSS mean and 99th percentile; the highest velocity. list [returned]; NULL: only count. */
int readouts_values(readouts *r, readouts_value *list);
/* The interval of a number of *r, by its address; NULL: it has none. */
const interval *readouts_interval(const readouts *r, const double *value);
/* What is known of numbers without an interval: r->off is what mesh's warning of the resolution says (may_be_off in
 * mesh.json), or solve's of a lattice that is far too coarse, READOUTS_OFF_MOST at the most, which leaves a number its
 * first digit: a drop of 4 Pa is not shown as 0. Of the instants, too. */
#define READOUTS_OFF_MOST 2.0
void readouts_take_error_bound(const case_file *c, const cJSON *mesh, const cJSON *solve, readouts *r);
/* How far a number of *r may be off, in its unit: r->off of drops, wall shear stress and velocities, of pressures so
 * much of what pressures differ by, of flows where none is given, of those that share what others leave open so much of
 * what goes another way than through there; 0 of what the case gives, of one that has an interval, and where nothing is
 * known. Of a highest value and of the wall round a section where others have intervals: as much of it as the interval
 * of the value most like it leaves open. */
double readouts_off(const readouts *r, const double *value);
/* What the pressures of openings and sections differ by, of which the lattice's friction is a part; Pa. */
double readouts_pressure_range_pa(const readouts *r);
/* The part of a number that intervals leave out: of a pressure the first that the case gives at an opening, beside
 * which it is known; else 0. Whether it is the flow of an opening that follows from those that the case gives: on
 * every lattice the same, to the flow balance. */
double readouts_exact_pa(const readouts *r, const double *value);
bool readouts_follows(const readouts *r, const case_file *c, const double *value);
enum { READOUTS_SHOWN = 64 };
/* A diameter or Reynolds number of a place, or a drop on the finest lattice, in the digits that the intervals of its
 * area, mean velocity and drop leave. Returns text. */
const char *readouts_show_diameter(const readouts *r, const place *p, char text[READOUTS_SHOWN]);
const char *readouts_show_reynolds(const readouts *r, const place *p, char text[READOUTS_SHOWN]);
const char *readouts_show_finest(const readouts *r, const double *value, char text[READOUTS_SHOWN]);
/* The same of values that are read off pictures: part of a wall shear stress or a speed, Pa of a pressure. */
double readouts_off_wss(const readouts *r);
double readouts_off_speed(const readouts *r);
double readouts_off_pressure(const readouts *r);
/* A number of *r times `scale`: with its interval, else in the digits that readouts_off leaves. Returns text. */
const char *readouts_show(const readouts *r, const double *value, double scale, char text[READOUTS_SHOWN]);
void readouts_free(readouts *r); /* safe on a zeroed struct */

/* The object of readouts.json without its warnings (cJSON_Delete by the caller). NULL: no memory. */
cJSON *readouts_json(const readouts *r);
#endif
