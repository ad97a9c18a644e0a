/* SPDX-License-Identifier: Apache-2.0 */
/* Implements export_pages.h. */
#include "pipeline/export/export_pages.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/cli/version.h"
#include "pipeline/export/export_parts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PRINT_LEFT = 40,
    PRINT_TOP = 40,
    PRINT_BOTTOM = 810,
    PRINT_VALUE = 330,
    PRINT_ORIGIN = 455,
    PRINT_LINE = 16,
    PRINT_NAME = 30,
    PRINT_WHOLE = 54
};
static const char heading[] = "Values and where they come from, +- : 95 % interval";
static const unsigned print_ink = 0x202020, print_alarm = 0xb01000;
enum { STRIP = 48, MARGIN = 24, LINE = 26, SIZE = 18, PAGE_WIDTH = 1100, VALUE_AT = 560, ORIGIN_AT = 810 };
enum { WARNINGS = 10 };
static const colour paper = {20, 20, 24}, ink = {235, 235, 235}, alarm_ink = {255, 120, 100};

/* Origin of each value, so that computed and modelled values do not look measured. */
static const char *const origin_name[] = {[ROW_COMPUTED] = "computed",
                                          [ROW_FROM_LUMEN] = "from the lumen",
                                          [ROW_GIVEN] = "given in the case",
                                          [ROW_MODELLED] = "modelled, not measured",
                                          [ROW_GRADIENT] = "modelled, not measured",
                                          [ROW_CATHETER] = "given, by catheter"};

/* What the reader must know before the values; *n: number of texts. */
static void list_warnings(const results_row *row, const char *text[WARNINGS], int *n) {
    const struct {
        bool shown;
        const char *text;
    } line[WARNINGS] = {
        {true, "Pressures are relative to the zero of the case, not blood pressures."},
        {row->serious > 0, "Warnings that may change a conclusion: see the report."},
        {row->wall_unknown, "The intervals do not include the error of the position of the wall."},
        {row->blood_unknown, "The intervals do not include an unknown blood model."},
        {row->inputs_unknown, "The intervals do not include the uncertainty of the inputs."},
        {row->inputs_only, "A gradient was solved on one lattice: its interval includes the inputs only."},
        {row->inputs_exact, "The intervals do not include the uncertainty of inputs taken as exact: see the report."},
        {row->lost_share, "A part of the liver gets no portal blood: an assumption, right after a closed branch."},
        {row->liver_exact, "A gradient has an interval in which the resistance of the liver is assumed exact."},
        {row->stage_assumed, "The stage of the liver is an assumption: no source gives its permeability."}};
    *n = 0;
    for (int k = 0; k < WARNINGS; k++)
        if (line[k].shown)
            text[(*n)++] = line[k].text;
}

static int draw_strip(canvas *page) {
    const int top = page->height - STRIP;
    canvas_fill(page, 0, top, page->width, STRIP, paper);
    return canvas_text(page, page->width / 2, top + 6, SIZE, 1, ANCHOR_CENTRE, alarm_ink,
                       "Portaflow " PORTAFLOW_VERSION ": " EXPORT_RESEARCH);
}

int export_draw_readouts(const results_row *row, canvas *page) {
    const char *warning[WARNINGS];
    int n = 0, n_warning, y = MARGIN, rc = OK;
    list_warnings(row, warning, &n_warning);
    for (int k = 0; k < row->n; k++)
        n += row->number[k].main;
    TRY(canvas_create(page, PAGE_WIDTH, 2 * MARGIN + (n + n_warning + 4) * LINE + STRIP, paper));
    TRY(canvas_text(page, MARGIN, y, SIZE, 1, ANCHOR_LEFT, ink, heading));
    y += LINE;
    if (*row->unusable) {
        char text[120];
        snprintf(text, sizeof text, "%s: do not use any of these numbers", row->unusable);
        TRY(canvas_text(page, MARGIN, y, SIZE, 1, ANCHOR_LEFT, alarm_ink, text));
    }
    for (int k = 0; k < n_warning; k++)
        TRY(canvas_text(page, MARGIN, y += LINE, SIZE, 0, ANCHOR_LEFT, alarm_ink, warning[k]));
    y += 2 * LINE;
    for (int k = 0; k < row->n; k++) {
        char value[ROW_SHOWN], text[ROW_SHOWN + 16];
        if (!row->number[k].main)
            continue;
        results_row_show(&row->number[k], row->number[k].lattice_error, value);
        snprintf(text, sizeof text, "%s %s", value, row->number[k].unit);
        TRY(canvas_text(page, MARGIN, y, SIZE, 0, ANCHOR_LEFT, ink, row->number[k].name));
        TRY(canvas_text(page, VALUE_AT, y, SIZE, 0, ANCHOR_LEFT, ink, text));
        TRY(canvas_text(page, ORIGIN_AT, y, SIZE, 0, ANCHOR_LEFT, ink, origin_name[row->number[k].origin]));
        y += LINE;
    }
    TRY(draw_strip(page));
cleanup:
    if (rc != OK)
        canvas_free(page);
    return rc;
}

