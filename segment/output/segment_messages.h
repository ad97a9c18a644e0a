/* What the terminal says about a lumen. */
#ifndef PORTAFLOW_SEGMENT_SEGMENT_MESSAGES_H
#define PORTAFLOW_SEGMENT_SEGMENT_MESSAGES_H
#include "segment/output/segmentation.h"

/* The summary, and what the user should know as warnings. */
void segment_messages_print(const segmentation *s);
#endif
