/* Names of a mask's labels, as far as its file tells them: 3D Slicer's Segment<N>_Name in a NRRD header, the label
 * table (GIFTI style XML) that TotalSegmentator writes as a NIfTI header extension. */
#ifndef PORTAFLOW_LABEL_NAMES_H
#define PORTAFLOW_LABEL_NAMES_H
#include "common/base/must_check.h"
#include <stddef.h>

enum { LABEL_NAME_MAX = 48 };
typedef struct {
    int value;
    char name[LABEL_NAME_MAX]; /* printable characters only */
} label_name;

/* At most `most` of them; 0 where the file says none or cannot be read (reading the image says why).
 * Test: tests/unit/common/test_label_names.c */
int label_names_read(const char *path, int most, label_name *out);

/* The first bytes of a file, unpacked, a MB at most, with a 0 behind them; owned by the caller; NULL: not readable. */
char *label_names_head(const char *path, size_t *size);
/* A name: from .. end - 1, what is printable of it. */
void label_name_copy(const char *from, const char *end, char out[LABEL_NAME_MAX]);
#endif
