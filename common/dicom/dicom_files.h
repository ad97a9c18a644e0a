/* The files of a folder that may be DICOM, and GDCM's own messages silenced. C++, used by the DICOM readers alone. */
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
    std::vector<std::string> name; /* relative to root, for sentences */
} dicom_files;

/* `path` a file, or a folder with its subfolders (DICOMDIR is left out), sorted. Errors: ERR_INPUT (too many). */
MUST_CHECK int dicom_files_list(const char *path, dicom_files *d);

bool dicom_files_named(const std::string &name); /* its ending is one of DICOM's */

/* The UID of the series of a damaged file: the first such element in its first 64 kB, whatever is before and behind
 * it; "" where there is none. */
std::string dicom_files_series(const std::string &path);
void dicom_files_hush();

/* What `read` returns; what it throws is a sentence on the file `note`, which it was reading, of the folder `path`.
 * Errors: ERR_INPUT, those of read. */
template <class Read> int dicom_files_guard(const char *path, const char *note, Read read) {
    try {
        dicom_files_hush();
        return read();
    } catch (const std::bad_alloc &) {
        return fail(ERR_INPUT, "'%s': its DICOM file '%s' asks for more memory than an intact file of its size", path,
                    note);
    } catch (...) {
        return fail(ERR_INPUT, "'%s': its DICOM file '%s' is damaged", path, note);
    }
}
#endif
