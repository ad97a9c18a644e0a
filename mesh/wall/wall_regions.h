/* Assigns each point of the wall to a wall of the case: a part of an analytic shape, a given surface, or voxels with a
 * label. */
#ifndef PORTAFLOW_WALL_REGIONS_H
#define PORTAFLOW_WALL_REGIONS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "mesh/lumen/lumen.h"
#include <cjson/cJSON.h>

/* Data for the assignment. */
typedef struct {
    volume labels;    /* value NULL: not needed */
    surface *surface; /* [n_wall], empty for walls without a surface */
    int n;
} wall_regions;

/* Reads the files of the case's walls and adds them to the inputs. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int wall_regions_read(const case_file *c, cJSON *json, wall_regions *r);
void wall_regions_free(wall_regions *r); /* safe on a zeroed struct */

/* Sets lattice.link_wall for a case with walls. A surface claims points within 1.5 cells or voxels where it is parallel
 * to the wall, the nearest of several. A label claims points with such a voxel within 2.5 voxels outside, and no voxel
 * of another label (except the lumen's) before it. Reports the share of each wall. Errors: ERR_INPUT (a wall without a
 * point, a point without a wall), ERR_RESOURCE. */
MUST_CHECK int wall_regions_set(const case_file *c, const lumen *vessel, const wall_regions *r, lattice *l);
#endif
