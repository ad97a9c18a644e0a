/* SPDX-License-Identifier: Apache-2.0 */
/* report.html: one self-contained file without network access or scripts; prints on A4. */
#ifndef PORTAFLOW_POST_REPORT_REPORT_H
#define PORTAFLOW_POST_REPORT_REPORT_H
#include "post/report/report_parts.h"

/* Writes through "<path>.part". Errors: ERR_OUTPUT, ERR_RESOURCE, ERR_INPUT (a picture cannot be read). */
MUST_CHECK int report_write(const char *path, const report_input *in);
#endif
