/* What lies in a patient's folder, by the names and first bytes of the files. */
#ifndef PORTAFLOW_INIT_FIND_H
#define PORTAFLOW_INIT_FIND_H
#include "common/base/must_check.h"

enum { FIND_IMAGE, FIND_MASK, FIND_SURFACE, FIND_WAVEFORM, FIND_POINTS, FIND_KINDS };
enum { FIND_MAX = 200, FIND_PATH_MAX = 4096, FIND_DEPTH_MAX = 4 };

/* Names from the folder, in alphabetical order, at most FIND_MAX of a kind. A folder that holds DICOM files is one
 * image. out/ and names that begin with '.' are left out. */
typedef struct {
    int n[FIND_KINDS], unnamed; /* unnamed: left out, for a case cannot hold their names */
    char name[FIND_KINDS][FIND_MAX][FIND_PATH_MAX];
} find_list;

/* Errors: ERR_INPUT when the folder cannot be read. */
MUST_CHECK int find_files(const char *dir, find_list *found);

/* Name k of one kind becomes the last of another, which has room. */
void find_move(find_list *found, int from, int k, int to);
/* Name k of a kind is taken out. */
void find_leave(find_list *found, int kind, int k);
#endif
