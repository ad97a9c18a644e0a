/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/voxel.h"
#include "common/base/status.h"
#include <stdlib.h>

int voxel_list_push(voxel_list *l, size_t voxel) {
    if (l->n == l->room) {
        const size_t room = l->room ? 2 * l->room : 1024;
        size_t *grown = realloc(l->voxel, room * sizeof *grown);
        if (grown == NULL)
            return fail_memory("a list of voxels", (double)room * sizeof *grown);
        l->voxel = grown;
        l->room = room;
    }
    l->voxel[l->n++] = voxel;
    return OK;
}
