/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/mesh_job.h"

int mesh_job_box(const mesh_job *j, voxelize_input *in) {
    double low[3], high[3];
    const double margin = j->l.is_shape ? 0 : 3 * in->spacing_mm;
    for (int a = 0; a < 3; a++) {
        low[a] = j->low_mm[a] - margin;
        high[a] = j->high_mm[a] + margin;
    }
    return voxelize_box(in, low, high);
}

double mesh_job_memory(const voxelize_input *in, double cells) {
    const double box = (double)in->dims[0] * in->dims[1] * in->dims[2];
    /* bytes: 200 per stored cell (cells, pieces, links, lattice, potential flow), and 0.4 per cell of the box (cell
     * map) */
    return 200 * cells + 0.4 * box;
}
