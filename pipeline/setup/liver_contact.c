/* SPDX-License-Identifier: Apache-2.0 */
/* See liver_contact.h. */
#include "pipeline/setup/liver_contact.h"
#include <math.h>

static bool is_liver(const volume *liver, const double lps_mm[3]) {
    double index[3];
    int at[3];
    volume_to_index(liver, lps_mm, index);
    for (int a = 0; a < 3; a++) {
        if (!(index[a] > -0.5) || !(index[a] < liver->dims[a] - 0.5))
            return false;
        at[a] = (int)lround(index[a]);
    }
    return liver->value[volume_index(liver, at[0], at[1], at[2])] > 0;
}

static bool meets_liver(const volume *liver, const double lps_mm[3], const double direction[3]) {
    const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    const double step_mm = fmin(fmin(liver->spacing_mm[0], liver->spacing_mm[1]), liver->spacing_mm[2]) / 2;
    for (int k = 0; k * step_mm <= LIVER_CONTACT_MM; k++) {
        double p[3];
        for (int a = 0; a < 3; a++)
            p[a] = lps_mm[a] + k * step_mm / length * direction[a];
        if (is_liver(liver, p))
            return true;
    }
    return false;
}

bool liver_contact_at(const volume *liver, const double lps_mm[3]) {
    int n = 0;
    for (int code = 0; code < 27; code++) {
        const double direction[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        n += code != 13 && meets_liver(liver, lps_mm, direction); /* code 13 is the direction (0, 0, 0) */
    }
    return n >= LIVER_CONTACT_PART * 26;
}