int export_draw_picture(const char *path, canvas *page) {
    canvas picture = {0};
    int rc = OK;
    *page = (canvas){0};
    TRY(canvas_read_png(&picture, path));
    TRY(canvas_create(page, picture.width, picture.height + STRIP, paper));
    memcpy(page->rgb, picture.rgb, (size_t)picture.width * (size_t)picture.height * 3);
    TRY(draw_strip(page));
cleanup:
    canvas_free(&picture);
    if (rc != OK)
        canvas_free(page);
    return rc;
}

/* Starts a page with the strip at its top and bottom; returns y of its first line. */
static double start_page(pdf *p, const char *title) {
    static const char strip[] = "Portaflow " PORTAFLOW_VERSION ": " EXPORT_RESEARCH;
    char number[32];
    pdf_page(p);
    snprintf(number, sizeof number, "page %d", p->n_page);
    pdf_text(p, PRINT_LEFT, PRINT_TOP, 11, PDF_BOLD, print_alarm, strip);
    pdf_text(p, PRINT_LEFT, PRINT_BOTTOM, 11, PDF_BOLD, print_alarm, strip);
    pdf_text(p, PDF_WIDTH - 80, PRINT_BOTTOM, 9, PDF_REGULAR, print_ink, number);
    pdf_text(p, PRINT_LEFT, PRINT_TOP + 2 * PRINT_LINE, 14, PDF_BOLD, print_ink, title);
    return PRINT_TOP + 4 * PRINT_LINE;
}

static double print_warnings(const results_row *row, double y, pdf *p) {
    const char *warning[WARNINGS];
    int n;
    list_warnings(row, warning, &n);
    if (*row->unusable) {
        char text[120];
        snprintf(text, sizeof text, "%s: do not use any of these numbers", row->unusable);
        pdf_text(p, PRINT_LEFT, y, 12, PDF_BOLD, print_alarm, text);
        y += 2 * PRINT_LINE;
    }
    for (int k = 0; k < n; k++, y += PRINT_LINE)
        pdf_text(p, PRINT_LEFT, y, 10, PDF_REGULAR, print_alarm, warning[k]);
    return y + PRINT_LINE;
}

/* Prints the name of a value. A name that the value could cover gets lines of its own, of PRINT_WHOLE characters or
 * fewer, which fit on the page at any letters. Returns y of the value. */
static double print_name(const char *name, double y, pdf *p) {
    char line[PRINT_WHOLE + 1];
    if (strlen(name) <= PRINT_NAME) {
        pdf_text(p, PRINT_LEFT, y, 10, PDF_REGULAR, print_ink, name);
        return y;
    }
    while (*name) {
        size_t n = strlen(name);
        if (n > PRINT_WHOLE)
            for (n = PRINT_WHOLE; n > PRINT_WHOLE / 2 && name[n - 1] != ' ';)
                n--;
        snprintf(line, sizeof line, "%.*s", (int)n, name);
        pdf_text(p, PRINT_LEFT, y, 10, PDF_REGULAR, print_ink, line);
        name += n;
        y += PRINT_LINE;
    }
    return y;
}

void export_print_readouts(const results_row *row, pdf *p) {
    double y = print_warnings(row, start_page(p, heading), p);
    for (int k = 0; k < row->n; k++) {
        char value[ROW_SHOWN], text[ROW_SHOWN + 16];
        if (!row->number[k].main)
            continue;
        if (y > PRINT_BOTTOM - 6 * PRINT_LINE)
            y = start_page(p, heading);
        results_row_show(&row->number[k], row->number[k].lattice_error, value);
        snprintf(text, sizeof text, "%s %s", value, row->number[k].unit);
        y = print_name(row->number[k].name, y, p);
        pdf_text(p, PRINT_VALUE, y, 10, PDF_REGULAR, print_ink, text);
        pdf_text(p, PRINT_ORIGIN, y, 9, PDF_REGULAR, print_ink, origin_name[row->number[k].origin]);
        y += PRINT_LINE;
    }
}

int export_print_picture(const char *path, pdf *p) {
    char name[ROW_NAME];
    canvas picture = {0};
    const char *file = strrchr(path, '/');
    const int rc = canvas_read_png(&picture, path);
    if (rc != OK)
        return rc;
    snprintf(name, sizeof name, "%s", file ? file + 1 : path);
    if (strrchr(name, '.'))
        *strrchr(name, '.') = '\0';
    for (char *c = name; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    const double top = start_page(p, name), widest = PDF_WIDTH - 2 * PRINT_LEFT,
                 highest = PRINT_BOTTOM - 2 * PRINT_LINE - top, x = widest / picture.width,
                 y = highest / picture.height;
    const double scale = x < y ? x : y;
    pdf_picture(p, PRINT_LEFT, top, scale * picture.width, scale * picture.height, picture.width, picture.height,
                picture.rgb);
    canvas_free(&picture);
    return p->rc;
}
