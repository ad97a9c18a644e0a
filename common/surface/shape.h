/* Analytic lumens as signed distance functions: for phantoms, exact tests, benchmarks and `mesh: {shape: ...}`.
 *
 * All lengths mm, LPS. Distance is negative inside the fluid. Exact for every single shape; for a union (min) it is
 * exact outside the fluid and near the wall away from the joints. */
#ifndef PORTAFLOW_SHAPE_H
#define PORTAFLOW_SHAPE_H
#ifdef __cplusplus
extern "C" {
#endif

enum shape_kind {
    SHAPE_CYLINDER, /* a, b on the axis (infinite along it), radius[0] */
    SHAPE_CHANNEL,  /* between two planes: a is a point of the mid plane, b a point of one wall (b - a its normal) */
    SHAPE_BOX,      /* a low corner, b high corner: fluid within */
    SHAPE_SPHERE_OBSTACLE, /* everything is fluid but the ball round a with radius[0] */
    SHAPE_TORUS,           /* a centre, b - a the unit axis of symmetry, radius[0] tube, radius[1] bend */
    SHAPE_ELLIPSE,         /* infinite elliptic cylinder along z through a: half axes radius[0] (x), radius[1] (y) */
    SHAPE_STENOSIS, /* cylinder a..b with radius[0] narrowed by a cosine to radius[1] over length[0] round the middle */
    SHAPE_TREE,     /* union of tapered segments with spherical joints: segment[] */
    SHAPE_CHAMBER,  /* union of a tree and ellipsoids: segment[] + ellipsoid[] (the liver as a chamber) */
    SHAPE_ANNULUS,  /* between two cylinders round a, b: radius[0] the outer, radius[1] the inner */
    SHAPE_EYE /* anterior segment: a centre of the pupil in the plane of the iris, b - a the axis to the cornea, unit;
                       radius of the chambers and of the pupil; length: shape_eye_length */
};

enum shape_eye_length {
    EYE_DEPTH,     /* of the anterior chamber, iris to cornea */
    EYE_IRIS,      /* thickness of the iris */
    EYE_POSTERIOR, /* depth of the posterior chamber behind it */
    EYE_LENS,      /* radius of curvature of the lens */
    EYE_GAP        /* between iris and lens on the axis */
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

/* Parts of the wall that have a name: those of a kind, "x-low, x-high, .."; the number of one, -1: there is none of
 * this name; the one that a point of the wall lies on (of an edge, either). Axes of a box are LPS here. */
const char *shape_parts(int kind);
int shape_part_number(const shape *s, const char *name);
int shape_part_at(const shape *s, const double lps_mm[3]);
#ifdef __cplusplus
}
#endif
#endif
