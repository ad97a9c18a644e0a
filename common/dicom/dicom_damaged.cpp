/* SPDX-License-Identifier: Apache-2.0 */
#include "common/dicom/dicom_damaged.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/record/dicom_head.h"
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
    if (!dicom_head_recognize(d.path[i].c_str()))
        return fail(ERR_INPUT, "'%s' is damaged or not DICOM (no DICM mark); replace or remove it", name);
    return dicom_files_guard(d.root.c_str(), note, [&] { return read(i); });
}

int dicom_damaged_headers(const dicom_files &d, char *note, dicom_skipped_files *skipped,
                          const std::function<int(size_t)> &read, std::vector<dicom_damaged_file> *damaged) {
    for (size_t i = 0; i < d.path.size(); i++) {
        if (!dicom_head_recognize(d.path[i].c_str()) && !dicom_files_named(d.name[i]))
            continue;
        skipped->busy = (int)i;
        const bool crashes =
            std::find(skipped->crash, skipped->crash + skipped->n_crash, (int)i) != skipped->crash + skipped->n_crash;
        const int rc = read_one(d, i, crashes, note, read);
        if (rc == ERR_INPUT) {
            damaged->push_back({dicom_files_series(d.path[i]), dicom_damaged_folder(d.path[i]), status_message()});
            status_clear();
        } else if (rc != OK) {
            return rc;
        }
    }
    skipped->busy = -1;
    return OK;
}

/* Relation of a damaged file to a series. A file with unknown series belongs to the series of its folder if this is the
 * only one. */
enum series_relation { OF_SERIES, OF_ANOTHER, UNKNOWN };

static enum series_relation relation_to_series(const std::vector<dicom_members> &all, const dicom_damaged_file &f,
                                               const dicom_members &m) {
    const auto holds = [&](const dicom_members &one) {
        return std::find(one.uids.begin(), one.uids.end(), f.uid) != one.uids.end();
    };
    const auto in_folder = [&](const dicom_members &one) { return one.folders.count(f.folder) > 0; };
    if (holds(m))
        return OF_SERIES;
    if (!f.uid.empty() && (m.uids.size() == 1 || std::any_of(all.begin(), all.end(), holds)))
        /* a series that was joined from single slices (several uids) may lack one more slice: this file */
        return OF_ANOTHER;
    if (!in_folder(m))
        return std::any_of(all.begin(), all.end(), in_folder) ? OF_ANOTHER : UNKNOWN;
    return std::count_if(all.begin(), all.end(), in_folder) == 1 ? OF_SERIES : UNKNOWN;
}

int dicom_damaged_check(const std::vector<dicom_damaged_file> &damaged, const std::vector<dicom_members> &all,
                        const dicom_members &chosen, dicom_skipped_files *skipped) {
    int own = 0;
    const dicom_damaged_file *first = nullptr;
    for (const auto &f : damaged) {
        const enum series_relation b = relation_to_series(all, f, chosen);
        if (b == OF_SERIES) {
            first = own++ == 0 ? &f : first;
            continue;
        }
        if (skipped->n++ == 0 || (b == UNKNOWN && skipped->n_unknown == 0))
            snprintf(skipped->first, sizeof skipped->first, "%s", f.why.c_str());
        skipped->n_unknown += b == UNKNOWN;
    }
    if (own == 0)
        return OK;
    return own > 1 ? fail(ERR_INPUT, "%s (and %d more files of this series)", first->why.c_str(), own - 1)
                   : fail(ERR_INPUT, "%s", first->why.c_str());
}

int dicom_damaged_isolate(const char *path, int (*work)(void *, char *, volume *), void *argument,
                          dicom_skipped_files *skipped, volume *out) {
    int rc = OK;
    for (skipped->n_crash = 0;; skipped->n_crash++) { /* repeat without the file that crashed the process */
        skipped->busy = -1;
        skipped->n = skipped->n_unknown = 0;
        rc = isolate_read(path, work, argument, out);
        if (rc != ERR_INPUT || skipped->busy < 0 || skipped->n_crash == DICOM_CRASHES)
            break;
        skipped->crash[skipped->n_crash] = skipped->busy;
        status_clear();
    }
    if (rc == OK && skipped->n > 0) {
        message_info("%s", skipped->first); /* not recorded as a warning, because file names may identify a patient */
        message_warn("%d file%s of the DICOM folder cannot be read and %s skipped%s", skipped->n,
                     skipped->n > 1 ? "s" : "", skipped->n > 1 ? "are" : "is",
                     skipped->n_unknown > 0
                         ? ": a slice at an end of the image may be missing; replace or remove the damaged files"
                         : "; none belongs to the series in use");
    }
    return rc;
}
