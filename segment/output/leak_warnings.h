/* Signs of a leak that refuse nothing, as warnings with their place. */
#ifndef PORTAFLOW_SEGMENT_LEAK_WARNINGS_H
#define PORTAFLOW_SEGMENT_LEAK_WARNINGS_H
#include "segment/output/segmentation.h"

/* Of method level-set. */
void warn_of_leak_signs(const segmentation *j);
#endif
