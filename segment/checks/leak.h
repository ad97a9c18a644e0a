/* Whether a level set has left the vessel, and where. */
#ifndef PORTAFLOW_SEGMENT_LEAK_H
#define PORTAFLOW_SEGMENT_LEAK_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include "segment/checks/neck.h"
#include "segment/checks/parallel_vessel.h"
#include "segment/checks/roughness.h"
#include "segment/seeds/seeds.h"
#include "segment/voxel/measure.h"

enum { LEAK_TEXT = 400, LEAK_WIDEST = 4 }; /* of a sentence; the largest radius, times that at the widest seed */

typedef struct {
    double max_volume_ml;   /* limit used */
    double edge_support;    /* part of the wall's area with at least a quarter of the seeds' contrast across it */
    double border_part;     /* part of the wall's area on the outer faces of the image */
    double patch_radius_mm; /* of the circle as large as the largest piece of wall on one face */
    double alien_part;      /* part of the lumen whose intensity is far from the seeds' */
    neck neck;              /* what only a narrow neck joins to the vessel of the seeds */
    parallel_vessel along;  /* a vessel along that of the seeds, without a wall between */
    roughness rough;        /* where it is as uneven inside as bone */
    double place_mm[3];     /* LPS: the middle of what speaks most for a leak; NaN: nothing does */
} leak_signs;

/* phi: true distance of `wall`. seed [n][3] LPS mm. why: out, "" when there is no leak, otherwise what was found
 * and what to do. A vessel may leave the image; a leak lies along it. Errors: ERR_RESOURCE.
 * Test: tests/unit/segment/test_segment_leak.c */
MUST_CHECK int leak_find(const volume *image, const seeds_statistics *seeds, int n, const double (*seed)[3],
                         const volume *phi, const surface *wall, const measure *m, double max_volume_ml,
                         leak_signs *signs, char why[LEAK_TEXT]);

/* True where the wall at p_mm with outward unit normal n has at least a quarter of the seeds' contrast across it, 1.5
 * of the thinnest voxels to both sides. */
bool leak_edge_at(const volume *image, const seeds_statistics *seeds, const double p_mm[3], const double n[3]);
#endif
