/* SPDX-License-Identifier: Apache-2.0 */
/* Terminal messages about a lumen. */
#ifndef PORTAFLOW_SEGMENT_SEGMENT_MESSAGES_H
#define PORTAFLOW_SEGMENT_SEGMENT_MESSAGES_H
#include "segment/bridge/gap_bridge.h"
#include "segment/bridge/signal_loss.h"
#include "segment/output/segmentation.h"
#include <stddef.h>

/* Size of the texts below */
enum { SEGMENT_MESSAGES_TEXT = 1000 };

/* Print the summary and all warnings. */
void segment_messages_print(const segmentation *s);
/* Write the sentence about a bridged gap, and about a place where the image loses signal. */
void segment_messages_gap(const case_file *c, const gap_bridge *g, size_t size, char *text);
void segment_messages_signal_loss(const case_file *c, const signal_loss *f, size_t size, char *text);
#endif
