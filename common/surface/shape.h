/* SPDX-License-Identifier: Apache-2.0 */
/* Analytic lumens as signed distance functions, for phantoms, exact tests, benchmarks and `mesh: {shape: ...}`.
 *
 * All lengths mm, LPS. The distance is negative in the fluid. It is exact for every single shape except the eye. For a
 * union (minimum) it is exact outside the fluid, and near the wall except at the joints; for the eye it is exact near
 * the wall except at edges. */
#ifndef PORTAFLOW_SHAPE_H
#define PORTAFLOW_SHAPE_H
#ifdef __cplusplus
extern "C" {
#endif

enum shape_kind {
    SHAPE_CYLINDER, /* infinite cylinder; a, b: points on the axis; radius[0] */
    /* space between two planes; a: on the middle plane; b: on one wall; b - a: normal to the wall */
    SHAPE_CHANNEL,
    SHAPE_BOX,             /* fluid inside a box; a: low corner; b: high corner */
    SHAPE_SPHERE_OBSTACLE, /* fluid everywhere except in a ball; a: centre; radius[0] */
    /* bent tube; a: centre; b - a: unit axis of symmetry; radius[0]: radius of the tube; radius[1]: radius of the
     * bend */
    SHAPE_TORUS,
    /* infinite elliptic cylinder along z; a: on the axis; half-axes radius[0] (x) and radius[1] (y) */
    SHAPE_ELLIPSE,
    /* infinite cylinder along a, b with radius[0]; half-way between a and b a cosine narrowing to radius[1] over
     * length[0] */
    SHAPE_STENOSIS,
    SHAPE_TREE,    /* union of tapered segments (segment[]) with spherical joints */
    SHAPE_CHAMBER, /* union of a tree (segment[]) and ellipsoids (ellipsoid[]), for a liver as one chamber */
    SHAPE_ANNULUS, /* space between two cylinders around the axis a, b; radius[0]: outer; radius[1]: inner */
    /* anterior segment of the eye. a: centre of the pupil, in the plane of the iris; b - a: unit axis towards the
     * cornea; radius[0]: radius of the chambers; radius[1]: radius of the pupil; length: see shape_eye_length */
    SHAPE_EYE
};

enum shape_eye_length {
    EYE_DEPTH,     /* depth of the anterior chamber, from iris to cornea */
    EYE_IRIS,      /* thickness of the iris */
    EYE_POSTERIOR, /* depth of the posterior chamber */
    EYE_LENS,      /* radius of curvature of the lens */
    EYE_GAP        /* gap between iris and lens on the axis */
};

typedef struct {
    double a[3], b[3], radius_a, radius_b;
} shape_segment;
typedef struct {
    double centre[3], half[3];
} shape_ellipsoid;

typedef struct {
    int kind; /* enum shape_kind */
    double a[3], b[3], radius[2], length[5];
    int n_segment;
    const shape_segment *segment; /* segments of a tree, borrowed */
    int n_ellipsoid;
    const shape_ellipsoid *ellipsoid; /* ellipsoids of a chamber, borrowed */
} shape;

double shape_distance_mm(const shape *s, const double lps_mm[3]);

/* Named parts of the wall.
 * shape_parts        names for a kind of shape: "x-low, x-high, .." (axes of a box: LPS); without parts the
 *                    text "it has no named parts"
 * shape_part_number  number of the part with this name, -1: none
 * shape_part_at      number of the part that contains a point of the wall (at an edge, either part); -1: no parts */
const char *shape_parts(int kind);
int shape_part_number(const shape *s, const char *name);
int shape_part_at(const shape *s, const double lps_mm[3]);
#ifdef __cplusplus
}
#endif
#endif
