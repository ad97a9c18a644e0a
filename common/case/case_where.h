/* A place in the words of who wrote the case. */
#ifndef PORTAFLOW_CASE_WHERE_H
#define PORTAFLOW_CASE_WHERE_H
#include "common/case/case.h"

enum { CASE_WHERE = 96 };

/* "RAS 12.1, -4.0, 5.5 mm": lps_mm in the space of the case, as LPS where that is voxel. Returns text. */
const char *case_where(const case_file *c, const double lps_mm[3], char text[CASE_WHERE]);
#endif
