/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/bridge/ball_tube.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <string.h>

void ball_tube_add(const double ball[4], volume *v) {
    const double reach = ball[3] + 2 * v->spacing_mm[0] + 2 * v->spacing_mm[2];
    double middle[3];
    int low[3], high[3];
    volume_to_index(v, ball, middle);
    for (int a = 0; a < 3; a++) {
        low[a] = (int)fmax(0, ceil(middle[a] - reach / v->spacing_mm[a]));
        high[a] = (int)fmin(v->dims[a] - 1, floor(middle[a] + reach / v->spacing_mm[a]));
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                double at[3];
                float *f = &v->value[volume_index(v, i, j, k)];
                volume_to_lps(v, (const double[3]){i, j, k}, at);
                *f = fminf(*f, (float)(vec_distance(at, ball) - ball[3]));
            }
}

int ball_tube_room(const volume *phi, double room_mm, volume *out) {
    int dims[3], add[3], rc;
    double origin[3];
    for (int a = 0; a < 3; a++) {
        add[a] = (int)ceil(room_mm / phi->spacing_mm[a]);
        dims[a] = phi->dims[a] + 2 * add[a];
    }
    volume_to_lps(phi, (const double[3]){-add[0], -add[1], -add[2]}, origin);
    rc = volume_create(out, dims, phi->spacing_mm, origin, phi->direction);
    for (size_t i = 0; rc == OK && i < volume_size(out); i++)
        out->value[i] = (float)room_mm;
    for (int k = 0; rc == OK && k < phi->dims[2]; k++)
        for (int j = 0; j < phi->dims[1]; j++)
            memcpy(&out->value[volume_index(out, add[0], j + add[1], k + add[2])],
                   &phi->value[volume_index(phi, 0, j, k)], (size_t)phi->dims[0] * sizeof *phi->value);
    return rc;
}
