/* Which of the case's walls each place of the wall belongs to: a part of an analytic shape, what lies on a given
 * surface, or what lies beside voxels with a label. */
#ifndef PORTAFLOW_WALL_REGIONS_H
#define PORTAFLOW_WALL_REGIONS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "mesh/lumen/lumen.h"
#include <cjson/cJSON.h>

/* What the regions are found by. */
typedef struct {
    volume labels;    /* value NULL: not needed */
    surface *surface; /* [n_wall], empty where a wall is found otherwise */
    int n;
} wall_regions;

/* Reads what the case's walls name and notes it as inputs. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int wall_regions_read(const case_file *c, cJSON *json, wall_regions *r);
void wall_regions_free(wall_regions *r); /* safe on a zeroed struct */

/* lattice.link_wall of a case with walls; none without. A surface counts for places within 1.5 cells or voxels of it
 * where it lies along the wall, the nearest of several; a label for places with such a voxel within 2.5 voxels outside
 * and none of another label, but of the lumen's, before it. Says how much of the wall each is.
 * Errors: ERR_INPUT (a wall that is nowhere, a place that belongs to none), ERR_RESOURCE. */
MUST_CHECK int wall_regions_set(const case_file *c, const lumen *vessel, const wall_regions *r, lattice *l);
#endif
