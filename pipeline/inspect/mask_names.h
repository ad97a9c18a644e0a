/* SPDX-License-Identifier: Apache-2.0 */
/* Masks recognized by their file names: a folder with one file per organ, as TotalSegmentator writes it. */
#ifndef PORTAFLOW_MASK_NAMES_H
#define PORTAFLOW_MASK_NAMES_H
#include "pipeline/inspect/patient_files.h"

/* In a folder with twelve or more files named after organs, files named after vessels become masks. The other files are
 * removed from the list without being read. Returns the number of removed files. */
int mask_names_remove_organs(patient_files *found);

/* Priority of a mask by its file name: 0 portal vein, 1 vessel or lumen, 2 artery, 3 vein, 4 other. */
int mask_names_rank(const char *name);

#endif
