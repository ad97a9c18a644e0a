/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that draw the vessels of each phantom kind. */
#ifndef PORTAFLOW_KINDS_H
#define PORTAFLOW_KINDS_H
#include "common/base/must_check.h"
#include "data/phantom/vessel_curve.h"
#include "data/phantom/phantom.h"

/* Nodes and openings of the portal venous tree (SOURCES.md), also used by abdomen.c. Trunk: superior mesenteric vein to
 * right branch; splenic vein; left branch. */
enum { KINDS_TRUNK = 8, KINDS_SPLENIC = 4, KINDS_LEFT = 3 };
extern const vessel_curve_node kinds_portal_trunk[KINDS_TRUNK], kinds_portal_splenic[KINDS_SPLENIC],
    kinds_portal_left[KINDS_LEFT];
extern const vessel_curve_end kinds_portal_smv, kinds_portal_sv, kinds_portal_rpv, kinds_portal_lpv;

/* Draw vessels with radii from the literature (SOURCES.md). Errors: ERR_INTERNAL (an array of the phantom is full). */
MUST_CHECK int kinds_portal(phantom *p);
MUST_CHECK int kinds_tube(phantom *p);
MUST_CHECK int kinds_curved(phantom *p);
MUST_CHECK int kinds_stenosis(phantom *p);
MUST_CHECK int kinds_carotid(phantom *p);

/* Phantoms in the boxes of Shang et al. 2023 (boxes.c); radii are multiplied by p->multiplier. boxes_set_dims sets
 * dims, spacing_mm and fluid_fraction, boxes_draw the lumen. Errors: ERR_INTERNAL (an array of the phantom is full). */
void boxes_set_dims(phantom *p);
MUST_CHECK int boxes_draw(phantom *p);
#endif
