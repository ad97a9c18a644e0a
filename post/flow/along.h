/* SPDX-License-Identifier: Apache-2.0 */
/* Values along each branch, on planes across its centerline.
 *
 * A plane is limited to the connected piece of lumen round the centerline. There are no planes in bifurcations and next
 * to openings: planes of two branches would meet there, or the plane of the opening would cut the section. */
#ifndef PORTAFLOW_POST_FLOW_ALONG_H
#define PORTAFLOW_POST_FLOW_ALONG_H
#include "common/base/must_check.h"
#include "post/flow/branches.h"
#include "post/sample/sampler.h"
#include "post/wall/wall.h"

/* One plane; a value that was not computed is NaN. */
typedef struct {
    int branch;
    double arc_mm;                 /* arc length from the start of the branch */
    double point_mm[3], normal[3]; /* centre of the plane, on the centerline, LPS; unit normal, along the branch */
    double area_mm2, diameter_mm;  /* area of the section; diameter of the circle with this area */
    double flow_ml_s;              /* positive along the branch */
    double mean_velocity_m_s;      /* flow divided by area */
    double pressure_pa;            /* mean static pressure */
    double total_pressure_pa;      /* mean static pressure plus density times kinetic_m2_s2 of flow_section.h */
    double wss_mean_pa;            /* mean along the outline of the section */
    double wss_min_pa, wss_max_pa; /* smallest and largest value along the outline */
    bool porous;                   /* the plane is within 3 spacings of a porous region: flow, velocity, total pressure
                                    * and wall shear stress are NaN */
} along_station;

typedef struct {
    int n;
    along_station *station; /* [n] sorted by branch and arc length, owned */
} along_values;

/* Measures up to ALONG_STATIONS planes per branch, at least half a mean radius and 1.5 spacings apart. wss_pa
 * [w->shape.n_point]: magnitude of the wall shear stress, or its average over the cycle. Errors: ERR_RESOURCE. Test:
 * tests/unit/post/test_along.c */
enum { ALONG_STATIONS = 40 };
MUST_CHECK int along_measure(const sampler *s, const fields *f, const wall *w, const double *wss_pa,
                             double density_kg_m3, const vessel_branches *b, along_values *out);
void along_free(along_values *a); /* safe on a zeroed struct */
#endif
