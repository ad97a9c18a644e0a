/* SPDX-License-Identifier: Apache-2.0 */
/* Minimal paths through a volume: least sum of cost times length from the starts, over 26 neighbours (Dijkstra).
 *
 *   while (rc == OK && least_path_next(&p, &voxel))      voxels in the order of their sums
 *       rc = least_path_spread(&p, voxel);               update its neighbours */
#ifndef PORTAFLOW_SEGMENT_LEAST_PATH_H
#define PORTAFLOW_SEGMENT_LEAST_PATH_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/voxel/heap.h"
#include <stdbool.h>
#include <stdint.h>

enum { LEAST_PATH_START = 13, LEAST_PATH_NONE = -1 };

typedef struct {
    const volume *cost; /* cost per mm, > 0; the voxels are cubes; owned by the caller */
    float *best;        /* [voxels] smallest sum of costs from a start; INFINITY: not reached */
    /* [voxels] last step of the path, 0 to 26 with x fastest, or LEAST_PATH_START, LEAST_PATH_NONE */
    int8_t *from;
    heap q;
} least_path;

/* Create a search that has reached no voxel yet. Errors: ERR_RESOURCE; call least_path_free in any case. */
MUST_CHECK int least_path_create(const volume *cost, least_path *p);
void least_path_free(least_path *p);

/* Add a voxel where paths start. Errors: ERR_RESOURCE. */
MUST_CHECK int least_path_start(least_path *p, int32_t voxel);
/* Forbid paths to enter this voxel. A path may start there if least_path_start is called afterwards. */
void least_path_forbid(least_path *p, int32_t voxel);

/* Visits the next voxel: *voxel, the unvisited voxel with the least sum; false: none. */
bool least_path_next(least_path *p, int32_t *voxel);
/* Update the neighbours of a voxel. Errors: ERR_RESOURCE. */
MUST_CHECK int least_path_spread(least_path *p, int32_t voxel);

/* Voxel before this one on its path; LEAST_PATH_NONE: a start. The voxel must have been reached. */
int32_t least_path_before(const least_path *p, int32_t voxel);
/* Length of the last step to a reached voxel, mm; 0 for a start. */
double least_path_step_mm(const least_path *p, int32_t voxel);
/* Centre of a voxel, LPS. */
void least_path_place(const least_path *p, int32_t voxel, double lps_mm[3]);
#endif
