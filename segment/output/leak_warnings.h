/* Signs of a leak that refuse nothing, as warnings with their place. */
#ifndef PORTAFLOW_SEGMENT_RESULT_LEAK_H
#define PORTAFLOW_SEGMENT_RESULT_LEAK_H
#include "segment/output/segmentation.h"

/* Of method level-set. */
void result_tell_leak(const segment_job *j);
#endif
