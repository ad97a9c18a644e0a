/* SPDX-License-Identifier: Apache-2.0 */
/* Arrange the planes of a DICOM series as one volume and check them.
 *
 * Planes are ordered along row x column. The slice distance is the difference of positions (DICOM PS3.3 C.7.6.2.1.1).
 * SliceThickness and SpacingBetweenSlices describe the acquisition and are not used for geometry. */
#ifndef PORTAFLOW_DICOM_STACK_H
#define PORTAFLOW_DICOM_STACK_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { DICOM_UID = 65 };
typedef struct {
    const char *file;      /* name of the file for messages, borrowed */
    int file_index;        /* index of the file; the caller sets it */
    int frame;             /* index of the frame in the file, from 0 */
    int n_frame;           /* number of frames in the file */
    bool placed;           /* true: position, orientation and spacing are known */
    double position_mm[3]; /* LPS, centre of the first pixel (ImagePositionPatient) */
    double row[3];         /* unit direction of increasing column index (first half of ImageOrientationPatient) */
    double column[3];      /* unit direction of increasing row index */
    /* distance of two pixels along a row, and along a column (the numbers of PixelSpacing, swapped) */
    double spacing_mm[2];
    int columns, rows; /* number of pixels along a row, along a column */
    double slope, intercept;
    int number, announced; /* InstanceNumber and ImagesInAcquisition; 0: unknown */
    char modality[8];      /* modality, such as "CT" or "MR"; "": unknown */
    double between_mm;     /* SpacingBetweenSlices, used for warnings only; 0: unknown */
    char about[40];        /* description of the series, without text that may identify a patient or a date; "": none */
    char study[DICOM_UID], frame_of_reference[DICOM_UID]; /* UIDs; "": unknown */
    char patient[17];       /* hash of PatientID, or of name and birth date; used for comparison only, never shown */
    const char *image_kind; /* "derived" or "localizer" from ImageType (PS3.3 C.7.6.1.1.2), otherwise ""; a literal */
} dicom_plane;

/* Sort plane[n] along the normal and set the geometry; geometry->value stays NULL. Errors: ERR_INPUT, naming the file:
 * no position, a single slice, mixed sizes, orientations, patients, studies or frames of reference (accepted when every
 * slice has its own UID), duplicate or missing slices, uneven distances, tilted stack. */
MUST_CHECK int dicom_stack_arrange(dicom_plane *plane, int n, volume *geometry);

/* True when slice numbers or headers indicate missing files; text: the warning, without file names. Positions reveal
 * gaps inside the stack; only numbers and headers reveal missing slices at an end. Multi-frame files are not
 * checked. */
enum { DICOM_STACK_WARNING = 160 };
bool dicom_stack_check_missing(const dicom_plane *plane, int n, char text[DICOM_STACK_WARNING]);

/* True for equal size, orientation and pixel spacing. */
bool dicom_stack_same_geometry(const dicom_plane *a, const dicom_plane *b);
#ifdef __cplusplus
}
#endif
#endif
