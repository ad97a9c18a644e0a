/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes from a formula. */
#ifndef PORTAFLOW_TESTS_FILL_H
#define PORTAFLOW_TESTS_FILL_H
#include "common/image/volume.h"

/* Every voxel of v becomes f at its centre (LPS, mm). */
static inline void fill_volume(volume *v, double (*f)(const void *data, const double lps_mm[3]), const void *data) {
    for (int k = 0; k < v->dims[2]; k++)
        for (int j = 0; j < v->dims[1]; j++)
            for (int i = 0; i < v->dims[0]; i++) {
                double p[3];
                volume_to_lps(v, (const double[3]){i, j, k}, p);
                v->value[volume_index(v, i, j, k)] = (float)f(data, p);
            }
}
#endif
