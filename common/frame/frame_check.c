/* SPDX-License-Identifier: Apache-2.0 */
#include "common/frame/frame_check.h"
#include "common/base/order.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { AROUND = 96 };
/* A seed is compared with points NEAR_MM to FAR_MM away from it. The seed counts as inside a vessel if its contrast to
 * these points exceeds STANDS_OUT times their spread. */
static const double NEAR_MM = 10, FAR_MM = 14, STANDS_OUT = 4;

/* Contrast of a point: its value minus the median of 96 surrounding points, divided by the spread of these points; NaN
 * outside the image. */
static double point_contrast(const volume *image, const double at[3]) {
    double value[AROUND], spread[AROUND];
    if (!volume_contains(image, at))
        return NAN;
    for (int k = 0; k < AROUND; k++) { /* golden angle: even distribution over all directions */
        const double z = 1 - 2 * (k + 0.5) / AROUND, turn = k * M_PI * (3 - sqrt(5)), r = sqrt(1 - z * z);
        const double mm = NEAR_MM + (FAR_MM - NEAR_MM) * (k % 3) / 2;
        const double place[3] = {at[0] + mm * r * cos(turn), at[1] + mm * r * sin(turn), at[2] + mm * z};
        value[k] = volume_sample(image, place);
    }
    qsort(value, AROUND, sizeof *value, order_double);
    const double middle = 0.5 * (value[AROUND / 2 - 1] + value[AROUND / 2]);
    for (int k = 0; k < AROUND; k++)
        spread[k] = fabs(value[k] - middle);
    return (volume_sample(image, at) - middle) / (1.48 * order_median(spread, AROUND) + 1e-9 * fabs(middle) + 1e-30);
}

/* Properties of the seeds, if their coordinates are read in one of the spaces RAS, LPS and voxel. */
typedef struct {
    int outside;    /* number of seeds outside the image */
    bool stand_out; /* true: either all seeds are clearly brighter than their surroundings, or all are clearly darker */
} seed_look;

static seed_look look_as(const case_file *c, int space, const volume *image, const volume *whole) {
    case_file as = *c;
    int bright = 0, dark = 0;
    seed_look seen = {0};
    as.space = space;
    for (int k = 0; k < c->segment.n_seed; k++) {
        double at[3];
        case_point_lps(&as, c->segment.seed[k], whole, at);
        const double by = point_contrast(image, at);
        bright += by > STANDS_OUT;
        dark += by < -STANDS_OUT;
        seen.outside += !volume_contains(whole, at);
    }
    seen.stand_out = c->segment.n_seed > 0 && (bright == c->segment.n_seed || dark == c->segment.n_seed);
    return seen;
}

int frame_check_find(const case_file *c, const volume *image, const volume *whole) {
    if (image->value == NULL)
        return -1;
    const seed_look given = look_as(c, c->space, image, whole);
    if (given.stand_out || (c->segment.n_seed < 2 && given.outside == 0))
        return -1;
    for (int space = SPACE_RAS; space <= SPACE_VOXEL; space++)
        if (space != (int)c->space && look_as(c, space, image, whole).stand_out)
            return space;
    return -1;
}

void frame_check_write_question(const case_file *c, int other, char text[FRAME_CHECK_TEXT]) {
    static const char *const name[] = {"RAS", "LPS", "voxel"}; /* indexed by enum case_space */
    snprintf(text, FRAME_CHECK_TEXT,
             "with space %s some seeds do not look like a vessel, with %s all of them do: is 'space: %s' meant?",
             name[c->space], name[other], name[other]);
}
