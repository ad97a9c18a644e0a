/* SPDX-License-Identifier: Apache-2.0 */
/* See halo.h. */
#include "solve/core/halo.h"
#include <stdlib.h>
#include <string.h>

void halo_free(halo *h) {
    free(h->peer);
    free(h->first_sent);
    free(h->first_received);
    for (int odd = 0; odd < 2; odd++) {
        free(h->sent[odd].cell);
        free(h->sent[odd].slot);
        free(h->received[odd].cell);
        free(h->received[odd].slot);
    }
    memset(h, 0, sizeof *h);
}
