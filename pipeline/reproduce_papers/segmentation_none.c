/* SPDX-License-Identifier: Apache-2.0 */
/* wang2015:segmentation where ITK was not found: see segmentation.c. */
#include "common/base/status.h"
#include "pipeline/reproduce/study.h"

int study_segmentation(const study_context *x, results *r) {
    (void)r;
    return fail(ERR_RESOURCE, "%s needs a build with ITK and VTK; this build has neither segment nor phantom", x->name);
}
