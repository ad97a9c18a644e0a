/* SPDX-License-Identifier: Apache-2.0 */
/* Removal of private names from a log. Names of folders and files may identify the patient. They help on the terminal,
 * but a log is passed on to others. */
#ifndef PORTAFLOW_LOG_H
#define PORTAFLOW_LOG_H
#include "common/case/case.h"
#include <stdio.h>

typedef struct {
    const case_file *c;
    const char *dir; /* folder of the patient */
} log_rule;

/* Writes `line` and a newline, with private names replaced:
 *   a path of the case, e.g. 'images/doe/a.nii'         'image' (also labels, surface, territories, liver, before,
 *                                                       waveform)
 *   the UID of the case's series                        'series'
 *   a file in the case's image folder                   'image/...'
 *   a line of a series list (descriptions are free text)  a fixed sentence
 * rule: a log_rule. */
void log_write_line(FILE *to, const char *line, const void *rule);
#endif
