/* SPDX-License-Identifier: Apache-2.0 */
/* A plane section of the vessel: area, flow, mean velocity and mean pressure.
 *
 * The plane may cut the lumen in several patches. The section is the patch nearest to the given point; it ends at
 * the wall. Integrals over its triangles are exact for quadratic fields (weight 3/4 at the centroid, 1/12 at each
 * corner). */
#ifndef PORTAFLOW_POST_FLOW_FLOW_SECTION_H
#define PORTAFLOW_POST_FLOW_FLOW_SECTION_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "post/sample/sampler.h"
#include <stdbool.h>

typedef struct {
    /* point in the plane; normal of the plane, given by the caller or computed */
    double point_mm[3], normal[3];
    double centroid_mm[3];                                      /* centroid of the patch */
    double area_mm2, flow_ml_s, mean_velocity_m_s, pressure_pa; /* NaN: not measured; flow: positive along the normal */
    double flow_vector_ml_s[3];                                 /* integral of the velocity over the area */
    double velocity_max_m_s;                                    /* highest speed at a point of the patch */
    /* kinetic energy of the flow per mass: integral of |u|^2 / 2 u.n over the integral of u.n; NaN: a quarter of
     * the flow or more runs against the main direction */
    double kinetic_m2_s2;
    double backflow_ml_s; /* flow opposite to the normal, as a number >= 0 */
    int opening;          /* index of the opening that cuts the patch; -1: none */
} flow_section;

/* Measures the section in the plane through `point` with unit normal `normal`. reach_mm: largest distance from the
 * point to the nearest part of the patch. Errors: ERR_INPUT (no lumen within reach_mm), ERR_RESOURCE. */
MUST_CHECK int flow_section_measure(const sampler *s, const fields *f, const double point_mm[3], const double normal[3],
                                    double reach_mm, flow_section *out);

/* Does the same as flow_section_measure with grid squares of step_mm instead of half a spacing. Also gives the
 * triangles of the patch, which the caller frees. */
MUST_CHECK int flow_section_measure_patch(const sampler *s, const fields *f, const double point_mm[3],
                                          const double normal[3], double reach_mm, double step_mm, flow_section *out,
                                          surface *patch);

/* Measures a section with a computed normal: the direction of the mean flow through the patch, iterated. If the flow
 * has no clear direction, the normal is the direction of the vessel (flow_section_vessel_axis), with the sign that
 * makes the flow positive. Errors: as flow_section_measure. */
MUST_CHECK int flow_section_measure_auto(const sampler *s, const fields *f, const double point_mm[3], double reach_mm,
                                         flow_section *out);

/* Direction of the vessel at a point. Wall normals have small components along the vessel. The direction is therefore
 * the eigenvector of the smallest eigenvalue of sum n n^T, over the cells within a spacing of the wall, up to a
 * distance of 1.5 times the wall distance of the point plus one spacing. Returns 0 if no wall is near. */
int flow_section_vessel_axis(const sampler *s, const double point_mm[3], double axis[3]);
#endif
