// See dicom_files.h.
#include "common/image/dicom_files.h"
#include "common/base/status.h"
#include "common/image/itk_dicom.h"
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

bool dicom_recognize(const char *path) {
    char mark[132] = {0};
    std::ifstream in(path, std::ios::binary);
    return in.read(mark, sizeof mark) && memcmp(mark + 128, "DICM", 4) == 0;
}

bool dicom_files_named(const std::string &name) {
    std::string end = fs::path(name).extension().string();
    std::transform(end.begin(), end.end(), end.begin(), ::tolower);
    return end == ".dcm" || end == ".dicom" || end == ".ima";
}

int dicom_files_list(const char *path, dicom_files *d) {
    d->root = path;
    if (!fs::is_directory(path)) {
        d->path.emplace_back(path);
        d->name.emplace_back(path);
        return OK;
    }
    auto skip = fs::directory_options::skip_permission_denied;
    for (const auto &entry : fs::recursive_directory_iterator(path, skip)) {
        if (!entry.is_regular_file() || entry.path().filename() == "DICOMDIR")
            continue;
        d->path.push_back(entry.path().string());
        if (d->path.size() > MAX_FILES)
            return fail(ERR_INPUT, "'%s' holds more than %d files; give the folder of one study", path, MAX_FILES);
    }
    std::sort(d->path.begin(), d->path.end());
    for (const auto &file : d->path)
        d->name.push_back(fs::path(file).lexically_relative(path).string());
    return OK;
}
