/* The command `segment ends`: what an image, a mask or a surface offers as seeds and openings, for whoever writes a
 * case. */
#ifndef PORTAFLOW_SEGMENT_ENDS_COMMAND_H
#define PORTAFLOW_SEGMENT_ENDS_COMMAND_H
#include "common/base/must_check.h"
#include <stdio.h>

typedef struct {
    const char *path;   /* an image, mask or surface: by its ending and its values */
    const char *series; /* of a DICOM folder; NULL */
    double unit_mm;     /* of a surface */
    int ras;            /* frame of a surface: 1 RAS, 0 LPS, -1 as the file says, else LPS */
} ends_command_options;

/* One JSON object on `to`, all places RAS in mm:
 *   kind     "image", "mask" or "surface"
 *   labels   of a mask: [{value, name (null: the file says none), volume_ml, taken}]; which ones are the vessel is
 *            chosen by the names, else by how long they are for their width
 *   vessels  [{length_mm, radius_mm, ends: [{point, normal (out of the vessel; null: not seen), radius_mm,
 *            reach_mm (of its furthest wall), at: "image border" | "open end" | "flat end" | "vessel end"}],
 *            holes: the same of places where the surface is open and no end is (a triangle is missing),
 *            seeds: [[x, y, z]], branches: [[[x, y, z], ..]], the first from end to end, the others from their end
 *            to where they join}], the likeliest first: of an image several, each with looks_like: "vessel", "edge" (of
 *            something much wider) or "bone"; of a mask or a surface its pieces, down to a twentieth of the largest
 * Errors: those of reading; ERR_OUTPUT. Test: tests/cli/segment.txt, tests/unit/segment/test_segment_caps.c */
MUST_CHECK int ends_command_print(const ends_command_options *o, FILE *to);
#endif
