/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures for the secondary captures: each with a strip that says it is research. */
#ifndef PORTAFLOW_EXPORT_PAGES_H
#define PORTAFLOW_EXPORT_PAGES_H
#include "common/base/must_check.h"
#include "common/draw/canvas.h"
#include "pipeline/study/results_row.h"

/* Draws the readouts as a page; the caller frees it. Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int export_draw_readouts(const results_row *row, canvas *page);
/* Reads a picture and adds the strip below it; the caller frees it. Errors: ERR_INPUT, ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int export_draw_picture(const char *path, canvas *page);
#endif
