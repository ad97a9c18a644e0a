/* SPDX-License-Identifier: Apache-2.0 */
/* A PDF document (ISO 32000-1) in memory: A4 pages with text in Helvetica and pictures. After an error p->rc is set and
 * every further call does nothing.
 *
 *   pdf p = {0};
 *   pdf_start(&p, "Report");
 *   pdf_page(&p);
 *   pdf_text(&p, 40, 60, 12, PDF_BOLD, 0x000000, "Pressure");
 *   pdf_finish(&p);        p.file.data [p.file.n] is the document
 *   pdf_free(&p);
 *
 * Places and sizes are in points, 1/72 inch; y counts downwards from the top of the page. */
#ifndef PORTAFLOW_PDF_H
#define PORTAFLOW_PDF_H
#include <stddef.h>

enum { PDF_WIDTH = 595, PDF_HEIGHT = 842 }; /* A4 */
enum pdf_weight { PDF_REGULAR, PDF_BOLD };

typedef struct {
    char *data; /* [n] owned */
    size_t n, max;
} pdf_bytes;

typedef struct {
    pdf_bytes file;
    pdf_bytes page;     /* drawing commands of the current page */
    pdf_bytes pictures; /* names of the pictures of the current page */
    size_t *place;      /* [n_object] offset of each object in the file, from object 1 */
    int n_object, n_page;
    int *page_object; /* [n_page] */
    int rc;           /* OK, ERR_RESOURCE, ERR_INTERNAL */
} pdf;

void pdf_start(pdf *p, const char *title); /* title: ASCII without parentheses and backslashes */
void pdf_page(pdf *p);                     /* starts the next page */
/* Text with its baseline at y. ink: 0xRRGGBB. Characters beyond Latin-1 become '?'. */
void pdf_text(pdf *p, double x, double y, double size, enum pdf_weight weight, unsigned ink, const char *utf8);
/* Picture of rgb [rows][columns][3] in a rectangle with its upper left corner at x, y. */
void pdf_picture(pdf *p, double x, double y, double width, double height, int columns, int rows,
                 const unsigned char *rgb);
void pdf_finish(pdf *p);
void pdf_free(pdf *p); /* safe on a zeroed struct */
#endif
