/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of export.h: DICOM objects. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/dicom_write/dicom_export.h"
#include "common/draw/pdf.h"
#include "common/image_file/itk_image.h"
#include "pipeline/export/export.h"
#include "pipeline/export/export_pages.h"
#include "pipeline/export/export_parts.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/stages.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PDF_BYTES_MAX = 1 << 30, TITLE = 61 };

/* Sets the mask to 1 in the voxels of the image whose centres are inside the wall (phi < 0). */
static int mask_from_distance(const volume *phi, volume *mask) {
    double lps[3];
    for (int k = 0; k < mask->dims[2]; k++)
        for (int j = 0; j < mask->dims[1]; j++)
            for (int i = 0; i < mask->dims[0]; i++) {
                volume_to_lps(mask, (const double[3]){i, j, k}, lps);
                if (volume_contains(phi, lps) && volume_sample(phi, lps) < 0)
                    mask->value[volume_index(mask, i, j, k)] = 1;
            }
    return OK;
}

static int write_lumen(const patient *p, dicom_study *study, const char *image, const char *series, const char *out) {
    char phi_path[FILE_PATH_MAX], path[FILE_PATH_MAX];
    volume phi = {0}, geometry = {0}, mask = {0};
    int rc = OK;
    TRY(file_path(phi_path, sizeof phi_path, "%s/segment/phi.nii.gz", p->out));
    TRY(file_path(path, sizeof path, "%s/SEG0001.dcm", out));
    TRY(image_read_geometry(image, series, &geometry));
    TRY(image_read(phi_path, NULL, &phi));
    TRY(volume_create_like(&mask, &geometry));
    TRY(mask_from_distance(&phi, &mask));
    TRY(dicom_write_segmentation(study, path, "Lumen (research)", &mask));
cleanup:
    volume_free(&phi);
    volume_free(&geometry);
    volume_free(&mask);
    return rc;
}

static int write_page(dicom_study *study, const char *out, int instance, const char *title, const canvas *page) {
    char path[FILE_PATH_MAX], text[TITLE];
    snprintf(text, sizeof text, "%.60s", title);
    const int rc = file_path(path, sizeof path, "%s/SC%04d.dcm", out, instance);
    return rc != OK ? rc : dicom_write_capture(study, path, instance, text, page->width, page->height, page->rgb);
}

static int is_png(const struct dirent *entry) {
    return file_ends_with(entry->d_name, ".png");
}

static int is_old_object(const struct dirent *entry) {
    const char *n = entry->d_name;
    return strcmp(n, "SEG0001.dcm") == 0 || strcmp(n, "DOC0001.dcm") == 0 ||
           (strlen(n) == 10 && strncmp(n, "SC", 2) == 0 && strspn(n + 2, "0123456789") == 4 &&
            strcmp(n + 6, ".dcm") == 0);
}

/* Removes the objects of an earlier export, so that none with the patient's name stays beside anonymous ones. Errors:
 * ERR_OUTPUT. */
static int remove_old_objects(const char *out) {
    char path[FILE_PATH_MAX];
    struct dirent **entry = NULL;
    const int count = scandir(out, &entry, is_old_object, alphasort);
    int rc = OK;
    for (int k = 0; k < count; k++) {
        if (rc == OK)
            rc = file_path(path, sizeof path, "%s/%s", out, entry[k]->d_name);
        if (rc == OK && unlink(path) != 0)
            rc = fail(ERR_OUTPUT, "cannot remove '%s' of an earlier export: %s", path, strerror(errno));
        free(entry[k]);
    }
    free(entry);
    return rc;
}

/* Writes the page of the readouts, then the pictures of the report in alphabetical order. Each becomes a DICOM capture
 * and a page of the PDF `document`. *n: number of pages. */
