/* See setup_write.h. */
#include "pipeline/init/setup_write.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/image/itk_image.h"
#include "pipeline/init/setup_page.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_grid(const volume *a, const volume *b) {
    bool same = true;
    for (int k = 0; k < 8 && same; k++) {
        double index[3], p[3], q[3];
        for (int c = 0; c < 3; c++) {
            same = same && a->dims[c] == b->dims[c];
            index[c] = k >> c & 1 ? a->dims[c] - 1 : 0;
        }
        volume_to_lps(a, index, p);
        volume_to_lps(b, index, q);
        for (int c = 0; c < 3; c++)
            same = same && fabs(p[c] - q[c]) < 0.1 * a->spacing_mm[c];
    }
    return same;
}

/* Ends as openings of the page. name [LOOK_ENDS]. Returns how many. */
static int propose(const look_vessel *v, struct setup_point point[LOOK_ENDS], char name[LOOK_ENDS][16]) {
    for (int k = 0; k < v->n_end; k++) {
        const double *ras = v->end[k].point;
        snprintf(name[k], sizeof name[k], "end-%d", k + 1);
        point[k] = (struct setup_point){"opening", name[k], "outlet", {-ras[0], -ras[1], ras[2]}};
    }
    return v->n_end;
}

int setup_write(const char *path, const char *dir, const init_choice *choice, bool *written) {
    char *image_path = file_join(dir, choice->image), *mask_path = NULL, name[LOOK_ENDS][16];
    const char *mask_name = choice->mask[0] ? choice->mask : NULL;
    const char *series = choice->series[0] ? choice->series : NULL;
    struct setup_point point[LOOK_ENDS];
    volume image = {0}, mask = {0};
    int rc = OK;
    *written = false;
    if (!image_path)
        return fail_memory("a path", FILE_PATH_MAX);
    if (image_read(image_path, series, &image) != OK) {
        status_clear();
        goto cleanup;
    }
    if (mask_name && (mask_path = file_join(dir, mask_name)) && image_read(mask_path, NULL, &mask) != OK)
        status_clear();
    const bool sure = (mask_name || choice->surface[0]) && choice->ends.n_vessel > 0;
    const setup_page page = {.image = &image,
                             .lumen = mask.value && same_grid(&image, &mask) ? &mask : NULL,
                             .image_name = choice->image,
                             .labels_name = mask_name,
                             .n_point = sure ? propose(&choice->ends.vessel[0], point, name) : 0,
                             .point = point};
    TRY(setup_page_write(path, &page));
    *written = true;
cleanup:
    volume_free(&image);
    volume_free(&mask);
    free(image_path);
    free(mask_path);
    return rc;
}
