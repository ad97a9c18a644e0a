/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image/label_kind.h"
#include <string.h>

enum label_kind label_kind_from_name(const char *name) {
    static const char *const word[LABEL_OTHER][6] = {
        [LABEL_PORTAL] = {"portal"},
        [LABEL_VESSEL] = {"vessel", "lumen"},
        [LABEL_ARTERY] = {"arter", "aorta", "carotid", "trunk"},
        [LABEL_VEIN] = {"vein", "vena", "venous", "cava", "jugular"},
    };
    for (int kind = 0; kind < LABEL_OTHER; kind++)
        for (const char *const *w = word[kind]; *w != NULL; w++)
            if (strcasestr(name, *w) != NULL)
                return (enum label_kind)kind;
    return LABEL_OTHER;
}
