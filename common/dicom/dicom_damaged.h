/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged files of a DICOM folder. A damaged file makes only its own series unreadable. C++, used by the DICOM
 * readers. */
#ifndef PORTAFLOW_DICOM_DAMAGED_H
#define PORTAFLOW_DICOM_DAMAGED_H
#include "common/base/must_check.h"
#include "common/dicom/dicom_files.h"
#include "common/image/isolate.h"
#include <functional>
#include <set>
#include <string>
#include <vector>

enum { DICOM_CRASHES = 256 };

/* Memory shared with the reading process, zeroed at first. */
struct dicom_skipped_files {
    /* output: index of the file whose header is being read; -1: all headers have been read */
    int busy;
    int n_crash, crash[DICOM_CRASHES]; /* input: indices of files whose headers crashed the process before */
    /* output: n unreadable files are not in the chosen series; n_unknown of them may belong to it */
    int n, n_unknown;
    char first[ISOLATE_NOTE]; /* output: message about one of these files */
};

/* An unreadable file that has the DICOM mark ("DICM" at byte 128) or a name that ends like a DICOM file. */
struct dicom_damaged_file {
    std::string uid; /* UID of the series; "" when unreadable */
    std::string folder, why;
};

/* A readable series: its UIDs (several if single slices were joined) and the folders of its files. */
struct dicom_members {
    std::vector<std::string> uids;
    std::set<std::string> folders;
};

std::string dicom_damaged_folder(const std::string &path); /* folder of a file */

/* Call `read` for every file i of the folder that may be DICOM. Files refused with ERR_INPUT are added to `damaged`.
 * `note`: see isolate.h. Errors: other errors of `read`. */
MUST_CHECK int dicom_damaged_headers(const dicom_files &d, char *note, dicom_skipped_files *skipped,
                                     const std::function<int(size_t i)> &read,
                                     std::vector<dicom_damaged_file> *damaged);

/* Refuse the chosen series, which is an element of `all`, when a damaged file belongs to it; the message names the
 * file. Damaged files that may belong to other series are counted in `skipped`. Errors: ERR_INPUT. */
MUST_CHECK int dicom_damaged_check(const std::vector<dicom_damaged_file> &damaged,
                                   const std::vector<dicom_members> &all, const dicom_members &chosen,
                                   dicom_skipped_files *skipped);

/* Call isolate_read() and repeat it without each file that crashes the process; then warn about skipped files. The
 * argument of `work` contains `skipped`. Errors: as isolate_read(). */
MUST_CHECK int dicom_damaged_isolate(const char *path,
                                     int (*work)(void *argument, char note[ISOLATE_NOTE], volume *out), void *argument,
                                     dicom_skipped_files *skipped, volume *out);
#endif
