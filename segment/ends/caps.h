/* Flat ends of the wall that are candidates for openings: on the image border, closed holes of an open surface, and
 * flat ends of a closed surface. */
#ifndef PORTAFLOW_SEGMENT_CAPS_H
#define PORTAFLOW_SEGMENT_CAPS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include <cjson/cJSON.h>

typedef struct {
    double centre_mm[3]; /* LPS */
    double normal[3];    /* unit vector, out of the lumen */
    double area_mm2;
    double reach_mm; /* largest distance of the rim from the centre; holes and flat ends only */
    bool border;     /* on the image border; false: an open end of a surface */
} cap;

/* Find the connected patches of `wall` in the outer half voxel layer of the image. *list [*n] is owned by the caller.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int caps_on_border(const surface *wall, const volume *image, int *n, cap **list);

/* Find the holes that surface_fill_holes closed: each is a fan of triangles round one of the last `filled` points of
 * the wall. *list [*n] is owned by the caller. Errors: ERR_RESOURCE. */
MUST_CHECK int caps_from_holes(const surface *wall, int filled, int *n, cap **list);

/* Find the flat ends of a closed surface, as VMTK, SimVascular and Blender write them. A flat end lies in one plane,
 * has a sharp rim, is compact, and the vessel behind it is longer than the radius of the end. *list [*n] is owned by
 * the caller. Errors: ERR_RESOURCE. */
MUST_CHECK int caps_flat_ends(const surface *wall, int *n, cap **list);

/* Returns [{"centre_mm", "normal", "area_mm2", "at": "image border" | "open end"}]; NULL: out of memory. */
cJSON *caps_to_json(int n, const cap *list);
#endif
