/* SPDX-License-Identifier: Apache-2.0 */
/* Implements export_pages.h. */
#include "pipeline/export/export_pages.h"
#include "common/base/status.h"
#include "common/cli/version.h"
#include "pipeline/export/export_parts.h"
#include <stdio.h>
#include <string.h>

enum { STRIP = 48, MARGIN = 24, LINE = 26, SIZE = 18, PAGE_WIDTH = 900, VALUE_AT = 560 };
static const colour paper = {20, 20, 24}, ink = {235, 235, 235}, alarm_ink = {255, 120, 100};

static int draw_strip(canvas *page) {
    const int top = page->height - STRIP;
    canvas_fill(page, 0, top, page->width, STRIP, paper);
    return canvas_text(page, page->width / 2, top + 6, SIZE, 1, ANCHOR_CENTRE, alarm_ink,
                       "Portaflow " PORTAFLOW_VERSION ": " EXPORT_RESEARCH);
}

int export_draw_readouts(const results_row *row, canvas *page) {
    int n = 0, y = MARGIN, rc = OK;
    for (int k = 0; k < row->n; k++)
        n += row->number[k].main;
    TRY(canvas_create(page, PAGE_WIDTH, 2 * MARGIN + (n + 4) * LINE + STRIP, paper));
    TRY(canvas_text(page, MARGIN, y, SIZE, 1, ANCHOR_LEFT, ink, "Computed and modelled values, +- : 95 % interval"));
    y += LINE;
    if (*row->unusable) {
        char text[120];
        snprintf(text, sizeof text, "%s: do not use any of these numbers", row->unusable);
        TRY(canvas_text(page, MARGIN, y, SIZE, 1, ANCHOR_LEFT, alarm_ink, text));
    } else if (row->serious > 0) {
        TRY(canvas_text(page, MARGIN, y, SIZE, 0, ANCHOR_LEFT, alarm_ink,
                        "warnings that may change a conclusion: see the report"));
    }
    y += 2 * LINE;
    for (int k = 0; k < row->n; k++) {
        char value[ROW_SHOWN], text[ROW_SHOWN + 16];
        if (!row->number[k].main)
            continue;
        results_row_show(&row->number[k], row->number[k].lattice_error, value);
        snprintf(text, sizeof text, "%s %s", value, row->number[k].unit);
        TRY(canvas_text(page, MARGIN, y, SIZE, 0, ANCHOR_LEFT, ink, row->number[k].name));
        TRY(canvas_text(page, VALUE_AT, y, SIZE, 0, ANCHOR_LEFT, ink, text));
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
