/* SPDX-License-Identifier: Apache-2.0 */
#include "common/draw/canvas.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/draw/vtk_draw.h"
#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURE_BYTES_MAX = 100000000, PICTURE_SIDE_MAX = 20000 };

int canvas_create(canvas *c, int width, int height, colour background) {
    *c = (canvas){width, height, malloc((size_t)width * (size_t)height * 3)};
    if (c->rgb == NULL)
        return fail_memory("a picture", 3.0 * width * height);
    canvas_fill(c, 0, 0, width, height, background);
    return OK;
}

void canvas_free(canvas *c) {
    free(c->rgb);
    *c = (canvas){0};
}

static unsigned char blend_channel(unsigned char under, unsigned char over, double cover) {
    return (unsigned char)(under + (over - under) * cover + 0.5);
}

void canvas_blend(canvas *c, int x, int y, colour ink, double cover) {
    if (x < 0 || y < 0 || x >= c->width || y >= c->height)
        return;
    unsigned char *p = c->rgb + 3 * ((size_t)y * (size_t)c->width + (size_t)x);
    p[0] = blend_channel(p[0], ink.r, cover);
    p[1] = blend_channel(p[1], ink.g, cover);
    p[2] = blend_channel(p[2], ink.b, cover);
}

void canvas_fill(canvas *c, int x, int y, int width, int height, colour ink) {
    for (int j = y; j < y + height; j++)
        for (int i = x; i < x + width; i++)
            canvas_blend(c, i, j, ink, 1);
}

int canvas_text(canvas *c, int x, int y, int size, int bold, enum canvas_anchor anchor, colour ink, const char *text) {
    vtk_text_bitmap t;
    int rc = vtk_text_draw(text, size, bold, &t);
    if (rc != OK)
        return rc;
    int left = anchor == ANCHOR_LEFT ? x : (anchor == ANCHOR_RIGHT ? x - t.width : x - t.width / 2);
    for (int n = 0; n < 9; n++) /* a dark outline keeps the text readable on white */
        for (int j = 0; j < t.height; j++)
            for (int i = 0; i < t.width; i++)
                canvas_blend(c, left + i + n % 3 - 1, y + j + n / 3 - 1, (colour){0, 0, 0},
                             0.4 * t.cover[j * t.width + i] / 255.0);
    for (int j = 0; j < t.height; j++)
        for (int i = 0; i < t.width; i++)
            canvas_blend(c, left + i, y + j, ink, t.cover[j * t.width + i] / 255.0);
    vtk_text_free(&t);
    return OK;
}

/* Encodes into memory and then writes the file, because libpng prints its own message to stderr if the disk is full. */
int canvas_write_png(const canvas *c, const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)c->width,
                       .height = (png_uint_32)c->height,
                       .format = PNG_FORMAT_RGB,
                       .flags = PNG_IMAGE_FLAG_FAST};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    void *memory = malloc(size);
    if (!memory)
        return fail_memory(path, (double)size);
    int rc = png_image_write_to_memory(&image, memory, &size, 0, c->rgb, 0, NULL)
                 ? file_write(path, memory, size)
                 : fail(ERR_INTERNAL, "cannot encode the picture '%s': %s; this is an error in the program", path,
                        image.message);
    free(memory);
    return rc;
}

int canvas_read_png(canvas *c, const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    const png_color white = {255, 255, 255};
    char *text = NULL;
    size_t size = 0;
    int rc = file_read(path, PICTURE_BYTES_MAX, &text, &size);
    *c = (canvas){0};
    if (rc == OK && !png_image_begin_read_from_memory(&image, text, size))
        rc =
            fail(ERR_INPUT, "the picture '%s' is damaged: %s; run the stage that writes it again", path, image.message);
    if (rc == OK && (image.width > PICTURE_SIDE_MAX || image.height > PICTURE_SIDE_MAX))
        rc = fail(ERR_INPUT, "the picture '%s' has %u x %u pixels; the maximum is %d", path, image.width, image.height,
                  PICTURE_SIDE_MAX);
    image.format = PNG_FORMAT_RGB;
    if (rc == OK)
        rc = canvas_create(c, (int)image.width, (int)image.height, (colour){255, 255, 255});
    if (rc == OK && !png_image_finish_read(&image, &white, c->rgb, 0, NULL))
        rc =
            fail(ERR_INPUT, "the picture '%s' is damaged: %s; run the stage that writes it again", path, image.message);
    png_image_free(&image);
    free(text);
    if (rc != OK)
        canvas_free(c);
    return rc;
}
