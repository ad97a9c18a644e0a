/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of the branches and bifurcations of a vessel, each with the interval from the uncertainty of the wall. */
#ifndef PORTAFLOW_VESSEL_TABLE_H
#define PORTAFLOW_VESSEL_TABLE_H
#include "common/base/must_check.h"
#include "common/centerline/centerline.h"

enum { VESSEL_TABLE_NAME = 64 };

/* A value with its 95 % interval when the whole wall moves in or out; NAN: unknown. */
typedef struct {
    double value, low, high;
} vessel_value;

/* A value at a place of the branch. */
typedef struct {
    vessel_value of;
    double at_mm;       /* arc length from the start of the branch */
    double place_mm[3]; /* LPS */
} vessel_extreme;

typedef struct {
    char name[VESSEL_TABLE_NAME]; /* given end where the branch ends, or for a first branch starts; "A-B" with both; a
                                   * number if there is none */
    const char *side;             /* main direction from start to end of the branch: "left", "superior", .. */
    vessel_value length_mm; /* length of the branch; the interval includes found ends, which move with the wall, and
                                   * bifurcations, which move with the axes of their branches */
    double tortuosity;      /* length over the distance between both ends, minus 1; NAN: a ring */
    double curvature_mean_per_mm, curvature_max_per_mm, torsion_mean_per_mm;
    /* Members from here on describe the own part of the branch (centerline_point.own); NAN if it has none. */
    vessel_value diameter_mean_mm; /* diameter of the circle with the area of the cross-section */
    vessel_extreme diameter_min_mm;
    vessel_value area_mean_mm2;
    vessel_extreme area_min_mm2;
    double taper;       /* change of the diameter per length along the branch (mm per mm), least squares; negative:
                         * narrower towards the end */
    double ellipticity; /* largest over smallest width, mean over the points */
    /* largest narrowing, percent. stenosis_percent: 1 - smallest width over reference width (nascet1991);
     * stenosis_area_percent: 1 - area over reference area. The reference is a line along the branch: the median
     * regression of the widths or diameters */
    vessel_extreme stenosis_percent, stenosis_area_percent;
    double reference_mm; /* reference width at the place of stenosis_percent */
} vessel_branch;

typedef struct {
    int node; /* node of the centerline */
    int n;    /* number of branches at this node; the branch from the root is first */
    int branch[8];
    double angle_deg[8];     /* angle between each branch and the continued direction of the first branch; [0]: NAN */
    double between_deg;      /* angle between the two widest daughter branches */
    vessel_value area_ratio; /* summed area of the daughter branches over the area of the first branch, near the
                              * bifurcation */
} vessel_bifurcation;

typedef struct {
    const centerline *c;   /* borrowed */
    vessel_branch *branch; /* [c->n_branch] owned */
    int n_bifurcation;
    vessel_bifurcation *bifurcation; /* owned */
    vessel_value volume_ml;
    double length_mm; /* total length of all branches */
    double wall_mm;   /* uncertainty of the wall's position, NAN: unknown */
} vessel_table;

/* volume_mm3, area_mm2: of the lumen and its wall. wall_mm: half-width of the 95 % interval of the wall's position, or
 * NAN. name: names of the given ends, or NULL. Errors: ERR_INPUT (no branch), ERR_RESOURCE. Test:
 * tests/unit/common/test_centerline.c */
MUST_CHECK int vessel_table_create(const centerline *c, double volume_mm3, double area_mm2, double wall_mm,
                                   const char *const *name, vessel_table *t);
void vessel_table_free(vessel_table *t);
#endif
