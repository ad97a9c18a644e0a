/* Where the wall is no wall: flat ends at which the vessel leaves the image, that closed an open surface, or that a
 * closed surface came with. */
#ifndef PORTAFLOW_SEGMENT_CAPS_H
#define PORTAFLOW_SEGMENT_CAPS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include <cjson/cJSON.h>

typedef struct {
    double centre_mm[3]; /* LPS */
    double normal[3];    /* unit, out of the lumen */
    double area_mm2;
    double reach_mm; /* from its centre to the furthest place of its rim; of holes and flat ends */
    bool border;     /* on the image's border; false: an open end of a surface */
} cap;

/* Connected patches of `wall` on the outer half voxels of the image. *list [*n] is the caller's.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int caps_on_border(const surface *wall, const volume *image, int *n, cap **list);

/* The ends that surface_fill_holes closed: each has one of the last `filled` points in its middle.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int caps_of_holes(const surface *wall, int filled, int *n, cap **list);

/* The flat ends that a closed surface came with (as of VMTK, SimVascular, Blender): in one plane, with a sharp rim all
 * round, no strip, and the vessel goes on behind it for its radius at least. Errors: ERR_RESOURCE. */
MUST_CHECK int caps_flat(const surface *wall, int *n, cap **list);

/* [{"centre_mm", "normal", "area_mm2", "at": "image border" | "open end"}]; NULL: no memory. */
cJSON *caps_json(int n, const cap *list);
#endif
