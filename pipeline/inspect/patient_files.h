/* SPDX-License-Identifier: Apache-2.0 */
/* Files in a patient's folder, classified by name and first bytes. */
#ifndef PORTAFLOW_PATIENT_FILES_H
#define PORTAFLOW_PATIENT_FILES_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum { FILES_IMAGE, FILES_MASK, FILES_SURFACE, FILES_WAVEFORM, FILES_POINTS, FILES_KINDS };
enum { FILES_MAX = 200, FILES_PATH_MAX = 4096, FILES_DEPTH_MAX = 4 };

/* Names relative to the folder, in alphabetical order, up to FILES_MAX per kind. A folder with DICOM files counts as
 * one image, without its segmentations (SEG), which are masks. out/, sweep/ and names that begin with '.' are skipped.
 * */
typedef struct {
    /* n: number of files of each kind; unnamed: number of files that were skipped because a case cannot hold their
     * names */
    int n[FILES_KINDS], unnamed;
    int structure_sets; /* number of DICOM structure sets (RTSTRUCT), which were skipped */
    char name[FILES_KINDS][FILES_MAX][FILES_PATH_MAX];
} patient_files;

/* Finds the files. Errors: ERR_INPUT when the folder cannot be read. */
MUST_CHECK int patient_files_find(const char *dir, patient_files *found);

/* True if a case can hold the name: UTF-8 without control characters. */
bool patient_files_is_text(const char *name);

/* Moves name k of one kind to the end of another, which must have room. */
void patient_files_move(patient_files *found, int from, int k, int to);
/* Removes name k of a kind. */
void patient_files_remove(patient_files *found, int kind, int k);
#endif
