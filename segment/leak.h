/* Whether a level set has left the vessel. */
#ifndef PORTAFLOW_SEGMENT_LEAK_H
#define PORTAFLOW_SEGMENT_LEAK_H
#include "common/surface.h"
#include "common/volume.h"
#include "segment/measure.h"
#include "segment/seeds.h"

enum { LEAK_TEXT = 400 };

typedef struct {
    double max_volume_ml;   /* limit used */
    double edge_support;    /* part of the wall's area with at least a quarter of the seeds' contrast across it */
    double border_part;     /* part of the wall's area on the outer faces of the image */
    double patch_radius_mm; /* of the circle as large as the largest piece of wall on one face */
    double alien_part;      /* part of the lumen whose intensity is far from the seeds' */
} leak_signs;

/* phi: true distance of `wall`. why: out, "" when there is no leak, otherwise what was found
 * and what to do. A vessel may leave the image; a leak lies along it. Errors: ERR_RESOURCE. */
int leak_find(const volume *image, const seeds_statistics *seeds, const volume *phi, const surface *wall,
              const measure *m, double max_volume_ml, leak_signs *signs, char why[LEAK_TEXT]);
#endif
