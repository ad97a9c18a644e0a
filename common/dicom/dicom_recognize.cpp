// See dicom_recognize.h.
#include "common/dicom/dicom_recognize.h"
#include <cstring>
#include <fstream>

bool dicom_recognize(const char *path) {
    char mark[132] = {0};
    std::ifstream in(path, std::ios::binary);
    return in.read(mark, sizeof mark) && memcmp(mark + 128, "DICM", 4) == 0;
}
