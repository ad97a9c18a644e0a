/* See dicom_pixels.h. */
#include "common/image/dicom_pixels.h"
#include <stdint.h>
#include <string.h>

enum { UNDEFINED_LENGTH = 0xffffffff };

static uint32_t take32(const unsigned char *b, bool big) {
    return big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
               : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

/* Fragments (FFFE,E000) from `at` up to the delimiter (FFFE,E0DD), always little endian. */
static bool fragments_end(const unsigned char *bytes, size_t n, size_t at) {
    static const unsigned char item[4] = {0xfe, 0xff, 0x00, 0xe0}, end[4] = {0xfe, 0xff, 0xdd, 0xe0};
    while (n - at >= 8) {
        if (memcmp(bytes + at, end, 4) == 0)
            return true;
        if (memcmp(bytes + at, item, 4) != 0)
            return false;
        size_t length = take32(bytes + at + 4, false);
        at += 8;
        if (length > n - at)
            return false;
        at += length;
    }
    return false;
}

static bool whole_at(const unsigned char *bytes, size_t n, size_t at, uint32_t length, bool packed, double needed) {
    if (packed)
        return length == UNDEFINED_LENGTH && fragments_end(bytes, n, at);
    if (length == UNDEFINED_LENGTH)
        return (double)(n - at) >= needed;
    return (double)length >= needed && length <= n - at;
}

bool dicom_pixels_whole(const unsigned char *bytes, size_t n, bool big_endian, bool packed, double needed) {
    static const unsigned char little[4] = {0xe0, 0x7f, 0x10, 0x00}, big[4] = {0x7f, 0xe0, 0x00, 0x10};
    const unsigned char *tag = big_endian ? big : little;
    for (size_t i = 0; i + 12 <= n; i++) {
        if (bytes[i] != tag[0] || memcmp(bytes + i, tag, 4) != 0)
            continue;
        bool explicit_vr = bytes[i + 4] >= 'A' && bytes[i + 4] <= 'Z' && bytes[i + 5] >= 'A' && bytes[i + 5] <= 'Z';
        if (explicit_vr ? whole_at(bytes, n, i + 12, take32(bytes + i + 8, big_endian), packed, needed)
                        : whole_at(bytes, n, i + 8, take32(bytes + i + 4, big_endian), packed, needed))
            return true;
    }
    return false;
}
