/* From the planes of a DICOM series to one volume: order, spacing and everything that can be wrong with them.
 *
 * Planes are ordered along row x column. The distance of the slices is the step of their positions (DICOM PS3.3
 * C.7.6.2.1.1), never SliceThickness or SpacingBetweenSlices, which describe the acquisition. */
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
    const char *file;      /* for sentences, borrowed */
    int file_index;        /* the caller's */
    int frame;             /* within the file, 0 .. */
    int n_frame;           /* frames in the file */
    bool placed;           /* position, orientation and spacing were given */
    double position_mm[3]; /* LPS, centre of the first pixel (ImagePositionPatient) */
    double row[3];         /* unit direction of increasing column index (first half of ImageOrientationPatient) */
    double column[3];      /* unit direction of increasing row index */
    double spacing_mm[2];  /* along row, along column (PixelSpacing swapped) */
    int columns, rows;     /* pixels along row, along column */
    double slope, intercept;
    int number, announced; /* InstanceNumber, ImagesInAcquisition; 0: not said */
    double between_mm;     /* SpacingBetweenSlices, which only raises questions; 0: not said */
    char about[40];        /* the series' description, without what could name a patient or a date; "" none */
    char study[DICOM_UID], frame_of_reference[DICOM_UID]; /* "": not said */
    char patient[17]; /* a number made of PatientID, else of name and birth date, to compare: it is shown nowhere */
    const char *made; /* "derived", "localizer" by its ImageType (PS3.3 C.7.6.1.1.2), "" neither; a literal */
} dicom_plane;

/* Sort plane[n] and fill the geometry (value stays NULL).
 * Errors: ERR_INPUT, each naming the file: no position, one slice only, mixed sizes, orientations, patients, studies or
 * frames of reference (unless every slice has its own: some anonymisers do that), several slices at
 * one place, missing slices, uneven distances, tilted stack. */
MUST_CHECK int dicom_stack_arrange(dicom_plane *plane, int n, volume *geometry);

/* Do numbers and headers say that there were more slices than the n that were arranged, or others? text: the question;
 * it names no file. Positions show what is missing in the middle, nothing else what is missing at an end. Files of
 * several frames are not asked. */
enum { DICOM_STACK_LOST = 160 };
bool dicom_stack_lost(const dicom_plane *plane, int n, char text[DICOM_STACK_LOST]);

/* Same size, orientation and pixel spacing. */
bool dicom_stack_alike(const dicom_plane *a, const dicom_plane *b);
#ifdef __cplusplus
}
#endif
#endif
