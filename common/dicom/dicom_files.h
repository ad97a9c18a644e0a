/* SPDX-License-Identifier: Apache-2.0 */
/* List of files of a folder that may be DICOM; suppresses messages of GDCM. C++, used by the DICOM readers. */
#ifndef PORTAFLOW_DICOM_FILES_H
#define PORTAFLOW_DICOM_FILES_H
#include "common/base/must_check.h"
#include "common/base/status.h"
#include <new>
#include <string>
#include <vector>

typedef struct {
    std::string root;
    std::vector<std::string> path;
    std::vector<std::string> name; /* paths relative to root, for messages */
} dicom_files;

/* List the file `path`, or all files of the folder and its sub-folders, sorted. DICOMDIR and links to files of this
 * folder are omitted. Errors: ERR_INPUT (too many files). */
MUST_CHECK int dicom_files_list(const char *path, dicom_files *d);

double dicom_files_largest(const dicom_files &d); /* size of the largest DICOM file, bytes */

bool dicom_files_named(const std::string &name); /* true if the name ends like the name of a DICOM file */

/* Series UID of a damaged file: the first such element in its first 64 KiB, even if other elements are damaged; "" when
 * none is found. */
std::string dicom_files_series(const std::string &path);
void dicom_files_hush();

/* Run `read`, which sets `note` to the name of the current file. An exception becomes a message about this file of the
 * folder `path`. Errors: ERR_INPUT, errors of `read`. */
template <class Read> int dicom_files_guard(const char *path, const char *note, Read read) {
    try {
        dicom_files_hush();
        return read();
    } catch (const std::bad_alloc &) {
        return fail(
            ERR_INPUT,
            "'%s': its DICOM file '%s' requests more memory than an intact file of its size; replace or remove it",
            path, note);
    } catch (...) {
        return fail(ERR_INPUT, "'%s': its DICOM file '%s' is damaged; replace or remove it", path, note);
    }
}
#endif
