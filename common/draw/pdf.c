/* SPDX-License-Identifier: Apache-2.0 */
#include "common/draw/pdf.h"
#include "common/base/must_check.h"
#include "common/base/status.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Objects with fixed numbers */
enum { CATALOG = 1, PAGES, FONT, FONT_BOLD, INFO, FIXED = INFO };

static char *reserve_bytes(pdf *p, pdf_bytes *b, size_t more) {
    if (p->rc != OK)
        return NULL;
    if (b->n + more > b->max) {
        const size_t max = 2 * (b->n + more) + 4096;
        char *data = realloc(b->data, max);
        if (!data) {
            p->rc = fail_memory("the PDF", (double)max);
            return NULL;
        }
        b->data = data;
        b->max = max;
    }
    return b->data + b->n;
}

static void add_bytes(pdf *p, pdf_bytes *b, const void *bytes, size_t n) {
    char *to = reserve_bytes(p, b, n);
    if (!to)
        return;
    if (n > 0)
        memcpy(to, bytes, n);
    b->n += n;
}

static void add_format(pdf *p, pdf_bytes *b, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add_format(pdf *p, pdf_bytes *b, const char *format, ...) {
    char line[512];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    add_bytes(p, b, line, n > 0 && n < (int)sizeof line ? (size_t)n : 0);
}

/* Number of the next object. */
static int new_object(pdf *p) {
    size_t *place = p->rc == OK ? realloc(p->place, ((size_t)p->n_object + 1) * sizeof *place) : NULL;
    if (!place) {
        p->rc = p->rc != OK ? p->rc : fail_memory("the PDF", 8.0 * p->n_object);
        return 0;
    }
    p->place = place;
    p->place[p->n_object++] = 0;
    return p->n_object;
}

static void begin_object(pdf *p, int object) {
    if (p->rc != OK)
        return;
    p->place[object - 1] = p->file.n;
    add_format(p, &p->file, "%d 0 obj\n", object);
}

void pdf_start(pdf *p, const char *title) {
    static const char *const font[] = {"Helvetica", "Helvetica-Bold"};
    for (int k = 0; k < FIXED; k++)
        new_object(p);
    add_format(p, &p->file, "%%PDF-1.4\n%%\xe2\xe3\xcf\xd3\n"); /* bytes above 127: the file is binary (7.5.2) */
    for (int k = 0; k < 2; k++) {
        begin_object(p, FONT + k);
        add_format(p, &p->file, "<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>\nendobj\n",
                   font[k]);
    }
    begin_object(p, INFO);
    add_format(p, &p->file, "<< /Title (%.200s) /Producer (Portaflow) >>\nendobj\n", title);
    begin_object(p, CATALOG);
    add_format(p, &p->file, "<< /Type /Catalog /Pages %d 0 R >>\nendobj\n", PAGES);
}

/* Writes the current page, if there is one. */
static void end_page(pdf *p) {
    if (p->n_page == 0 || p->rc != OK)
        return;
    const int content = new_object(p);
    begin_object(p, content);
    add_format(p, &p->file, "<< /Length %zu >>\nstream\n", p->page.n);
    add_bytes(p, &p->file, p->page.data, p->page.n);
    add_format(p, &p->file, "\nendstream\nendobj\n");
    begin_object(p, p->page_object[p->n_page - 1]);
    add_format(p, &p->file, "<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R\n", PAGES, PDF_WIDTH,
               PDF_HEIGHT, content);
    add_format(p, &p->file, "/Resources << /Font << /F0 %d 0 R /F1 %d 0 R >> /XObject <<", FONT, FONT_BOLD);
    add_bytes(p, &p->file, p->pictures.data, p->pictures.n);
    add_format(p, &p->file, " >> >> >>\nendobj\n");
    p->page.n = p->pictures.n = 0;
}

void pdf_page(pdf *p) {
    end_page(p);
    const int object = new_object(p);
    int *list = p->rc == OK ? realloc(p->page_object, ((size_t)p->n_page + 1) * sizeof *list) : NULL;
    if (!list) {
        p->rc = p->rc != OK ? p->rc : fail_memory("the PDF", 4.0 * p->n_page);
        return;
    }
    p->page_object = list;
    p->page_object[p->n_page++] = object;
}

/* Next character of a UTF-8 text as Latin-1; '?' for all others. */
static unsigned next_latin1(const unsigned char **text) {
    const unsigned char *s = *text;
    const unsigned first = s[0];
    const int more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    *text = s + 1;
    for (int k = 0; k < more && (**text & 0xc0) == 0x80; k++)
        ++*text;
    if (first < 0x80)
        return first < 0x20 ? ' ' : first;
    return (first == 0xc2 || first == 0xc3) && (s[1] & 0xc0) == 0x80 ? (first & 3) << 6 | (s[1] & 0x3f) : '?';
}

void pdf_text(pdf *p, double x, double y, double size, enum pdf_weight weight, unsigned ink, const char *utf8) {
    add_format(p, &p->page, "BT /F%d %.2f Tf %.3f %.3f %.3f rg %.2f %.2f Td (", weight == PDF_BOLD, size,
               (ink >> 16 & 255) / 255.0, (ink >> 8 & 255) / 255.0, (ink & 255) / 255.0, x, PDF_HEIGHT - y);
    for (const unsigned char *s = (const unsigned char *)utf8; *s;) {
        const unsigned c = next_latin1(&s);
        if (c == '(' || c == ')' || c == '\\' || c > 126)
            add_format(p, &p->page, "\\%03o", c);
        else
            add_format(p, &p->page, "%c", (char)c);
    }
    add_format(p, &p->page, ") Tj ET\n");
}

void pdf_picture(pdf *p, double x, double y, double width, double height, int columns, int rows,
                 const unsigned char *rgb) {
    const size_t size = 3 * (size_t)columns * (size_t)rows;
    uLongf packed = compressBound((uLong)size);
    const int object = new_object(p);
    char *to = p->rc == OK ? malloc(packed) : NULL;
    if (!to) {
        p->rc = p->rc != OK ? p->rc : fail_memory("a picture of the PDF", (double)packed);
        return;
    }
    if (compress2((Bytef *)to, &packed, rgb, (uLong)size, Z_BEST_COMPRESSION) != Z_OK)
        p->rc = fail(ERR_INTERNAL, "zlib could not compress a picture of the PDF (error in the program)");
    begin_object(p, object);
    add_format(p, &p->file,
               "<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8\n"
               "/Filter /FlateDecode /Length %lu >>\nstream\n",
               columns, rows, (unsigned long)packed);
    add_bytes(p, &p->file, to, packed);
    add_format(p, &p->file, "\nendstream\nendobj\n");
    add_format(p, &p->page, "q %.2f 0 0 %.2f %.2f %.2f cm /P%d Do Q\n", width, height, x, PDF_HEIGHT - y - height,
               object);
    add_format(p, &p->pictures, " /P%d %d 0 R", object, object);
    free(to);
}

void pdf_finish(pdf *p) {
    end_page(p);
    begin_object(p, PAGES);
    add_format(p, &p->file, "<< /Type /Pages /Count %d /Kids [", p->n_page);
    for (int k = 0; k < p->n_page; k++)
        add_format(p, &p->file, "%d 0 R ", p->page_object[k]);
    add_format(p, &p->file, "] >>\nendobj\n");
    const size_t table = p->file.n;
    add_format(p, &p->file, "xref\n0 %d\n0000000000 65535 f \n", p->n_object + 1);
    for (int k = 0; k < p->n_object && p->rc == OK; k++)
        add_format(p, &p->file, "%010zu 00000 n \n", p->place[k]);
    add_format(p, &p->file, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%zu\n%%%%EOF\n",
               p->n_object + 1, CATALOG, INFO, table);
}

void pdf_free(pdf *p) {
    free(p->file.data);
    free(p->page.data);
    free(p->pictures.data);
    free(p->place);
    free(p->page_object);
    memset(p, 0, sizeof *p);
}
