/* Synthetic vessels: the lumen of each phantom as an exact shape, with its openings, sections and centreline.
 *
 *   phantom p;
 *   TRY(phantom_make(PHANTOM_PORTAL, 1.0, &p));
 *   d = shape_distance_mm(&p.shape, lps_mm);        nothing to free; do not copy p (the shape points into it)
 *
 * Lengths mm, LPS, times the scale. A vessel runs on for a few millimetres beyond each opening, so that a cut through
 * the opening's point always meets the whole lumen. Where a length or a flow comes from is written in README.md. */
#ifndef PORTAFLOW_PHANTOM_H
#define PORTAFLOW_PHANTOM_H
#include "common/base/must_check.h"
#include "common/surface/shape.h"
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum phantom_kind {
    PHANTOM_PORTAL,         /* SMV and SV into the PV, then RPV and LPV */
    PHANTOM_HEPATIC_PORTAL, /* the same into a liver drawn as one chamber, three hepatic veins, IVC; has a box */
    PHANTOM_TUBE,           /* straight, oblique to the axes */
    PHANTOM_CURVED,         /* a bend of 120 degrees between straight legs */
    PHANTOM_STENOSIS,       /* straight with a cosine narrowing */
    PHANTOM_CAROTID,        /* CCA to ICA with a stenosis and ECA */
    PHANTOM_SHANG_PIPE,     /* boxes and fluid fractions of Shang et al. (2023), tables 2 and 4 */
    PHANTOM_SHANG_PORTAL_1,
    PHANTOM_SHANG_PORTAL_2,
    PHANTOM_SHANG_PORTAL_3,
    PHANTOM_RANDOM, /* another one for every seed: random.h */
    PHANTOM_KINDS
};

enum { PHANTOM_MAX_SEGMENTS = 1200, PHANTOM_MAX_OPENINGS = 6, PHANTOM_MAX_BRANCHES = 10, PHANTOM_NAME_MAX = 12 };

typedef struct {
    char name[PHANTOM_NAME_MAX];
    bool inlet;
    double flow_l_min;  /* mean flow of an inlet; outlets are at pressure 0 */
    double point_mm[3]; /* on the centreline */
    double normal[3];   /* unit, out of the vessel */
    double radius_mm;
} phantom_opening;

typedef struct {
    char name[PHANTOM_NAME_MAX];
    int first, count;    /* its segments, from upstream to downstream; centreline: their a, and b of the last */
    double middle_mm[3]; /* a point of the centreline half way along */
    double direction[3]; /* there, downstream */
    double radius_mm;    /* there */
} phantom_branch;

/* What a random phantom was drawn with. */
typedef struct {
    int n_junction, n_stenosis, n_aneurysm;
    double stenosis_percent; /* largest loss of area, 0: none */
    double reynolds;         /* largest of all pieces at their narrowest, 4 Q / (pi d nu), with flows by the cube law */
} phantom_features;

typedef struct {
    int kind, n_opening, n_branch;
    uint64_t seed; /* of the kind "random" */
    phantom_features features;
    int dims[3]; /* box of the paper in cells of spacing_mm; 0: none */
    double scale;
    shape shape; /* SHAPE_TREE or SHAPE_CHAMBER over the arrays below */
    phantom_opening opening[PHANTOM_MAX_OPENINGS];
    phantom_branch branch[PHANTOM_MAX_BRANCHES];
    double low_mm[3], high_mm[3];      /* bounding box of the lumen, or the box of the paper */
    double spacing_mm, fluid_fraction; /* of the paper; the radii were solved for this fraction */
    double multiplier;                 /* on the drawn radii, found by that solution; 1 without a box */
    shape_segment segment[PHANTOM_MAX_SEGMENTS];
    shape_ellipsoid ellipsoid[1];
} phantom;

/* scale > 0 enlarges everything (the lattice boxes keep their cell counts). Errors: ERR_USAGE (kind, scale). */
MUST_CHECK int phantom_make(int kind, double scale, phantom *p);
/* The same with a seed, which changes the kind "random" alone; phantom_make takes 1. Errors: as phantom_make. */
MUST_CHECK int phantom_make_seeded(int kind, uint64_t seed, double scale, phantom *p);

const char *phantom_name(int kind);    /* "portal"; NULL when kind is out of range */
const char *phantom_summary(int kind); /* one line */
int phantom_find(const char *name);    /* the kind, -1 when there is none of that name */

/* Share of the cells of the box (p->low_mm, dims cells) that hold fluid: at least one of 8x8x8 subcells in the lumen.
 * Estimated from one random cell in each of about `samples` equal blocks; samples >= all cells: counted. */
double phantom_fluid_fraction(const phantom *p, const int dims[3], double samples);

/* Volume between the openings, mm3, counted at one random point in each cube `step_mm` wide. */
double phantom_volume_mm3(const phantom *p, double step_mm);
#ifdef __cplusplus
}
#endif
#endif
