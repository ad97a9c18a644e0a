/* SPDX-License-Identifier: Apache-2.0 */
/* See halo.h. */
#include "solve/core/halo.h"
#include <stdlib.h>
#include <string.h>

void halo_free(halo *h) {
    free(h->peer);
    free(h->first);
    free(h->mine);
    free(h->theirs);
    free(h->mine_slot);
    free(h->theirs_slot);
    memset(h, 0, sizeof *h);
}
