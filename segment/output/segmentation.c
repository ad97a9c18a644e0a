/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/output/segmentation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void segmentation_free(segmentation *s) {
    volume_free(&s->given.image);
    image_fill_free(&s->given.fill);
    image_fill_free(&s->given.nan);
    volume_free(&s->given.mask);
    volume_free(&s->lumen.phi);
    surface_free(&s->lumen.wall);
    vessel_table_free(&s->vessel.table);
    centerline_free(&s->vessel.lines);
    free(s->given.seed_mm);
    free(s->found.cap);
    free(s->given.opening_mm);
    free(s->given.opening_normal);
    treated_report_free(&s->treated);
    case_free(&s->c);
}

const volume *segmentation_reference(const segmentation *s) {
    return s->given.mask.value != NULL ? &s->given.mask : (s->given.image.value != NULL ? &s->given.image : NULL);
}

void segmentation_to_case_space(const segmentation *s, const double lps_mm[3], double at[3]) {
    memcpy(at, lps_mm, 3 * sizeof *at);
    if (s->c.space == SPACE_RAS) {
        at[0] = -lps_mm[0];
        at[1] = -lps_mm[1];
    } else if (s->c.space == SPACE_VOXEL) {
        volume_to_index(&s->given.whole, lps_mm, at);
    }
}

const char *segmentation_space_name(const segmentation *s) {
    static const char *const name[] = {"RAS", "LPS", "voxel"}; /* indexed by enum case_space */
    return name[s->c.space];
}

static void format_touched_sides(const segmentation *s, char *text, size_t size) {
    const volume *reference = segmentation_reference(s);
    size_t used = 0;
    text[0] = 0;
    for (int bit = 0; bit < 6 && reference != NULL; bit++)
        if (s->lumen.measured.touched >> bit & 1)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", measure_side_name(reference, bit));
}

void segmentation_summary(const segmentation *s, char line[SUMMARY_LINES][SUMMARY_LINE]) {
    const measure *m = &s->lumen.measured;
    const volume *v = &s->lumen.phi;
    char sides[100];
    format_touched_sides(s, sides, sizeof sides);
    snprintf(line[0], SUMMARY_LINE, "volume %.4g mL, %d %s", m->volume_ml, m->components,
             m->components == 1 ? "piece" : "pieces");
    snprintf(line[1], SUMMARY_LINE, "radius %.3g to %.3g mm, median %.3g mm", m->radius_mm[0], m->radius_mm[2],
             m->radius_mm[1]);
    if (sides[0])
        snprintf(line[2], SUMMARY_LINE, "reaches the border of the image: %s", sides);
    else
        snprintf(line[2], SUMMARY_LINE, "does not reach the border of the image");
    snprintf(line[3], SUMMARY_LINE, "grid %d x %d x %d, %.3g x %.3g x %.3g mm", v->dims[0], v->dims[1], v->dims[2],
             v->spacing_mm[0], v->spacing_mm[1], v->spacing_mm[2]);
    line[4][0] = 0;
    double doubtful = 100 * (1 - s->found.leak.edge_support);
    if (s->c.segment.method == METHOD_LEVEL_SET && doubtful >= 0.5)
        snprintf(line[4], SUMMARY_LINE, "magenta: hardly any edge of the image at the wall (%.0f %% of it)", doubtful);
}
