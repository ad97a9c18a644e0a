/* SPDX-License-Identifier: Apache-2.0 */
/* Implements export.h. This build writes no DICOM. */
#include "common/base/status.h"
#include "pipeline/export/export.h"

int export_dicom(const char *dir, const options_list *set, const char *out, const char *pdf, bool anonymous) {
    (void)dir;
    (void)set;
    (void)out;
    (void)pdf;
    (void)anonymous;
    return fail(ERR_RESOURCE, "pipeline export --dicom was built without ITK and VTK; use a build with both");
}
