/* SPDX-License-Identifier: Apache-2.0 */
/* Writes results as DICOM objects, in new series of the study of the image: pictures (secondary capture, PS3.3 A.8), a
 * PDF (A.45), a mask (segmentation, A.51). Every object carries "research, not for clinical use".
 *
 *   TRY(dicom_study_open(path, series, anonymous, &study));
 *   TRY(dicom_write_capture(study, "out/SC0001.dcm", 1, "pressure", width, height, rgb)); */
#ifndef PORTAFLOW_DICOM_EXPORT_H
#define PORTAFLOW_DICOM_EXPORT_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct dicom_study dicom_study;

/* Reads patient, study and frame of reference from the headers of the image.
 *   path       DICOM file or folder, which a stage has read before; any other image, or NULL: objects without a
 *              patient, in a new study
 *   series     SeriesInstanceUID; NULL: the first series with images
 *   anonymous  true: nothing is read from the image: empty patient, new study, new frame of reference
 * The caller frees *study with dicom_study_close; NULL on error. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int dicom_study_open(const char *path, const char *series, bool anonymous, dicom_study **study);
void dicom_study_close(dicom_study *study); /* NULL is allowed */
bool dicom_study_has_patient(const dicom_study *study);

/* Write one object through "<path>.part". instance: InstanceNumber in the series of its kind, from 1. title: up to 60
 * ASCII characters. Errors: ERR_OUTPUT, ERR_INPUT (size above 65535 pixels), ERR_RESOURCE. */
MUST_CHECK int dicom_write_capture(dicom_study *study, const char *path, int instance, const char *title, int width,
                                   int height, const unsigned char *rgb);
/* may_name_patient: true unless the text of the PDF is known not to identify the patient (BurnedInAnnotation). */
MUST_CHECK int dicom_write_pdf(dicom_study *study, const char *path, const char *title, const void *pdf, size_t size,
                               bool may_name_patient);
/* Writes the voxels of `mask` above 0.5 as one segment, with a frame per slice, on the grid of `mask`. `label` names
 * the segment. */
MUST_CHECK int dicom_write_segmentation(dicom_study *study, const char *path, const char *label, const volume *mask);
#ifdef __cplusplus
}
#endif
#endif
