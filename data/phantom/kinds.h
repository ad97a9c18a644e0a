/* How each phantom is drawn. */
#ifndef PORTAFLOW_KINDS_H
#define PORTAFLOW_KINDS_H
#include "common/base/must_check.h"
#include "data/phantom/limb.h"
#include "data/phantom/phantom.h"

/* The portal venous tree (README.md), which abdomen.c varies: superior mesenteric vein to the right branch, the splenic
 * vein, the left branch; the ends of these. */
enum { KINDS_TRUNK = 8, KINDS_SPLENIC = 4, KINDS_LEFT = 3 };
extern const limb_node kinds_portal_trunk[KINDS_TRUNK], kinds_portal_splenic[KINDS_SPLENIC],
    kinds_portal_left[KINDS_LEFT];
extern const limb_end kinds_portal_smv, kinds_portal_sv, kinds_portal_rpv, kinds_portal_lpv;

/* Patients and tubes with radii from the literature (kinds.c). Errors of all: ERR_INTERNAL when an array of the phantom
 * is full. */
MUST_CHECK int kinds_portal(phantom *p);
MUST_CHECK int kinds_tube(phantom *p);
MUST_CHECK int kinds_curved(phantom *p);
MUST_CHECK int kinds_stenosis(phantom *p);
MUST_CHECK int kinds_carotid(phantom *p);

/* Phantoms in the boxes of the paper, radii times p->multiplier (boxes.c). dims, spacing_mm and fluid_fraction are
 * filled by boxes_start, the lumen by boxes_draw. Errors: ERR_INTERNAL: more nodes or parts than a phantom holds. */
void boxes_start(phantom *p);
MUST_CHECK int boxes_draw(phantom *p);
#endif
