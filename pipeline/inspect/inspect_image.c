/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/inspect/inspect_image.h"
#include "pipeline/inspect/mask_names.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef PIPELINE_HAVE_IMAGE
#include "common/image/label_kind.h"
#include "common/image_file/label_names.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/labels_select.h"
#include "common/record/dicom_head.h"

/* First rank after the ranks of masks of a vessel alone */
enum { MASK_RANK_SECONDARY = LABEL_ARTERY + 1 };

int inspect_image(const char *path, const char *series, bool pixels, volume *v, bool *seen) {
    memset(v, 0, sizeof *v);
    *seen = true;
    float padding;
    int rc = pixels ? image_read_padded(path, series, v, &padding) : image_read_geometry(path, series, v);
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
    float padding;
    const int rc = image_read_padded(path, NULL, v, &padding);
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

/* Kind of vessel that `segment ends` selects among the labels with voxels. *others: true if there are labels of other
 * names or without a name. LABEL_OTHER: no label is a vessel, or the image cannot be read. */
static int find_kind_of_labels(const char *path, int n, const label_name *name, bool *others) {
    volume v = {0};
    int kind = LABEL_OTHER, of_label = LABEL_OTHER;
    long last = 0;
    *others = false;
    if (image_read(path, DICOM_HEAD_LABELS, &v) != OK)
        status_clear(); /* pipeline init has already printed the reason */
    for (size_t i = 0; v.value && i < volume_size(&v); i++) {
        const long x = v.value[i] == 0 ? 0 : lround((double)v.value[i]);
        if (x == 0 || x == last)
            continue;
        last = x;
        of_label = LABEL_OTHER;
        for (int k = 0; k < n; k++)
            of_label = name[k].value == x ? (int)label_kind_from_name(name[k].name) : of_label;
        *others = *others || of_label > LABEL_ARTERY;
        kind = of_label < kind ? of_label : kind;
    }
    volume_free(&v);
    return kind;
}

int inspect_image_mask_rank(const char *path) {
    enum { NAMES_MAX = 200 };
    const int of_file = mask_names_rank(path);
    if (of_file <= LABEL_ARTERY)
        return of_file;
    label_name *name = calloc(NAMES_MAX, sizeof *name);
    const int n = name ? label_names_read(path, NAMES_MAX, name) : 0;
    bool others = false;
    const int of_labels = n > 0 ? find_kind_of_labels(path, n, name, &others) : LABEL_OTHER;
    free(name);
    if (of_labels <= LABEL_ARTERY && !others)
        return of_labels;
    return MASK_RANK_SECONDARY + (of_labels < of_file ? of_labels : of_file);
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
