/* SPDX-License-Identifier: Apache-2.0 */
#include "common/draw/html.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/utf8.h"
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t PNG_BYTES = 64000000;

static char *reserve_bytes(html *h, size_t more) {
    if (h->rc != OK)
        return NULL;
    if (h->n + more + 1 > h->max) {
        size_t larger = 2 * h->max + more + 4096;
        char *text = realloc(h->text, larger);
        if (!text) {
            h->rc = fail_memory("the report", (double)larger);
            return NULL;
        }
        h->text = text;
        h->max = larger;
    }
    return h->text + h->n;
}

static void add_bytes(html *h, const char *text, size_t n) {
    char *to = reserve_bytes(h, n);
    if (!to)
        return;
    memcpy(to, text, n);
    h->n += n;
    h->text[h->n] = '\0';
}

void html_add(html *h, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *to = n >= 0 ? reserve_bytes(h, (size_t)n) : NULL;
    if (to) {
        vsnprintf(to, (size_t)n + 1, format, again);
        h->n += (size_t)n;
    }
    va_end(args);
    va_end(again);
}

void html_escape(html *h, const char *text) {
    const unsigned char *p = (const unsigned char *)(text ? text : "");
    while (*p) {
        static const char special[] = "&<>\"'";
        static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
        const char *found = strchr(special, *p);
        size_t n = utf8_length(p);
        if (found)
            add_bytes(h, entity[found - special], strlen(entity[found - special]));
        else if (n == 0 || (*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f)
            add_bytes(h, "\xef\xbf\xbd", 3); /* U+FFFD, the replacement character */
        else
            add_bytes(h, (const char *)p, n);
        p += n > 0 ? n : 1;
    }
}

void html_text(html *h, const char *before, const char *text, const char *after) {
    add_bytes(h, before, strlen(before));
    html_escape(h, text);
    add_bytes(h, after, strlen(after));
}

void html_number(html *h, double value, int digits, const char *unit) {
    double size = fabs(value);
    if (!isfinite(value)) {
        html_add(h, "<span class=\"none\">not computed</span>");
        return;
    }
    if (size == 0) {
        html_add(h, "0");
    } else if (size < 1e-4 || size >= 1e6) {
        html_add(h, "%.*e", digits - 1, value);
    } else {
        int decimals = digits - (int)floor(log10(size)) - 1;
        if (size * pow(10, decimals) >= pow(10, digits) - 0.5)
            decimals--; /* 9.997 with three digits would become 10.00 */
        html_add(h, "%.*f", decimals > 0 ? decimals : 0, value);
    }
    if (unit && *unit)
        html_add(h, "&nbsp;%s", unit);
}

void html_value(html *h, const char *before, double value, int digits, const char *unit, const char *after) {
    add_bytes(h, before, strlen(before));
    html_number(h, value, digits, unit);
    add_bytes(h, after, strlen(after));
}

void html_base64(html *h, const void *data, size_t size) {
    static const char code[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *room_for = h->rc == OK ? reserve_bytes(h, 4 * (size / 3 + 1)) : NULL;
    for (size_t k = 0; room_for && k < size; k += 3) {
        const unsigned char *p = (const unsigned char *)data + k;
        uint32_t bits = (uint32_t)p[0] << 16 | (k + 1 < size ? (uint32_t)p[1] << 8 : 0) | (k + 2 < size ? p[2] : 0);
        char four[4] = {code[bits >> 18], code[bits >> 12 & 63], k + 1 < size ? code[bits >> 6 & 63] : '=',
                        k + 2 < size ? code[bits & 63] : '='};
        add_bytes(h, four, 4);
    }
}

void html_png(html *h, const char *path) {
    char *data = NULL;
    size_t size = 0;
    if (h->rc == OK)
        h->rc = file_read(path, PNG_BYTES, &data, &size);
    html_add(h, "data:image/png;base64,");
    html_base64(h, data, data ? size : 0);
    free(data);
}

void html_free(html *h) {
    free(h->text);
    memset(h, 0, sizeof *h);
}
