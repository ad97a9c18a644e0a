/* A plane section of the vessel: area, flow, mean velocity and mean pressure.
 *
 * The section is the patch of the plane inside the lumen that is nearest to the given point; it ends at the wall.
 * Integrals over its triangles are exact for quadratic fields (value at the centroid 3/4, at the corners 1/12 each). */
#ifndef PORTAFLOW_POST_FLOW_FLOW_SECTION_H
#define PORTAFLOW_POST_FLOW_FLOW_SECTION_H
#include "common/base/must_check.h"
#include "post/sample/sampler.h"
#include <stdbool.h>

typedef struct {
    double point_mm[3], normal[3]; /* of the plane; the normal is what was given, or found */
    double centroid_mm[3];         /* of the patch */
    double area_mm2, flow_ml_s, mean_velocity_m_s, pressure_pa; /* NaN where not measured; flow positive along normal */
    double flow_vector_ml_s[3];                                 /* integral of the velocity over the area */
    double velocity_max_m_s;                                    /* highest speed in the patch */
    double backflow_ml_s;                                       /* what flows against the normal in parts of it, >= 0 */
    int opening;                                                /* index of an opening that cuts the patch, -1: none */
} flow_section;

/* Measure the plane through point with this unit normal. The patch must begin within reach_mm of the point.
 * Errors: ERR_INPUT (no lumen within reach), ERR_RESOURCE. */
MUST_CHECK int flow_section_measure(const sampler *s, const fields *f, const double point_mm[3], const double normal[3],
                                    double reach_mm, flow_section *out);

/* The same with the normal found: along the mean flow through the patch, iterated; where there is no clear flow
 * direction, along the vessel (the direction in which the wall's normals vary least), turned so that the flow is
 * positive. Errors: as flow_section_measure. */
MUST_CHECK int flow_section_measure_auto(const sampler *s, const fields *f, const double point_mm[3], double reach_mm,
                                         flow_section *out);

/* The direction of the vessel at a point from the wall round it: eigenvector of the smallest eigenvalue of the sum of
 * n n^T over the wall within 1.5 times the distance to it. Returns 0 when there is no wall near. */
int flow_section_vessel_axis(const sampler *s, const double point_mm[3], double axis[3]);
#endif
