/* SPDX-License-Identifier: Apache-2.0 */
/* The cross-section of the fluid in a plane: the connected piece around a point, on a square grid of nodes.
 *
 * node (i, j) at point + (i - n/2) step u + (j - n/2) step v,   n odd, u, v, normal right-handed and of unit length
 *
 * If the plane is on a wall (a moving wall, or an opening on the end of a closed box), the field is sampled half a cell
 * further inside. Test: tests/unit/mesh/test_cross_section.c */
#ifndef PORTAFLOW_CROSS_SECTION_H
#define PORTAFLOW_CROSS_SECTION_H
#include "common/base/must_check.h"
#include "mesh/section/lumen_box.h"

enum section_node {
    SECTION_WALL,   /* solid, and not near the connected piece */
    SECTION_INSIDE, /* in the connected piece of fluid */
    SECTION_NEAR,   /* solid, within three cells of the connected piece, and nearer to it than to other fluid */
    SECTION_OTHER   /* fluid that is not connected with the piece within the plane */
};

typedef struct {
    double point[3], normal[3], u[3], v[3]; /* the plane (point, normal) and its axes u and v, LPS */
    /* distance behind the plane, towards the fluid, at which the field is sampled, mm */
    double sink_mm;
    double step_mm;
    int n;              /* number of nodes along each side of the grid */
    float *distance_mm; /* [n][n] distances to the wall, u fastest; with periodic axes also to the faces of the box */
    uint8_t *node;      /* [n][n] kind of each node, enum section_node */
    uint8_t *face;      /* [n][n] 1: the node is beyond a periodic face of the box */
    /* area and perimeter by linear interpolation between nodes; only wall counts as perimeter */
    double area_mm2, perimeter_mm;
    double centre_mm[3]; /* centroid of the piece, on the plane, LPS */
    double extent_mm;    /* largest distance from the point to a node of the piece */
} section;

/* Find and measure the cross-section of an opening; messages hold its name. Errors: ERR_INPUT (the point is not in the
 * fluid; the piece reaches a face of the box that is not periodic, or extends beyond radius_mm), ERR_RESOURCE. */
MUST_CHECK int section_create(section *s, const voxelize_input *in, const mesh_opening *opening);
void section_free(section *s);

/* Measure the piece around `point` (in the fluid) within half_mm, without a check of the box. reaches_rim: the piece
 * extends further. `s` is zeroed or an earlier result, which is freed. Errors: ERR_RESOURCE. */
MUST_CHECK int section_measure_at(section *s, const voxelize_input *in, const double point[3], const double normal[3],
                                  double half_mm, double step_mm, bool *reaches_rim);

/* True if the step from a to b crosses the plane outwards, in the piece or in the wall near it. *q in (0, 1]: fraction
 * of the step up to the plane. A centre on the plane counts as beyond it. */
bool section_cuts(const section *s, double spacing_mm, const double a[3], const double b[3], double *q);
/* Quick check: whether a step of one link from p can cross the plane inside the piece. */
bool section_is_near(const section *s, double spacing_mm, const double p[3]);

/* The first opening that the step from a to b crosses outwards, -1: none. *q as in section_cuts. */
int section_first_cut(const voxelize_input *in, const section *sections, const double a[3], const double b[3],
                      double *q);
/* True if p is close enough to an opening for section_first_cut to find one. */
bool section_any_near(const voxelize_input *in, const section *sections, const double p[3]);

/* True if the projection of p along the normal is in the piece; *height_mm is the height of p above the plane. */
bool section_covers(const section *s, const double p[3], double *height_mm);

/* computes the point at which node i, j samples the field */
void section_position(const section *s, double i, double j, double lps_mm[3]);
/* computes the position i, j of the projection of a point, in nodes of the grid */
void section_coordinates(const section *s, const double lps_mm[3], double *i, double *j);

/* Set area, perimeter and centre from the nodes; section_create calls it. In section_measure.c */
void section_measure(section *s);
/* Integral over the piece, in value * mm2. `value` [n][n] is given at the nodes, zero at the wall, linear between
 * nodes; beyond a periodic face it continues unchanged. In section_measure.c */
double section_integral(const section *s, const double *value);
#endif
