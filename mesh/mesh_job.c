/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/mesh_job.h"
#include "common/base/status.h"
#include <math.h>

/* Box around low..high with a margin on every side. */
static int box_around(voxelize_input *in, const double low_mm[3], const double high_mm[3], double margin_mm) {
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = low_mm[a] - margin_mm;
        high[a] = high_mm[a] + margin_mm;
    }
    return voxelize_box(in, low, high);
}

int mesh_job_box(const mesh_job *j, voxelize_input *in) {
    const double s = in->spacing_mm, margin = j->l.is_shape ? 0 : 3 * s;
    voxelize_input before = *in;
    int rc = OK;
    TRY(box_around(in, j->low_mm, j->high_mm, margin));
    if (isnan(j->c.mesh.before_spacing_mm))
        return OK;
    TRY(box_around(&before, j->c.mesh.before_low_mm, j->c.mesh.before_high_mm, margin));
    /* shift the box by less than a cell onto the lattice before the treatment; one more cell per axis covers the
     * shift */
    for (int a = 0; a < 3; a++) {
        in->origin_mm[a] = before.origin_mm[a] + s * floor((in->origin_mm[a] - before.origin_mm[a]) / s + 1e-6);
        in->dims[a]++;
    }
cleanup:
    return rc;
}

double mesh_job_memory(const voxelize_input *in, double cells) {
    const double box = (double)in->dims[0] * in->dims[1] * in->dims[2];
    /* bytes: 200 per stored cell (cells, pieces, links, lattice, potential flow), and 0.4 per cell of the box (cell
     * map) */
    return 200 * cells + 0.4 * box;
}
