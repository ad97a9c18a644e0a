/* What lies in a patient's folder, by the names and first bytes of the files. */
#ifndef PORTAFLOW_PATIENT_FILES_H
#define PORTAFLOW_PATIENT_FILES_H
#include "common/base/must_check.h"

enum { FILES_IMAGE, FILES_MASK, FILES_SURFACE, FILES_WAVEFORM, FILES_POINTS, FILES_KINDS };
enum { FILES_MAX = 200, FILES_PATH_MAX = 4096, FILES_DEPTH_MAX = 4 };

/* Names from the folder, in alphabetical order, at most FILES_MAX of a kind. A folder that holds DICOM files is one
 * image. out/ and names that begin with '.' are left out. */
typedef struct {
    int n[FILES_KINDS], unnamed; /* unnamed: left out, for a case cannot hold their names */
    char name[FILES_KINDS][FILES_MAX][FILES_PATH_MAX];
} patient_files;

/* Errors: ERR_INPUT when the folder cannot be read. */
MUST_CHECK int patient_files_find(const char *dir, patient_files *found);

/* Name k of one kind becomes the last of another, which has room. */
void patient_files_move(patient_files *found, int from, int k, int to);
/* Name k of a kind is taken out. */
void patient_files_remove(patient_files *found, int kind, int k);
#endif
