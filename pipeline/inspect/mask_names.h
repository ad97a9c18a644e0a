/* Masks by the names of their files: a folder with a file for each organ, as TotalSegmentator writes it. */
#ifndef PORTAFLOW_MASK_NAMES_H
#define PORTAFLOW_MASK_NAMES_H
#include "pipeline/inspect/patient_files.h"

/* Where a dozen files or more of one folder are named after organs, those of vessels become masks and the others leave
 * the list, unread. Returns how many left. */
int mask_names_remove_organs(patient_files *found);

/* Which mask a case takes first, by its file's name: 0 portal, 1 vessel or lumen, 2 artery, 3 vein, 4 any other. */
int mask_names_rank(const char *name);

#endif
