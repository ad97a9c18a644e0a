/* What a log may say. The names of folders and files may tell who the patient is; on the terminal they help, a log is
 * passed on. */
#ifndef PORTAFLOW_LOG_H
#define PORTAFLOW_LOG_H
#include "common/case/case.h"
#include <stdio.h>

typedef struct {
    const case_file *c;
    const char *dir; /* the patient's folder */
} log_rule;

/* Writes `line` and a newline. A path of the case stands by what it names ('images/doe/a.nii' as 'image'; labels,
 * surface, waveform; its series as 'series'), a file of the case's folder of images as 'image/...'; a line of the
 * list of series (their descriptions are written by hand) is left out. `rule` is a log_rule. */
void log_write_line(FILE *to, const char *line, const void *rule);
#endif
