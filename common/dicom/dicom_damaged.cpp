// See dicom_damaged.h.
#include "common/dicom/dicom_damaged.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/dicom/dicom_recognize.h"
#include "common/dicom/itk_dicom.h"
#include <algorithm>
#include <filesystem>

std::string dicom_damaged_folder(const std::string &path) {
    return std::filesystem::path(path).parent_path().string();
}

static int read_one(const dicom_files &d, size_t i, bool crashes, char *note, const std::function<int(size_t)> &read) {
    const char *name = d.name[i].c_str();
    snprintf(note, ISOLATE_NOTE, "%s", name);
    if (crashes)
        return fail(ERR_INPUT, "'%s' is damaged or cut short: its reader stopped; replace or remove it", name);
    if (!dicom_recognize(d.path[i].c_str()))
        return fail(ERR_INPUT, "'%s' is damaged or not DICOM (no DICM mark); replace or remove it", name);
    return dicom_files_guard(d.root.c_str(), note, [&] { return read(i); });
}

int dicom_damaged_headers(const dicom_files &d, char *note, dicom_left_out *left,
                          const std::function<int(size_t)> &read, std::vector<dicom_damaged_file> *damaged) {
    for (size_t i = 0; i < d.path.size(); i++) {
        if (!dicom_recognize(d.path[i].c_str()) && !dicom_files_named(d.name[i]))
            continue;
        left->busy = (int)i;
        const bool crashes = std::find(left->crash, left->crash + left->n_crash, (int)i) != left->crash + left->n_crash;
        const int rc = read_one(d, i, crashes, note, read);
        if (rc == ERR_INPUT) {
            damaged->push_back({dicom_files_series(d.path[i]), dicom_damaged_folder(d.path[i]), status_message()});
            status_clear();
        } else if (rc != OK) {
            return rc;
        }
    }
    left->busy = -1;
    return OK;
}

/* Where a damaged file belongs. Without a series of its own that is known: to the only one of its folder. */
enum belonging { OF_SERIES, OF_ANOTHER, UNKNOWN };

static enum belonging belongs(const std::vector<dicom_members> &all, const dicom_damaged_file &f,
                              const dicom_members &m) {
    const auto holds = [&](const dicom_members &one) {
        return std::find(one.uids.begin(), one.uids.end(), f.uid) != one.uids.end();
    };
    const auto beside = [&](const dicom_members &one) { return one.folders.count(f.folder) > 0; };
    if (holds(m))
        return OF_SERIES;
    if (!f.uid.empty() && (m.uids.size() == 1 || std::any_of(all.begin(), all.end(), holds)))
        return OF_ANOTHER; /* joined of single slices: this may be one more of them */
    if (!beside(m))
        return std::any_of(all.begin(), all.end(), beside) ? OF_ANOTHER : UNKNOWN;
    return std::count_if(all.begin(), all.end(), beside) == 1 ? OF_SERIES : UNKNOWN;
}

int dicom_damaged_check(const std::vector<dicom_damaged_file> &damaged, const std::vector<dicom_members> &all,
                        const dicom_members &chosen, dicom_left_out *left) {
    int own = 0;
    const dicom_damaged_file *first = nullptr;
    for (const auto &f : damaged) {
        const enum belonging b = belongs(all, f, chosen);
        if (b == OF_SERIES) {
            first = own++ == 0 ? &f : first;
            continue;
        }
        if (left->n++ == 0 || (b == UNKNOWN && left->n_unknown == 0))
            snprintf(left->first, sizeof left->first, "%s", f.why.c_str());
        left->n_unknown += b == UNKNOWN;
    }
    if (own == 0)
        return OK;
    return own > 1 ? fail(ERR_INPUT, "%s (and %d more files of this series)", first->why.c_str(), own - 1)
                   : fail(ERR_INPUT, "%s", first->why.c_str());
}

int dicom_damaged_isolate(const char *path, int (*work)(void *, char *, volume *), void *argument, dicom_left_out *left,
                          volume *out) {
    int rc = OK;
    for (left->n_crash = 0;; left->n_crash++) { /* again without the file that ended the process */
        left->busy = -1;
        left->n = left->n_unknown = 0;
        rc = isolate_read(path, work, argument, out);
        if (rc != ERR_INPUT || left->busy < 0 || left->n_crash == DICOM_CRASHES)
            break;
        left->crash[left->n_crash] = left->busy;
        status_clear();
    }
    if (rc == OK && left->n > 0) {
        message_info("%s", left->first); /* names of files may hold one of a patient's: not into what is recorded */
        message_warn("%d file%s of the DICOM folder cannot be read and %s left out%s", left->n, left->n > 1 ? "s" : "",
                     left->n > 1 ? "are" : "is",
                     left->n_unknown > 0 ? ": if one is of the series taken, a slice at its end is missing; replace or "
                                           "remove it"
                                         : "; none of the series taken");
    }
    return rc;
}
