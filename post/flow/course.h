/* SPDX-License-Identifier: Apache-2.0 */
/* Pressure, area and flow along the vessel from one opening to another.
 *
 * The sections are level surfaces of a potential that is 0 at one opening and 1 at the other, without flux through the
 * wall and other openings (laplace phi = 0). They are perpendicular to the wall, follow every bend, and close across
 * the mouth of a branch. With the distance s(phi) along the vessel and the fluid volume V of a
 * cell (for the flow, V is the whole cell),
 *
 *   area = sum |grad s| V / ds,   flow = sum u . grad s V / ds,   pressure = sum p |grad s| V / sum |grad s| V
 *
 * over the cells between two sections ds apart (co-area formula: Federer 1959). */
#ifndef PORTAFLOW_POST_FLOW_COURSE_H
#define PORTAFLOW_POST_FLOW_COURSE_H
#include "common/base/must_check.h"
#include "post/sample/sampler.h"

typedef struct {
    /* distance from the plane of the first opening, along the vessel */
    double distance_mm;
    double area_mm2, flow_ml_s, mean_velocity_m_s, pressure_pa; /* flow: positive from opening `from` to opening `to` */
    bool porous; /* a cell of the section is in a porous region: flow and mean velocity are NaN */
} course_station;

typedef struct {
    int from, to; /* indices of the first and the last opening */
    double length_mm;
    int n; /* number of stations along the vessel; 0: the openings are not connected */
    course_station *station;
} course;

/* Compute one course per pair (from, to) of openings: out [n]. Errors: ERR_RESOURCE, ERR_NUMERIC (no convergence); the
 * caller frees the courses computed before the error. */
MUST_CHECK int course_make(const sampler *s, const fields *f, int n, const int (*pair)[2], course *out);
void course_free(course *c); /* safe on a zeroed struct */

/* A rise of the pressure in the direction of the flow. */
typedef struct {
    double from_mm, to_mm; /* distances along the course */
    double rise_pa;        /* 0: none */
} course_rise;

/* Finds the largest pressure rise between two stations between which the blood slows down. COURSE_KINETIC_MOST is the
 * factor of a parabolic profile. A rise is omitted if it exceeds this factor times the difference of density v^2 / 2
 * (v: mean velocity), because the dynamic pressure does not explain it. */
#define COURSE_KINETIC_MOST 2.0
course_rise course_find_rise(const course *c, double density_kg_m3);
/* Writes the sentence that explains the rise r of the course between the openings named from and to. */
void course_explain_rise(const course_rise *r, const char *from, const char *to, size_t size, char *text);

/* Chooses the pairs of openings for which courses are computed. The inlet with the largest flow is paired with every
 * outlet. Every other inlet is paired with the outlet of largest flow. flow_ml_s [n_opening], NaN counts as 0. pair
 * [n_opening][2] out; returns the number of pairs. */
int course_pairs(const lattice *l, const double *flow_ml_s, int (*pair)[2]);
#endif
