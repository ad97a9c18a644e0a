/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the plane of each opening of a case: its point lies in the lumen, its normal is along the vessel, and it cuts
 * the vessel in one whole cross-section. */
#ifndef PORTAFLOW_OPENING_PLANE_H
#define PORTAFLOW_OPENING_PLANE_H
#include "common/base/must_check.h"
#include "mesh/openings/opening_search.h"

/* Place opening k of the case. low_mm, high_mm: box of the vessel (LPS). image: geometry for points in voxels. Moved
 * points and oblique planes give warnings. Errors: ERR_INPUT naming the opening; ERR_RESOURCE. */
MUST_CHECK int opening_plane_place(const case_file *c, int k, const volume *image, const lumen *l,
                                   const double low_mm[3], const double high_mm[3], opening_plane *out);
#endif
