/* SPDX-License-Identifier: Apache-2.0 */
#include "common/dicom/dicom_files.h"
#include "common/base/status.h"
#include "common/record/dicom_head.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gdcmTrace.h>

namespace fs = std::filesystem;

enum { MAX_FILES = 50000 };

void dicom_files_hush() {
    gdcm::Trace::DebugOff();
    gdcm::Trace::WarningOff();
    gdcm::Trace::ErrorOff();
}

double dicom_files_largest(const dicom_files &d) {
    double largest = 0;
    for (const auto &file : d.path) {
        std::error_code gone; /* errors are ignored, because an output file in this folder may disappear meanwhile */
        const auto size = fs::file_size(file, gone);
        if (!gone && dicom_head_recognize(file.c_str()))
            largest = std::max(largest, (double)size);
    }
    return largest;
}

bool dicom_files_named(const std::string &name) {
    std::string end = fs::path(name).extension().string();
    std::transform(end.begin(), end.end(), end.begin(), ::tolower);
    return end == ".dcm" || end == ".dicom" || end == ".ima";
}

std::string dicom_files_series(const std::string &path) {
    /* tag of SeriesInstanceUID, little endian as in all transfer syntaxes except a retired one */
    static const char tag[] = {0x20, 0, 0x0e, 0};
    std::string head(65536, 0);
    std::ifstream in(path, std::ios::binary);
    in.read(&head[0], (std::streamsize)head.size());
    head.resize((size_t)in.gcount());
    for (size_t at = head.find(tag, 0, 4); at != std::string::npos; at = head.find(tag, at + 1, 4)) {
        /* the length has 2 bytes after a VR, or 4 bytes without a VR */
        const bool named = head.compare(at + 4, 2, "UI") == 0;
        const size_t to = at + 8, n = to > head.size() ? 0 : (unsigned char)head[named ? at + 6 : at + 4];
        std::string uid = n > 0 && n <= 64 && to + n <= head.size() ? head.substr(to, n) : "";
        uid = uid.substr(0, uid.find_last_not_of(std::string(" \0", 2)) + 1);
        if (!uid.empty() && uid.find_first_not_of("0123456789.") == std::string::npos)
            return uid;
    }
    return "";
}

/* True if a link leads to a file in the folder `root`. The path of `root` has no links. */
static bool leads_into(const fs::path &link, const fs::path &root) {
    std::error_code none;
    const fs::path target = fs::canonical(link, none);
    return !none && std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first == root.end();
}

int dicom_files_list(const char *path, dicom_files *d) {
    d->root = path;
    if (!fs::is_directory(path)) {
        d->path.emplace_back(path);
        d->name.emplace_back(path);
        return OK;
    }
    const fs::path root = fs::canonical(path);
    auto skip = fs::directory_options::skip_permission_denied;
    for (const auto &entry : fs::recursive_directory_iterator(path, skip)) {
        if (!entry.is_regular_file() || entry.path().filename() == "DICOMDIR" ||
            (entry.is_symlink() && leads_into(entry.path(), root)))
            continue; /* a link to another file of the folder is skipped, so that the file is read once ('pipeline
                       * sweep' makes such links) */
        d->path.push_back(entry.path().string());
        if (d->path.size() > MAX_FILES)
            return fail(ERR_INPUT, "'%s' holds more than %d files; give the folder of one study", path, MAX_FILES);
    }
    std::sort(d->path.begin(), d->path.end());
    for (const auto &file : d->path)
        d->name.push_back(fs::path(file).lexically_relative(path).string());
    return OK;
}
