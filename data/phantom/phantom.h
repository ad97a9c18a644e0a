/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic vessels: the lumen of each phantom as an exact shape, with its openings, sections and centreline.
 *
 *   phantom p;
 *   TRY(phantom_make(PHANTOM_PORTAL, 1.0, &p));
 *   d = shape_distance_mm(&p.shape, lps_mm);        nothing to free; do not copy p (the shape points into it)
 *
 * Lengths in mm, LPS, times the scale. A vessel continues for a few millimetres beyond each opening, so a cut at
 * the opening meets the whole lumen. SOURCES.md has the source of each length and flow. */
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
    /* superior mesenteric and splenic vein join to the portal vein, which divides into right and left portal vein */
    PHANTOM_PORTAL,
    /* portal vein that opens into a liver modelled as one chamber, and three hepatic veins from the liver into the IVC;
     * all in a box */
    PHANTOM_HEPATIC_PORTAL,
    PHANTOM_TUBE,     /* straight tube, oblique to the axes */
    PHANTOM_CURVED,   /* tube with a bend of 120 degrees between straight legs */
    PHANTOM_STENOSIS, /* straight tube with a cosine narrowing */
    /* carotid bifurcation: the common carotid divides into the internal one, with a stenosis, and the external one */
    PHANTOM_CAROTID,
    PHANTOM_SHANG_PIPE, /* boxes and fluid fractions of Shang et al. (2023), tables 2 and 4 */
    PHANTOM_SHANG_PORTAL_1,
    PHANTOM_SHANG_PORTAL_2,
    PHANTOM_SHANG_PORTAL_3,
    PHANTOM_RANDOM, /* random vessels, a different one for each seed (random.h) */
    PHANTOM_KINDS
};

enum { PHANTOM_MAX_SEGMENTS = 1200, PHANTOM_MAX_OPENINGS = 6, PHANTOM_MAX_BRANCHES = 10, PHANTOM_NAME_MAX = 12 };

typedef struct {
    char name[PHANTOM_NAME_MAX];
    bool inlet;
    double flow_l_min;  /* mean flow of an inlet; outlets have the pressure 0 */
    double point_mm[3]; /* LPS, point of the opening on the centreline */
    double normal[3];   /* unit vector out of the vessel */
    double radius_mm;
} phantom_opening;

typedef struct {
    char name[PHANTOM_NAME_MAX];
    /* the branch consists of `count` segments from `first` on, from upstream to downstream. Points of its centreline:
     * end a of each segment, and end b of the last one */
    int first, count;
    double middle_mm[3]; /* centreline point at half length */
    double direction[3]; /* downstream direction at middle_mm */
    double radius_mm;    /* radius at middle_mm */
} phantom_branch;

/* Parameters of a random phantom. */
typedef struct {
    int n_junction, n_stenosis, n_aneurysm;
    double stenosis_percent; /* largest reduction of area, percent; 0: no stenosis */
    /* largest Reynolds number 4 Q / (pi d nu) of all vessels between openings or junctions. Q: flow; d: smallest
     * diameter of the vessel; nu: kinematic viscosity */
    double reynolds;
} phantom_features;

typedef struct {
    int kind, n_opening, n_branch;
    uint64_t seed; /* seed of a phantom of kind "random" */
    phantom_features features;
    int dims[3]; /* cells of the box in Shang et al. 2023; 0: no box */
    double scale;
    shape shape; /* SHAPE_TREE or SHAPE_CHAMBER, made of the arrays below */
    phantom_opening opening[PHANTOM_MAX_OPENINGS];
    phantom_branch branch[PHANTOM_MAX_BRANCHES];
    double low_mm[3], high_mm[3]; /* bounding box of the lumen, or the box of Shang et al. 2023 */
    /* spacing and fluid fraction in Shang et al. 2023; all radii are scaled to reach this fraction */
    double spacing_mm, fluid_fraction;
    double multiplier; /* factor on all radii that gives fluid_fraction; 1 without a box */
    shape_segment segment[PHANTOM_MAX_SEGMENTS];
    shape_ellipsoid ellipsoid[1];
} phantom;

/* Make a phantom. scale > 0 multiplies all lengths (boxes keep their cell counts). Errors: ERR_USAGE (kind, scale),
 * ERR_INTERNAL. */
MUST_CHECK int phantom_make(int kind, double scale, phantom *p);
/* phantom_make with a seed, used by the kind "random" only; phantom_make uses seed 1. Errors: ERR_USAGE (kind,
 * scale), ERR_INTERNAL. */
MUST_CHECK int phantom_make_seeded(int kind, uint64_t seed, double scale, phantom *p);

const char *phantom_name(int kind); /* name of a kind, "portal", ..; NULL: unknown kind */
int phantom_find(const char *name); /* kind of a name; -1: unknown name */

/* Part of the cells of a box that are fluid: at least one of their 8x8x8 subcells is in the lumen. The box starts at
 * p->low_mm and has dims cells. Estimated from one random cell in each of about `samples` equal blocks; exact for
 * samples >= number of cells. */
double phantom_fluid_fraction(const phantom *p, const int dims[3], double samples);

/* Volume between the openings, mm3, from one random point per cube of edge `step_mm`. */
double phantom_volume_mm3(const phantom *p, double step_mm);
#ifdef __cplusplus
}
#endif
#endif
