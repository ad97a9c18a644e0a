/* The cross-section of the fluid in a plane: the connected piece around a point, on a square grid of nodes. Node (i, j)
 * is at point + (i - n/2) step u + (j - n/2) step v; n odd; u, v, normal right-handed unit vectors. For a plane on a
 * wall (moving wall, or the end of a closed box) the field is evaluated half a cell further inside. Test:
 * tests/unit/mesh/test_section.c */
#ifndef PORTAFLOW_CROSS_SECTION_H
#define PORTAFLOW_CROSS_SECTION_H
#include "common/base/must_check.h"
#include "mesh/section/lumen_box.h"

enum section_node {
    SECTION_WALL,   /* not in the fluid and not near the piece */
    SECTION_INSIDE, /* the connected piece */
    SECTION_NEAR,   /* not in the fluid, within two cells of the piece and nearer to it than to other fluid */
    SECTION_OTHER   /* fluid not connected to the piece within the plane */
};

typedef struct {
    double point[3], normal[3], u[3], v[3]; /* LPS */
    double sink_mm;                         /* distance inside the plane where the field is evaluated */
    double step_mm;
    int n;                         /* nodes per side */
    float *distance_mm;            /* [n][n] u fastest; with periodic axes also limited by the faces of the box */
    uint8_t *node;                 /* [n][n] enum section_node */
    uint8_t *face;                 /* [n][n] 1: beyond a periodic face of the box */
    double area_mm2, perimeter_mm; /* by linear interpolation between nodes; perimeter: of the wall */
    double centre_mm[3];           /* LPS, centroid, on the plane */
    double extent_mm;              /* largest distance of the piece from the point */
} section;

/* Finds and measures the cross-section. `name`: for messages. Errors: ERR_INPUT (the point is not in the fluid; the
 * piece reaches a non-periodic face of the box, or extends beyond radius_mm), ERR_RESOURCE. */
MUST_CHECK int section_create(section *s, const voxelize_input *in, const mesh_opening *opening);
void section_free(section *s);

/* Measures the piece around `point` (in the fluid) within half_mm, without checks; reaches_rim: it continues beyond.
 * `s`: zeroed or an earlier result, which is freed. Errors: ERR_RESOURCE. */
MUST_CHECK int section_look(section *s, const voxelize_input *in, const double point[3], const double normal[3],
                            double half_mm, double step_mm, bool *reaches_rim);

/* True if the step from a to b crosses the plane outwards in or near the piece; *q in (0, 1]: position. A centre on the
 * plane counts as beyond it. */
bool section_cuts(const section *s, double spacing_mm, const double a[3], const double b[3], double *q);
/* Fast test: a step of one link from p may cross the plane inside the piece. */
bool section_is_near(const section *s, double spacing_mm, const double p[3]);

/* First opening that the step from a to b crosses outwards, -1: none. *q as in section_cuts. */
int section_first_cut(const voxelize_input *in, const section *sections, const double a[3], const double b[3],
                      double *q);
/* True if p is near enough to an opening for section_first_cut. */
bool section_any_near(const voxelize_input *in, const section *sections, const double p[3]);

/* True if p, projected along the normal, is in the piece; *height_mm: its distance outside the plane. */
bool section_covers(const section *s, const double p[3], double *height_mm);

void section_position(const section *s, double i, double j,
                      double lps_mm[3]); /* position of a node, where the field is evaluated */
void section_coordinates(const section *s, const double lps_mm[3], double *i, double *j); /* coordinates in nodes */

/* Sets area, perimeter and centre from the nodes; called by section_create. In section_measure.c */
void section_measure(section *s);
/* Integral over the piece of nodal values [n][n], zero at the wall, linear between nodes; value * mm2. Beyond a
 * periodic face the value is constant. In section_measure.c */
double section_integral(const section *s, const double *value);
#endif