static int write_pages(const patient *p, const results_row *row, dicom_study *study, const char *out, int *n,
                       pdf *document) {
    char folder[FILE_PATH_MAX], path[FILE_PATH_MAX];
    struct dirent **entry = NULL;
    canvas page = {0};
    int rc = OK, count = 0;
    *n = 1;
    TRY(file_path(folder, sizeof folder, "%s/post/figures", p->out));
    TRY(export_draw_readouts(row, &page));
    TRY(write_page(study, out, 1, "readouts", &page));
    export_print_readouts(row, document);
    count = scandir(folder, &entry, is_png, alphasort); /* -1 without pictures */
    for (int k = 0; k < count; k++) {
        canvas_free(&page);
        TRY(file_path(path, sizeof path, "%s/%s", folder, entry[k]->d_name));
        TRY(export_draw_picture(path, &page));
        TRY(write_page(study, out, ++*n, entry[k]->d_name, &page));
        TRY(export_print_picture(path, document));
    }
cleanup:
    canvas_free(&page);
    for (int k = 0; k < count; k++)
        free(entry[k]);
    free(entry);
    return rc;
}

/* Reads the user's PDF; the caller frees *text, also after an error. Errors: ERR_INPUT (no PDF); as file_read. */
static int read_pdf(const char *path, char **text, size_t *size) {
    const int rc = file_read(path, PDF_BYTES_MAX, text, size);
    if (rc == OK && (*size < 5 || memcmp(*text, "%PDF-", 5) != 0))
        return fail(ERR_INPUT, "'%s' is no PDF; print the report to a PDF file in a browser", path);
    return rc;
}

/* Writes the user's PDF `given` [size]; NULL: the finished pages of this export. */
static int write_pdf(dicom_study *study, const char *given, size_t size, const pdf *document, const char *out) {
    char path[FILE_PATH_MAX];
    int rc = file_path(path, sizeof path, "%s/DOC0001.dcm", out);
    if (rc == OK)
        rc = document->rc;
    return rc != OK ? rc
                    : dicom_write_pdf(study, path, "Portaflow report", given ? given : document->file.data,
                                      given ? size : document->file.n, given != NULL);
}

int export_dicom(const char *dir, const options_list *set, const char *out, const char *given_pdf, bool anonymous) {
    patient p = {.lock = -1};
    results_row row = {0};
    dicom_study *study = NULL;
    const char *series = NULL;
    char *image = NULL, *given = NULL;
    size_t given_size = 0;
    pdf document = {0};
    int rc = OK, pages = 0;
    TRY(export_open_results(dir, set, &p, &row));
    const char *named = stages_is_wanted(&p.c, STAGE_SEGMENT) ? case_voxel_image(&p.c, &series) : NULL;
    if (named && !(image = case_resolve_path(&p.c, named)))
        GIVE_UP(fail_memory("a path", FILE_PATH_MAX));
    if (image && !file_exists(image))
        GIVE_UP(fail(ERR_INPUT,
                     "the image of the case is missing on this machine; export on a machine that has the image"));
    if (given_pdf)
        TRY(read_pdf(given_pdf, &given, &given_size));
    TRY(dicom_study_open(image, series, anonymous, &study));
    TRY(file_create_folder(out));
    TRY(remove_old_objects(out));
    pdf_start(&document, "Portaflow report, research, not for clinical use");
    TRY(write_pages(&p, &row, study, out, &pages, &document));
    pdf_finish(&document);
    if (image)
        TRY(write_lumen(&p, study, image, series, out));
    TRY(write_pdf(study, given, given_size, &document, out));
    message_info("%d pictures%s and a PDF as DICOM objects, not for clinical use", pages, image ? ", the lumen" : "");
    export_show_names(&p.c, "the objects contain the pictures of post/figures and");
    if (!image)
        message_info("the case has no image: no segmentation was written");
    if (!anonymous && !dicom_study_has_patient(study))
        message_warn("the image is not a DICOM series, so the objects have an empty patient and a new study");
cleanup:
    pdf_free(&document);
    dicom_study_close(study);
    free(image);
    free(given);
    results_row_free(&row);
    patient_close(&p);
    return rc;
}
