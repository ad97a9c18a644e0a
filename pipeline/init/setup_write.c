/* See setup_write.h. */
#include "pipeline/init/setup_write.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/image/itk_image.h"
#include "pipeline/init/setup_page.h"
#include <math.h>
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

int setup_write(const char *path, const char *dir, const char *image_name, const find_list *found, bool *written) {
    char *image_path = file_join(dir, image_name), *mask_path = NULL;
    const char *mask_name = found->n[FIND_MASK] ? found->name[FIND_MASK][0] : NULL;
    volume image = {0}, mask = {0};
    int rc = OK;
    *written = false;
    if (!image_path)
        return fail_memory("a path", FILE_PATH_MAX);
    if (image_read(image_path, NULL, &image) != OK) {
        status_clear();
        goto cleanup;
    }
    if (mask_name && (mask_path = file_join(dir, mask_name)) && image_read(mask_path, NULL, &mask) != OK)
        status_clear();
    const setup_page page = {.image = &image,
                             .lumen = mask.value && same_grid(&image, &mask) ? &mask : NULL,
                             .image_name = image_name,
                             .labels_name = mask_name};
    TRY(setup_page_write(path, &page));
    *written = true;
cleanup:
    volume_free(&image);
    volume_free(&mask);
    free(image_path);
    free(mask_path);
    return rc;
}
