/* See frame_look.h. */
#include "pipeline/init/frame_look.h"
#include "common/base/order.h"
#include <math.h>
#include <stdlib.h>

enum { AROUND = 96 };
static const double NEAR_MM = 10, FAR_MM = 14, STANDS_OUT = 4; /* times the spread of what is round it */

/* Difference to the median of 96 places round it, over their spread; NaN outside the image. */
static double contrast(const volume *image, const double at[3]) {
    double value[AROUND], spread[AROUND];
    if (!volume_contains(image, at))
        return NAN;
    for (int k = 0; k < AROUND; k++) { /* spread evenly over directions by the golden angle */
        const double z = 1 - 2 * (k + 0.5) / AROUND, turn = k * M_PI * (3 - sqrt(5)), r = sqrt(1 - z * z);
        const double mm = NEAR_MM + (FAR_MM - NEAR_MM) * (k % 3) / 2;
        const double place[3] = {at[0] + mm * r * cos(turn), at[1] + mm * r * sin(turn), at[2] + mm * z};
        value[k] = volume_sample(image, place);
    }
    qsort(value, AROUND, sizeof *value, order_double);
    const double middle = 0.5 * (value[AROUND / 2 - 1] + value[AROUND / 2]);
    for (int k = 0; k < AROUND; k++)
        spread[k] = fabs(value[k] - middle);
    qsort(spread, AROUND, sizeof *spread, order_double);
    return (volume_sample(image, at) - middle) / (1.48 * spread[AROUND / 2] + 1e-9 * fabs(middle) + 1e-30);
}

/* Does every seed stand out, all of them to the same side? */
static bool all_stand_out(const case_file *c, const volume *image, bool exchanged) {
    int bright = 0, dark = 0;
    for (int k = 0; k < c->segment.n_seed; k++) {
        double at[3];
        case_point_lps(c, c->segment.seed[k], image, at);
        for (int a = 0; a < 2 && exchanged; a++)
            at[a] = -at[a];
        const double by = contrast(image, at);
        bright += by > STANDS_OUT;
        dark += by < -STANDS_OUT;
    }
    return bright == c->segment.n_seed || dark == c->segment.n_seed;
}

bool frame_look_exchanged(const case_file *c, const volume *image) {
    return c->space != SPACE_VOXEL && c->segment.n_seed > 1 && image->value && !all_stand_out(c, image, false) &&
           all_stand_out(c, image, true);
}
