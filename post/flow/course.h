/* Pressure, area and flow along the vessel, from one opening to another.
 *
 * The sections are the level surfaces of the potential that is 0 at one opening, 1 at the other and has no gradient
 * through the wall and the other openings (laplace phi = 0). They meet the wall at right angles, follow every bend, and
 * where a branch leaves they close across its mouth. With s(phi) the distance along the course and V the volume,
 *
 *   area = sum |grad s| V / ds,   flow = sum u . grad s V / ds,   pressure = sum p |grad s| V / sum |grad s| V
 *
 * over the cells between two sections ds apart (co-area formula: Federer 1959). */
#ifndef PORTAFLOW_POST_FLOW_COURSE_H
#define PORTAFLOW_POST_FLOW_COURSE_H
#include "common/base/must_check.h"
#include "post/sample/sampler.h"

typedef struct {
    double distance_mm;                                         /* from the plane of the first opening */
    double area_mm2, flow_ml_s, mean_velocity_m_s, pressure_pa; /* flow positive from `from` to `to` */
} course_station;

typedef struct {
    int from, to; /* indices of openings */
    double length_mm;
    int n; /* 0: the two openings are not connected */
    course_station *station;
} course;

/* One course a pair (from, to) of openings: out [n]. Errors: ERR_RESOURCE, ERR_NUMERIC (the potential was not found);
 * what was made until then is the caller's to free. */
MUST_CHECK int course_make(const sampler *s, const fields *f, int n, const int (*pair)[2], course *out);
void course_free(course *c); /* safe on a zeroed struct */

/* Which pairs are worth a course: the inlet with the largest flow to every outlet, and every other inlet to the outlet
 * with the largest flow. flow_ml_s [n_opening], NaN taken as 0. pair [n_opening][2] out; returns how many. */
int course_pairs(const lattice *l, const double *flow_ml_s, int (*pair)[2]);
#endif
