/* SPDX-License-Identifier: Apache-2.0 */
/* Minimal paths that join seeds and openings into a tree. */
#ifndef PORTAFLOW_PATHS_H
#define PORTAFLOW_PATHS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int n;
    double (*at_mm)[3]; /* [n] LPS, from the end to the junction with the tree, owned */
    int opening;        /* index of the opening where the branch starts; -1: it starts at a seed */
    bool root;          /* true: this is the first branch, which has only its first point */
} paths_branch;

typedef struct {
    int n;
    paths_branch *branch; /* [n] branches, owned */
} paths;

/* Computes the tubeness of an image. v: in, the image; out, tubeness of each voxel for a bright tube of radius_mm, 0 to
 * about 1: s^2 sqrt(l1 l2) / contrast where l1 and l2 are negative, else 0. l1 <= l2 <= l3: eigenvalues of the second
 * derivatives (after Frangi et al. 1998) with a Gaussian of s = 0.6 radii. strict: 0 for sheets (|l2| < 0.4 |l1|) and
 * balls (|l3| > 0.5 |l2|). wanted [voxels]: 0 gives 0; NULL: all voxels. Errors: ERR_RESOURCE. */
MUST_CHECK int paths_tubeness(volume *v, double radius_mm, double contrast, bool strict, const uint8_t *wanted);

/* Joins the points one after the other, the nearest to the tree first, along the path with the least integral of cost
 * (least_path.h; Li and Yezzi 2007). point [n]: LPS, mm; the first one is the root; opening [n]: index or -1. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int paths_find(const volume *cost, int n, const double (*point)[3], const int *opening, paths *out);
void paths_free(paths *p);
#endif
