/* SPDX-License-Identifier: Apache-2.0 */
/* A picture in memory: pixels, rectangles, text, PNG. */
#ifndef PORTAFLOW_CANVAS_H
#define PORTAFLOW_CANVAS_H
#include "common/base/must_check.h"

typedef struct {
    int width, height;
    unsigned char *rgb; /* [height][width][3] red, green, blue; top row first; owned */
} canvas;

typedef struct {
    unsigned char r, g, b;
} colour;

enum canvas_anchor { ANCHOR_LEFT, ANCHOR_CENTRE, ANCHOR_RIGHT };

MUST_CHECK int canvas_create(canvas *c, int width, int height, colour background); /* Errors: ERR_RESOURCE */
void canvas_free(canvas *c);
/* Blends a colour over a pixel, cover 0..1; pixels outside the canvas are ignored. */
void canvas_blend(canvas *c, int x, int y, colour ink, double cover);
void canvas_fill(canvas *c, int x, int y, int width, int height, colour ink);
/* Draws text with its top at y; x is its left end, centre or right end, as `anchor` says. Errors:
 * ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int canvas_text(canvas *c, int x, int y, int size, int bold, enum canvas_anchor anchor, colour ink,
                           const char *text);
/* Reads a PNG on white. The caller frees *c with canvas_free. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int canvas_read_png(canvas *c, const char *path);
/* Writes "<path>.part" and renames it. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int canvas_write_png(const canvas *c, const char *path);
#endif
