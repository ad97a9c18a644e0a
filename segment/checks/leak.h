/* SPDX-License-Identifier: Apache-2.0 */
/* Signs that a level set has left the vessel, and the place of the leak. */
#ifndef PORTAFLOW_SEGMENT_LEAK_H
#define PORTAFLOW_SEGMENT_LEAK_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include "segment/checks/neck.h"
#include "segment/checks/parallel_vessel.h"
#include "segment/checks/roughness.h"
#include "segment/seeds/seeds.h"
#include "segment/voxel/lumen_size.h"

/* LEAK_TEXT: size of a sentence about a leak. LEAK_WIDEST: the lumen is a leak if its largest radius exceeds this
 * multiple of the radius at the widest seed. */
enum { LEAK_TEXT = 400, LEAK_WIDEST = 4 };

typedef struct {
    double max_volume_ml; /* volume limit that was used */
    /* part of the wall's area where the step across the wall is a quarter of the seeds' contrast or more; wall on the
     * faces of the image is excluded */
    double edge_support;
    double border_part;     /* part of the wall's area that is on the faces of the image */
    double patch_radius_mm; /* radius of a circle with the area of the largest patch of wall on one face */
    double alien_part;      /* fraction of the lumen with an intensity far from the intensities at the seeds */
    neck neck;              /* part of the lumen that only a narrow neck connects with the seeds */
    parallel_vessel along;  /* second vessel along the seeded one, without a wall between them */
    roughness rough;        /* part of the lumen that is as rough as bone (roughness.h) */
    double place_mm[3];     /* position of the leak, LPS; NaN: no sign of a leak */
} leak_signs;

/* Check a lumen for a leak. phi: signed distance of `wall`. seed [n][3]: LPS, mm. why: "" if there is no leak, else the
 * reason and the remedy. A vessel may leave the image through a face; a leak spreads along a face. Errors:
 * ERR_RESOURCE. Test: tests/unit/segment/test_segment_leak.c */
MUST_CHECK int leak_find(const volume *image, const seeds_statistics *seeds, int n, const double (*seed)[3],
                         const volume *phi, const surface *wall, const measure *m, double max_volume_ml,
                         leak_signs *signs, char why[LEAK_TEXT]);

/* True if the image has an edge at the wall point p_mm with outward unit normal n. Two points are compared, 1.5 voxels
 * (smallest edge) inside and outside; they must differ by a quarter of the seeds' contrast or more. */
bool leak_edge_at(const volume *image, const seeds_statistics *seeds, const double p_mm[3], const double n[3]);
#endif
