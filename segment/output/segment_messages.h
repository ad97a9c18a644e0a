/* SPDX-License-Identifier: Apache-2.0 */
/* Terminal messages about a lumen. */
#ifndef PORTAFLOW_SEGMENT_SEGMENT_MESSAGES_H
#define PORTAFLOW_SEGMENT_SEGMENT_MESSAGES_H
#include "segment/output/segmentation.h"

/* Print the summary and all warnings. */
void segment_messages_print(const segmentation *s);
#endif
