/* A look at a surface for `check` and `init`. Two versions, chosen by CMake: surface_look.c reads it (needs
 * common_surface), surface_look_none.c only sees that the file is there. */
#ifndef PORTAFLOW_INSPECT_SURFACE_H
#define PORTAFLOW_INSPECT_SURFACE_H
#include "common/base/must_check.h"

/* Errors: as surface_read and surface_close. */
MUST_CHECK int inspect_surface(const char *path, double unit_mm);

typedef struct {
    double longest; /* side of its box, in the unit of the file; NaN: not known */
    int ras;        /* what it says of its frame: 1 RAS, 0 LPS, -1 nothing */
} surface_about;

/* Where it cannot be read, status_message() says why. */
surface_about inspect_surface_about(const char *path);
#endif
