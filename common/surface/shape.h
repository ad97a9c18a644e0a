/* Analytic lumens as signed distance functions, for phantoms, exact tests, benchmarks and `mesh: {shape: ...}`.
 *
 * All lengths mm, LPS. The distance is negative in the fluid. It is exact for every single shape. For a union (minimum)
 * it is exact outside the fluid, and near the wall except at the joints. */
#ifndef PORTAFLOW_SHAPE_H
#define PORTAFLOW_SHAPE_H
#ifdef __cplusplus
extern "C" {
#endif

enum shape_kind {
    SHAPE_CYLINDER,        /* a, b on the axis (infinite along it), radius[0] */
    SHAPE_CHANNEL,         /* between two planes: a on the middle plane, b on one wall, b - a normal to the wall */
    SHAPE_BOX,             /* fluid inside the box: a low corner, b high corner */
    SHAPE_SPHERE_OBSTACLE, /* fluid everywhere except in the ball around a with radius[0] */
    SHAPE_TORUS,           /* a centre, b - a unit axis of symmetry, radius[0] of the tube, radius[1] of the bend */
    SHAPE_ELLIPSE,         /* infinite elliptic cylinder along z through a: half-axes radius[0] (x), radius[1] (y) */
    SHAPE_STENOSIS, /* cylinder a..b of radius[0] with a cosine narrowing to radius[1] over length[0] at the centre */
    SHAPE_TREE,     /* union of tapered segments with spherical joints: segment[] */
    SHAPE_CHAMBER,  /* union of a tree and ellipsoids: segment[] + ellipsoid[] (liver as a chamber) */
    SHAPE_ANNULUS,  /* between two cylinders around the axis a, b: radius[0] outer, radius[1] inner */
    /* anterior segment of the eye: a centre of the pupil in the plane of the iris, b - a unit axis towards the cornea,
     * radius[0] of the chambers, radius[1] of the pupil, length: shape_eye_length */
    SHAPE_EYE
};

enum shape_eye_length {
    EYE_DEPTH,     /* depth of the anterior chamber, iris to cornea */
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
    const shape_segment *segment; /* borrowed */
    int n_ellipsoid;
    const shape_ellipsoid *ellipsoid; /* borrowed */
} shape;

double shape_distance_mm(const shape *s, const double lps_mm[3]);

/* Named parts of the wall.
 * shape_parts        names for a kind of shape: "x-low, x-high, .." (axes of a box: LPS)
 * shape_part_number  number of the part with this name, -1: none
 * shape_part_at      number of the part that contains a point of the wall (at an edge, either part) */
const char *shape_parts(int kind);
int shape_part_number(const shape *s, const char *name);
int shape_part_at(const shape *s, const double lps_mm[3]);
#ifdef __cplusplus
}
#endif
#endif
