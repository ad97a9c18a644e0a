/* The cut links of the kept cells. */
#ifndef PORTAFLOW_LINKS_H
#define PORTAFLOW_LINKS_H
#include "common/base/must_check.h"
#include "mesh/cells.h"
#include "mesh/section.h"

typedef struct {
    int64_t n, room;
    int32_t *cell;    /* [n] number among the kept cells */
    uint8_t *dir;     /* [n] */
    float *q;         /* [n] */
    uint8_t *opening; /* [n] 0 wall, k + 1 */
    int64_t n_border; /* fluid cells with a link through a face of the box into fluid outside */
    double border_mm[3];
} links;

/* In the order of lattice.h. keep as component_choose left it. Errors: ERR_RESOURCE. */
MUST_CHECK int links_create(links *l, const cells *c, const voxelize_input *in, const section *sections,
                            const uint8_t *keep);
void links_free(links *l);
#endif
