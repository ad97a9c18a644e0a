/* SPDX-License-Identifier: Apache-2.0 */
/* Terminal messages about a lumen. */
#ifndef PORTAFLOW_SEGMENT_SEGMENT_MESSAGES_H
#define PORTAFLOW_SEGMENT_SEGMENT_MESSAGES_H
#include "segment/ends/signal_loss.h"
#include "segment/output/segmentation.h"
#include <stddef.h>

/* Print the summary and all warnings. */
void segment_messages_print(const segmentation *s);
/* Writes the sentence about a place where the image loses signal. */
void segment_messages_signal_loss(const case_file *c, const signal_loss *f, size_t size, char *text);
#endif
