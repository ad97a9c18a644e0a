/* Shim around VTK's FreeType: a line of text as grey values, without a screen. */
#ifndef PORTAFLOW_SEGMENT_VTK_TEXT_H
#define PORTAFLOW_SEGMENT_VTK_TEXT_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int width, height;    /* pixels */
    unsigned char *cover; /* [height][width] 0..255, top row first, owned */
} text_bitmap;

/* `size` in pixels (height of a line is about 1.3 size). Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int text_draw(const char *text, int size, int bold, text_bitmap *out);
void text_free(text_bitmap *t);
#ifdef __cplusplus
}
#endif
#endif
