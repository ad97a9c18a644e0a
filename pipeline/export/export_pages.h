/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures for the secondary captures and pages for the PDF: each says that it is research. */
#ifndef PORTAFLOW_EXPORT_PAGES_H
#define PORTAFLOW_EXPORT_PAGES_H
#include "common/base/must_check.h"
#include "common/draw/canvas.h"
#include "common/draw/pdf.h"
#include "pipeline/study/results_row.h"

/* Draws the readouts as a page, each with its origin: given, computed or modelled. The caller frees it.
 * Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int export_draw_readouts(const results_row *row, canvas *page);
/* Reads a picture and adds the strip below it; the caller frees it. Errors: ERR_INPUT, ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int export_draw_picture(const char *path, canvas *page);

/* Adds pages to a PDF: the readouts as a table with their origin; a picture with the name of its file. Errors:
 * p->rc; ERR_INPUT, ERR_RESOURCE. */
void export_print_readouts(const results_row *row, pdf *p);
MUST_CHECK int export_print_picture(const char *path, pdf *p);
#endif
