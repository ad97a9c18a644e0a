/* The files of a folder that may be DICOM, and GDCM's own messages silenced. C++, used by the DICOM readers alone. */
#ifndef PORTAFLOW_DICOM_FILES_H
#define PORTAFLOW_DICOM_FILES_H
#include "common/base/must_check.h"
#include <string>
#include <vector>

typedef struct {
    std::string root;
    std::vector<std::string> path;
    std::vector<std::string> name; /* relative to root, for sentences */
} dicom_files;

/* `path` a file, or a folder with its subfolders (DICOMDIR is left out), sorted. Errors: ERR_INPUT (too many). */
MUST_CHECK int dicom_files_list(const char *path, dicom_files *d);

bool dicom_files_named(const std::string &name); /* its ending is one of DICOM's */
void dicom_files_hush();
#endif
