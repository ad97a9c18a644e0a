/* The cross-section of the fluid in a plane: the connected piece round a point, on a square grid of nodes.
 *
 *   node (i, j) at point + (i - n/2) step u + (j - n/2) step v,   n odd, u, v, normal right-handed and of unit length
 *
 * With a plane that lies on a wall (a moving wall, or an opening on the end of a closed box) the section is looked at
 * half a cell further inside. Test: tests/unit/mesh/test_section.c */
#ifndef PORTAFLOW_CROSS_SECTION_H
#define PORTAFLOW_CROSS_SECTION_H
#include "common/base/must_check.h"
#include "mesh/section/lumen_box.h"

enum section_node {
    SECTION_WALL,   /* not in the fluid, and not near the piece */
    SECTION_INSIDE, /* the connected piece */
    SECTION_NEAR,   /* not in the fluid, within two cells of the piece, nearer to it than to any other fluid */
    SECTION_OTHER   /* fluid that is not connected to the piece within the plane */
};

typedef struct {
    double point[3], normal[3], u[3], v[3]; /* LPS */
    double sink_mm;                         /* how far inside the plane the field is looked at */
    double step_mm;
    int n;                         /* nodes a side */
    float *distance_mm;            /* [n][n] u fastest; with periodic axes also bounded by the faces of the box */
    uint8_t *node;                 /* [n][n] enum section_node */
    uint8_t *face;                 /* [n][n] 1: beyond a periodic face of the box */
    double area_mm2, perimeter_mm; /* by linear interpolation between nodes; the perimeter is the wall's */
    double centre_mm[3];           /* LPS, centroid, on the plane */
    double extent_mm;              /* largest distance of the piece from the point */
} section;

/* Find and measure. `name` is for messages. Errors: ERR_INPUT (the point is not in the fluid; the piece reaches a face
 * of the box that is not periodic, or beyond radius_mm), ERR_RESOURCE. */
MUST_CHECK int section_create(section *s, const voxelize_input *in, const mesh_opening *opening);
void section_free(section *s);

/* Only look: the piece round `point` (in the fluid) within half_mm, measured; reaches_rim: it goes on beyond. No check
 * of the box. `s` is zeroed or an earlier result, which is freed. Errors: ERR_RESOURCE. */
MUST_CHECK int section_look(section *s, const voxelize_input *in, const double point[3], const double normal[3],
                            double half_mm, double step_mm, bool *reaches_rim);

/* Where the step from a to b passes the plane outwards inside the piece or near it: *q in (0, 1], true. A centre on the
 * plane counts as beyond it. */
bool section_cuts(const section *s, double spacing_mm, const double a[3], const double b[3], double *q);
/* Could a step of one link from p meet the plane inside the piece? A quick test. */
bool section_is_near(const section *s, double spacing_mm, const double p[3]);

/* The first opening that the step from a to b passes outwards, -1: none. *q as in section_cuts. */
int section_first_cut(const voxelize_input *in, const section *sections, const double a[3], const double b[3],
                      double *q);
/* Is p near enough to an opening for section_first_cut to matter? */
bool section_any_near(const voxelize_input *in, const section *sections, const double p[3]);

/* Does p, moved along the normal, lie in the piece? Then *height_mm is how far outside the plane it is. */
bool section_covers(const section *s, const double p[3], double *height_mm);

void section_position(const section *s, double i, double j,
                      double lps_mm[3]); /* of a node, where the field is looked at */
void section_coordinates(const section *s, const double lps_mm[3], double *i, double *j); /* node units */

/* Set area, perimeter and centre from the nodes (section_create does it). section_measure.c */
void section_measure(section *s);
/* Integral over the piece of a value given at its nodes [n][n], zero at the wall, linear between nodes; value * mm2.
 * Beyond a periodic face the value goes on as it is. section_measure.c */
double section_integral(const section *s, const double *value);
#endif
