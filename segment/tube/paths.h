/* The way the blood takes: minimal paths that join seeds and openings into a tree, and the straight pieces beyond. */
#ifndef PORTAFLOW_PATHS_H
#define PORTAFLOW_PATHS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int n;
    double (*at_mm)[3]; /* [n] LPS, from the end to where it joins the tree, owned */
    int opening;        /* index of the opening it starts at, -1: a seed */
    bool root;          /* the first one: it starts at the first seed and holds that point alone */
} paths_branch;

typedef struct {
    int n;
    paths_branch *branch; /* owned */
} paths;

/* How much each voxel looks like the middle of a bright tube of radius_mm, 0 to about 1: of the eigenvalues
 * l1 <= l2 <= l3 of the second derivatives sqrt(l1 l2) where both are negative (after Frangi et al. 1998), times the
 * variance of their Gaussian (0.6 radii), over `contrast`. strict: none of sheets (|l2| < 0.4 |l1|) and balls
 * (|l3| > 0.5 |l2|). wanted [voxels]: 0 where nobody asks, 0 comes out; NULL: all. v is replaced. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int paths_tubeness(volume *v, double radius_mm, double contrast, bool strict, const uint8_t *wanted);

/* Terminals are joined one after the other, the nearest to the tree first, along the path of least sum of cost times
 * length (least_path.h; minimal paths for vessels: Li and Yezzi 2007). point [n] LPS mm, the
 * first one is the root; opening [n]: index or -1. Errors: ERR_RESOURCE. */
MUST_CHECK int paths_find(const volume *cost, int n, const double (*point)[3], const int *opening, paths *out);
void paths_free(paths *p);
#endif
