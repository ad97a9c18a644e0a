/* SPDX-License-Identifier: Apache-2.0 */
/* Text in UTF-8. */
#ifndef PORTAFLOW_UTF8_H
#define PORTAFLOW_UTF8_H
#include <stddef.h>

/* Bytes of the UTF-8 character at p (NUL-terminated text); 0 when the encoding is invalid. */
static inline size_t utf8_length(const unsigned char *p) {
    size_t n = p[0] < 0x80 ? 1 : (p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : (p[0] >= 0xe0 && p[0] < 0xf0 ? 3 : 0));
    if (p[0] >= 0xf0 && p[0] < 0xf5)
        n = 4;
    for (size_t k = 1; k < n; k++)
        if ((p[k] & 0xc0) != 0x80)
            return 0;
    return n;
}
#endif
