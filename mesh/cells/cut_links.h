/* SPDX-License-Identifier: Apache-2.0 */
/* The cut links of the kept cells. */
#ifndef PORTAFLOW_CUT_LINKS_H
#define PORTAFLOW_CUT_LINKS_H
#include "common/base/must_check.h"
#include "mesh/cells/fluid_cells.h"
#include "mesh/section/cross_section.h"

typedef struct {
    int64_t n, room;
    int32_t *cell;    /* [n] new number of the link's cell */
    uint8_t *dir;     /* [n] lattice direction of the link */
    float *q;         /* [n] wall distance q */
    uint8_t *opening; /* [n] what the link crosses: 0 the wall, k + 1 opening k */
    /* n_border: number of fluid cells with a link through a face of the box into fluid outside it; border_mm: position
     * of one of them */
    int64_t n_border;
    double border_mm[3];
} cut_links;

/* Find the cut links of the kept cells, in the order of lattice.h. keep: from main_piece_choose. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int cut_links_create(cut_links *l, const fluid_cells *c, const voxelize_input *in, const section *sections,
                                const uint8_t *keep);
void cut_links_free(cut_links *l);
#endif
