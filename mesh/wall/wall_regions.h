/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns each point of the wall to a wall of the case: by a part of an analytic shape, a supplied surface, or voxels
 * with a label next to it. */
#ifndef PORTAFLOW_WALL_REGIONS_H
#define PORTAFLOW_WALL_REGIONS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "mesh/lumen/lumen.h"
#include <cjson/cJSON.h>

/* Label image and surfaces that define the regions of the wall. */
typedef struct {
    volume labels;    /* label image; value NULL: no wall of the case is defined by a label */
    surface *surface; /* [n] surface that defines each wall; empty: the wall is defined in another way */
    int n;
} wall_regions;

/* Read the files of the case's walls and record them as inputs. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int wall_regions_read(const case_file *c, cJSON *json, wall_regions *r);
void wall_regions_free(wall_regions *r); /* safe on a zeroed struct */

/* Set lattice.link_wall in a case with walls; without walls it stays NULL. A surface names the wall within 1.5 cells or
 * voxels of it, where it is parallel to the wall; of several surfaces, the nearest. A label names the wall up to 2.5
 * voxels from its voxels, unless another tissue lies between. Reports the share of each wall. Errors: ERR_INPUT (a wall
 * covers nothing, or a point belongs to no wall), ERR_RESOURCE. */
MUST_CHECK int wall_regions_set(const case_file *c, const lumen *vessel, const wall_regions *r, lattice *l);
#endif
