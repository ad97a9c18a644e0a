/* Masks by the names of their files: a folder with a file for each organ, as TotalSegmentator writes it. */
#ifndef PIPELINE_INIT_LABEL_FILES_H
#define PIPELINE_INIT_LABEL_FILES_H
#include "pipeline/init/init_find.h"

/* Where a dozen files or more of one folder are named after organs, those of vessels become masks and the others leave
 * the list, unread. Returns how many left. */
int label_files_fold(find_list *found);

/* Which mask a case takes first, by its file's name: 0 portal, 1 vessel or lumen, 2 artery, 3 vein, 4 any other. */
int label_files_rank(const char *name);

#endif
