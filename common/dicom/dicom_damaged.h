/* Damaged files of a DICOM folder: noted, and held against the series that they belong to alone. C++, used by the DICOM
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

/* Shared with the reading process: in memory that both see, zeroed. */
struct dicom_left_out {
    int busy;                          /* out: the file whose header it reads, -1: it is past them */
    int n_crash, crash[DICOM_CRASHES]; /* in: files whose headers ended it before */
    int n, n_unknown;         /* out: files that cannot be read: not of the series taken; of those, perhaps of it */
    char first[ISOLATE_NOTE]; /* out: the sentence on one of them */
};

/* A file that is DICOM by its mark or its name, but cannot be read. */
struct dicom_damaged_file {
    std::string uid; /* its series, "" where that cannot be read either */
    std::string folder, why;
};

/* A series that was read: its UIDs (several where single slices were joined), the folders that its files lie in. */
struct dicom_members {
    std::vector<std::string> uids;
    std::set<std::string> folders;
};

std::string dicom_damaged_folder(const std::string &path); /* that a file lies in */

/* `read` for every file i of the folder that may be DICOM, what it refuses with ERR_INPUT noted in `damaged`. `note`:
 * isolate.h. Errors: others of `read`. */
MUST_CHECK int dicom_damaged_headers(const dicom_files &d, char *note, dicom_left_out *left,
                                     const std::function<int(size_t i)> &read,
                                     std::vector<dicom_damaged_file> *damaged);

/* A series, one of `all`, that lacks a damaged file is refused by that one's sentence. Those that may be of another are
 * counted in `left`. Errors: ERR_INPUT. */
MUST_CHECK int dicom_damaged_check(const std::vector<dicom_damaged_file> &damaged,
                                   const std::vector<dicom_members> &all, const dicom_members &chosen,
                                   dicom_left_out *left);

/* isolate_read(), again without each file that ended the process; then tells what was left out. `work` has `left` in
 * its argument. Errors: those of isolate_read(). */
MUST_CHECK int dicom_damaged_isolate(const char *path,
                                     int (*work)(void *argument, char note[ISOLATE_NOTE], volume *out), void *argument,
                                     dicom_left_out *left, volume *out);
#endif
