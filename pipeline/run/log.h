/* What a log may say. The names of folders, and of the files of a DICOM folder (scanners make them of patient and day),
 * may tell who the patient is; on the terminal they help, a log is passed on. */
#ifndef PORTAFLOW_LOG_H
#define PORTAFLOW_LOG_H
#include "common/case/case.h"
#include <stdio.h>

typedef struct {
    const case_file *c;
    const char *dir; /* the patient's folder */
} log_rule;

/* Writes `line` and a newline. A path of the case that leads out of the patient's folder stands by its last part
 * ('../doe/a.nii' as 'a.nii'), a file of the case's folder of images as that folder and "/...". `rule`
 * is a log_rule. */
void log_write_line(FILE *to, const char *line, const void *rule);
#endif
