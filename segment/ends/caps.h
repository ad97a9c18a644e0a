/* SPDX-License-Identifier: Apache-2.0 */
/* Flat ends of the wall that are candidates for openings: on the image border, closed holes of an open surface, and
 * flat ends of a closed surface (flat_ends.h). */
#ifndef PORTAFLOW_SEGMENT_CAPS_H
#define PORTAFLOW_SEGMENT_CAPS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include <cjson/cJSON.h>

enum cap_kind { CAP_BORDER, CAP_HOLE, CAP_FLAT };

typedef struct {
    enum cap_kind kind;
    double centre_mm[3]; /* LPS */
    double normal[3];    /* unit vector, out of the lumen */
    double area_mm2;
    double reach_mm; /* largest distance from the centre to the rim; for holes and flat ends only */
    bool certain;    /* true: a flat end is surely an end, not a facet of the wall */
} cap;

/* Find the connected patches of `wall` in the outer half voxel layer of the image. *list [*n] is owned by the caller.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int caps_on_border(const surface *wall, const volume *image, int *n, cap **list);

/* Find the holes that surface_fill_holes closed: each is a fan of triangles round one of the last `filled` points of
 * the wall. *list [*n] is owned by the caller. Errors: ERR_RESOURCE. */
MUST_CHECK int caps_from_holes(const surface *wall, int filled, int *n, cap **list);

/* JSON array of the caps: [{"centre_mm", "normal", "area_mm2", "at": "image border" | "open end" | "flat end"}]; NULL:
 * out of memory. */
cJSON *caps_to_json(int n, const cap *list);
#endif
