/* SPDX-License-Identifier: Apache-2.0 */
/* The command `segment ends`: seeds and openings that an image, a mask or a surface suggests for a new case. */
#ifndef PORTAFLOW_SEGMENT_ENDS_COMMAND_H
#define PORTAFLOW_SEGMENT_ENDS_COMMAND_H
#include "common/base/must_check.h"
#include <stdio.h>

typedef struct {
    const char *path;   /* path of an image, mask or surface; the file extension and the values decide which it is */
    const char *series; /* series of a DICOM folder; NULL: its only series */
    double unit_mm;     /* unit of a surface, in mm */
    int ras;            /* frame of a surface: 1 RAS, 0 LPS, -1 the frame that the file names, or LPS if it names
                         * none */
} ends_command_options;

/* Print one JSON object, all places RAS in mm:
 *   kind     "image", "mask" or "surface"
 *   hollow   of a surface: true if it is the wall between an outer and an inner surface
 *   labels   of a mask: [{value, name (null: unknown), volume_ml, taken}]; `taken` marks the vessel, chosen by name,
 *            else by length over width
 *   vessels  [{length_mm, radius_mm,
 *            ends: [{point, normal (out of the vessel; null: unreliable), radius_mm,
 *            reach_mm (largest distance of its wall), at: "image border" | "open end" | "flat end" | "vessel end",
 *            name (of the solid of an STL text file at this end, if any)}],
 *            holes: [{..}] with the keys of ends, for openings of the surface that are no ends (missing triangles),
 *            seeds: [[x, y, z]], branches: [[[x, y, z], ..]] as in centerline_tree}], the likeliest first.
 *            Image: several candidates, each with looks_like: "vessel", "edge" (of a much wider structure) or "bone",
 *            and contacts: [[x, y, z]], junctions where two vessels touch (vessel_contact.h).
 *            Mask or surface: its pieces, down to a twentieth of the largest.
 * Errors: read errors, ERR_OUTPUT. Test: tests/cli/segment.txt, tests/unit/segment/test_segment_caps.c */
MUST_CHECK int ends_command_print(const ends_command_options *o, FILE *to);
#endif
