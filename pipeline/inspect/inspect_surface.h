/* SPDX-License-Identifier: Apache-2.0 */
/* Inspection of surfaces for `check` and `init`. A build without VTK only checks that the file exists. */
#ifndef PORTAFLOW_INSPECT_SURFACE_H
#define PORTAFLOW_INSPECT_SURFACE_H
#include "common/base/must_check.h"

/* Reads and closes the surface. unit_mm: length of the file's unit in mm. Errors: as surface_read and surface_close. */
MUST_CHECK int inspect_surface(const char *path, double unit_mm);

typedef struct {
    double longest; /* longest side of the surface's bounding box, in the unit of the file; NaN: unknown */
    int ras;        /* frame that the file names: 1 RAS, 0 LPS, -1 none */
} surface_about;

/* Reads the size and the frame of a surface. If it cannot be read, status_message() gives the reason. */
surface_about inspect_surface_about(const char *path);
#endif
