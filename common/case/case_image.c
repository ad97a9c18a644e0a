/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case.h: case_image_box. */
#include "common/base/status.h"
#include "common/case/case.h"
#include <math.h>
#include <stdio.h>

enum { LEAST = 3 };

static void include_point(const volume *image, const double lps[3], double low[3], double high[3]) {
    double index[3];
    volume_to_index(image, lps, index);
    for (int a = 0; a < 3; a++) {
        low[a] = fmin(low[a], index[a]);
        high[a] = fmax(high[a], index[a]);
    }
}

/* Widens low..high, in voxels, to the bounding box of the seeds and openings with the margin image.crop. */
static void round_points(const case_file *c, const volume *image, double low[3], double high[3]) {
    double lps[3];
    for (int k = 0; k < c->segment.n_seed; k++) {
        case_point_lps(c, c->segment.seed[k], image, lps);
        include_point(image, lps, low, high);
    }
    for (int k = 0; k < c->n_opening; k++) {
        case_point_lps(c, c->opening[k].point, image, lps);
        include_point(image, lps, low, high);
    }
    for (int a = 0; a < 3; a++) {
        low[a] -= c->image.crop_mm / image->spacing_mm[a];
        high[a] += c->image.crop_mm / image->spacing_mm[a];
    }
}

static void round_box(const case_file *c, const volume *image, double low[3], double high[3]) {
    for (int corner = 0; corner < 8; corner++) {
        double point[3], lps[3];
        for (int a = 0; a < 3; a++)
            point[a] = (corner >> a & 1) ? c->image.box_high[a] : c->image.box_low[a];
        case_point_lps(c, point, image, lps);
        include_point(image, lps, low, high);
    }
}

static int check_inside(const case_file *c, const volume *image, const double point[3], const int low[3],
                        const int high[3], const char *what) {
    double lps[3], index[3];
    case_point_lps(c, point, image, lps);
    volume_to_index(image, lps, index);
    for (int a = 0; a < 3; a++)
        if (index[a] < low[a] - 0.5 || index[a] > high[a] + 0.5)
            return fail(ERR_INPUT,
                        "%s at [%g, %g, %g] is outside image.box; enlarge image.box, or remove the key image.box", what,
                        point[0], point[1], point[2]);
    return OK;
}

int case_image_box(const case_file *c, const volume *image, int low[3], int high[3], bool *cut) {
    double from[3] = {INFINITY, INFINITY, INFINITY}, to[3] = {-INFINITY, -INFINITY, -INFINITY};
    const bool crop = !isnan(c->image.crop_mm), box = !isnan(c->image.box_low[0]) && !isnan(c->image.box_high[0]);
    char what[96];
    int rc = OK;
    *cut = (crop || box) && c->segment.method == METHOD_LEVEL_SET;
    for (int a = 0; a < 3; a++) {
        low[a] = 0;
        high[a] = image->dims[a] - 1;
    }
    if (!*cut)
        return OK;
    if (box)
        round_box(c, image, from, to);
    else
        round_points(c, image, from, to);
    for (int a = 0; a < 3; a++) {
        low[a] = (int)fmax(0, fmin(image->dims[a], floor(from[a] + 0.5)));
        high[a] = (int)fmin(image->dims[a] - 1, fmax(-1, floor(to[a] + 0.5)));
        if (high[a] - low[a] + 1 < LEAST)
            return fail(ERR_INPUT,
                        "image.%s selects %d of %d voxels along axis %d of the image, but %d or more are needed; give "
                        "%s in the case's space and inside the image",
                        box ? "box" : "crop", high[a] < low[a] ? 0 : high[a] - low[a] + 1, image->dims[a], a + 1, LEAST,
                        box ? "its corners" : "seeds and openings");
    }
    for (int k = 0; k < c->segment.n_seed && box && rc == OK; k++) {
        snprintf(what, sizeof what, "seed %d", k + 1);
        rc = check_inside(c, image, c->segment.seed[k], low, high, what);
    }
    for (int k = 0; k < c->n_opening && box && rc == OK; k++) {
        snprintf(what, sizeof what, "opening '%s'", c->opening[k].name);
        rc = check_inside(c, image, c->opening[k].point, low, high, what);
    }
    return rc;
}
