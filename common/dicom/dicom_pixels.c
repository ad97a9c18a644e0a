/* SPDX-License-Identifier: Apache-2.0 */
#include "common/dicom/dicom_pixels.h"
#include <stdint.h>
#include <string.h>

enum { UNDEFINED_LENGTH = 0xffffffff };

static uint32_t take32(const unsigned char *b, bool big) {
    return big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
               : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

/* True when complete elements (padding, signatures) follow the pixels up to the end of the file. An element of
 * undefined length is accepted unread. */
static bool rest_is_elements(const unsigned char *bytes, size_t n, size_t at, bool big, bool explicit_vr) {
    static const char long_forms[] = "OB OD OF OL OW SQ UC UN UR UT ";
    while (at < n) {
        if (n - at < 12 && !(n - at >= 8 && !explicit_vr))
            return false;
        const unsigned char *b = bytes + at;
        const unsigned group = big ? (unsigned)b[0] << 8 | b[1] : (unsigned)b[1] << 8 | b[0];
        const char form[4] = {(char)b[4], (char)b[5], ' ', 0};
        const bool wide = !explicit_vr || strstr(long_forms, form) != NULL;
        size_t head = explicit_vr && wide ? 12 : 8;
        size_t length = wide ? take32(b + head - 4, big) : big ? (size_t)b[6] << 8 | b[7] : (size_t)b[7] << 8 | b[6];
        if (group < 0x7fe0 || (wide && length != UNDEFINED_LENGTH && length > n - at - head))
            return false;
        if (wide && length == UNDEFINED_LENGTH)
            return true;
        if (length > n - at - head)
            return false;
        at += head + length;
    }
    return true;
}

/* End of a chain of fragments (FFFE,E000) that starts at `at` and ends with the delimiter (FFFE,E0DD), little endian; 0
 * when the chain is incomplete. */
static size_t fragments_end(const unsigned char *bytes, size_t n, size_t at) {
    static const unsigned char item[4] = {0xfe, 0xff, 0x00, 0xe0}, end[4] = {0xfe, 0xff, 0xdd, 0xe0};
    while (n - at >= 8) {
        if (memcmp(bytes + at, end, 4) == 0)
            return at + 8;
        if (memcmp(bytes + at, item, 4) != 0)
            return 0;
        size_t length = take32(bytes + at + 4, false);
        at += 8;
        if (length > n - at)
            return 0;
        at += length;
    }
    return 0;
}

/* End of pixel data of this length; 0 when they are incomplete or their length is not `needed` bytes rounded up to
 * even. */
static size_t pixels_end(const unsigned char *bytes, size_t n, size_t at, uint32_t length, bool packed, double needed) {
    if (packed || length == UNDEFINED_LENGTH)
        return length == UNDEFINED_LENGTH ? fragments_end(bytes, n, at) : 0;
    const bool right = (double)length >= needed && (double)length < needed + 2 && length <= n - at;
    return right ? at + length : 0;
}

bool dicom_pixels_complete(const unsigned char *bytes, size_t n, bool big_endian, bool packed, double needed) {
    static const unsigned char little[4] = {0xe0, 0x7f, 0x10, 0x00}, big[4] = {0x7f, 0xe0, 0x00, 0x10};
    const unsigned char *tag = big_endian ? big : little;
    for (size_t i = 0; i + 12 <= n; i++) {
        if (bytes[i] != tag[0] || memcmp(bytes + i, tag, 4) != 0)
            continue;
        bool explicit_vr = bytes[i + 4] >= 'A' && bytes[i + 4] <= 'Z' && bytes[i + 5] >= 'A' && bytes[i + 5] <= 'Z';
        const size_t head = explicit_vr ? 12 : 8;
        const uint32_t length = take32(bytes + i + head - 4, big_endian);
        const size_t end = pixels_end(bytes, n, i + head, length, packed, needed);
        if (end != 0 && rest_is_elements(bytes, n, end, big_endian, explicit_vr))
            return true;
    }
    return false;
}
