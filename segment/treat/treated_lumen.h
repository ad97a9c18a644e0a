/* SPDX-License-Identifier: Apache-2.0 */
/* The lumen after a treatment: signed distance of the patient before it, with the changes of the case. */
#ifndef PORTAFLOW_SEGMENT_TREATED_LUMEN_H
#define PORTAFLOW_SEGMENT_TREATED_LUMEN_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include "segment/checks/wall_uncertainty.h"
#include "segment/bridge/gap_bridge.h"
#include "segment/treat/closed_branch.h"
#include <cjson/cJSON.h>

typedef struct {
    int n;
    double *length_mm; /* [n] length of the tube or thickness of the disc of each change, owned */
    double *volume_ml; /* [n] volume that each change adds or removes, owned */
    closed_disc *disc; /* [n] disc of each change that closes a branch, owned */
    bool from_surface; /* the lumen before the treatment is a supplied surface */
    gap_bridges gaps;  /* bridged gaps of the lumen before the treatment */
} treated_report;
void treated_report_free(treated_report *r);

/* Reads the signed distance before the treatment, changes it and finds its wall.
 *   c          case with method treated
 *   image      geometry of its image; dims 0: none
 *   json       record of the stage; the signed distance before the treatment becomes its input "before"
 *   mask       out: lumen before the treatment on the grid of its mask; value NULL: it has no mask
 *   wall_error out: uncertainty of the wall before the treatment, also used for the walls of stents
 * Errors: ERR_INPUT (the segmentation before is missing or out of date; unknown branch; diameter below two voxels; a
 * stent that leaves the image or does not meet the lumen; a change at an opening; openings that are separated),
 * ERR_RESOURCE. Test: tests/unit/segment/test_segment_treat.c */
MUST_CHECK int treated_lumen(const case_file *c, const volume *image, cJSON *json, volume *mask, volume *phi,
                             surface *wall, wall_uncertainty *wall_error, treated_report *report);
#endif
