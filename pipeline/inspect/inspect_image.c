/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/inspect/inspect_image.h"
#include "pipeline/inspect/mask_names.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef PIPELINE_HAVE_IMAGE
#include "common/image_file/label_names.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/labels_select.h"
#include "common/record/dicom_head.h"

int inspect_image(const char *path, const char *series, bool pixels, volume *v, bool *seen) {
    memset(v, 0, sizeof *v);
    *seen = true;
    int rc = pixels ? image_read(path, series, v) : image_read_geometry(path, series, v);
    if (rc != OK || !pixels) {
        free(v->value);
        v->value = NULL;
    }
    return rc;
}

static double filled_volume_ml(const volume *v, bool labels) {
    const float zero = labels ? 0.5F : 0; /* half a label, because labels are rounded */
    double n = 0;
    for (size_t i = 0; i < volume_size(v); i++)
        n += fabsf(v->value[i]) > zero;
    return n * v->spacing_mm[0] * v->spacing_mm[1] * v->spacing_mm[2] / 1000;
}

int inspect_image_kind(const char *path, volume *v, bool *seen, bool *labels, double *filled_ml) {
    *labels = false;
    *filled_ml = NAN;
    if (file_is_folder(path))
        return inspect_image(path, NULL, false, v, seen);
    memset(v, 0, sizeof *v);
    *seen = true;
    const int rc = image_read(path, NULL, v);
    if (rc == OK) {
        *labels = labels_recognize(v);
        *filled_ml = filled_volume_ml(v, *labels);
    }
    free(v->value);
    v->value = NULL;
    return rc;
}

int inspect_image_labels(const char *path, int n, const int *value, volume *v, bool *seen) {
    *seen = true;
    int rc = image_read(path, DICOM_HEAD_LABELS, v);
    if (rc == OK)
        rc = labels_select(path, v, n, value);
    volume_free(v);
    return rc;
}

int inspect_image_liver(const char *path, int n, const int *value, liver_grid *g) {
    volume v = {0};
    int rc;
    memset(g, 0, sizeof *g);
    TRY(image_read(path, DICOM_HEAD_LABELS, &v));
    TRY(labels_select(path, &v, n, value));
    TRY(liver_grid_create(&v, LIVER_CELLS, g));
    TRY(liver_grid_check(g));
cleanup:
    volume_free(&v);
    return rc;
}

int inspect_series(const char *path, dicom_series_list *list) {
    return dicom_list_series(path, list);
}

int inspect_image_mask_rank(const char *path) {
    enum { NAMES_MAX = 200 };
    label_name *name = calloc(NAMES_MAX, sizeof *name);
    const int n = name ? label_names_read(path, NAMES_MAX, name) : 0;
    int rank = mask_names_rank(path);
    for (int k = 0; k < n; k++) {
        const int of_label = mask_names_rank(name[k].name);
        rank = of_label < rank ? of_label : rank;
    }
    free(name);
    return rank;
}

#else /* build without ITK */

int inspect_image_mask_rank(const char *path) {
    return mask_names_rank(path);
}

int inspect_image_liver(const char *path, int n, const int *value, liver_grid *g) {
    (void)path;
    (void)n;
    (void)value;
    memset(g, 0, sizeof *g);
    return OK;
}

int inspect_series(const char *path, dicom_series_list *list) {
    (void)path;
    memset(list, 0, sizeof *list);
    return OK;
}

int inspect_image(const char *path, const char *series, bool pixels, volume *v, bool *seen) {
    (void)series;
    (void)pixels;
    memset(v, 0, sizeof *v);
    *seen = false;
    return file_exists(path) ? OK : fail(ERR_INPUT, "cannot open '%s': there is no such file; check the path", path);
}

int inspect_image_kind(const char *path, volume *v, bool *seen, bool *labels, double *filled_ml) {
    *labels = false;
    *filled_ml = NAN;
    return inspect_image(path, NULL, false, v, seen);
}

int inspect_image_labels(const char *path, int n, const int *value, volume *v, bool *seen) {
    (void)n;
    (void)value;
    return inspect_image(path, NULL, true, v, seen);
}
#endif

void inspect_image_box(const volume *v, double margin, bool ras, double low[3], double high[3]) {
    for (int corner = 0; corner < 8; corner++) {
        double index[3], p[3];
        for (int a = 0; a < 3; a++)
            index[a] = (corner >> a) & 1 ? v->dims[a] - 1 + margin : -margin;
        volume_to_lps(v, index, p);
        for (int a = 0; a < 3; a++) {
            const double at = (ras && a < 2 ? -p[a] : p[a]) + 0.0; /* + 0.0 turns -0 into 0 */
            low[a] = corner ? fmin(low[a], at) : at;
            high[a] = corner ? fmax(high[a], at) : at;
        }
    }
}
