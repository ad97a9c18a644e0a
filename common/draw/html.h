/* SPDX-License-Identifier: Apache-2.0 */
/* A growing HTML page. After an error h->rc is set and every further call does nothing. */
#ifndef PORTAFLOW_HTML_H
#define PORTAFLOW_HTML_H
#include <stddef.h>

typedef struct {
    char *text;
    size_t n, max;
    int rc;
} html;

/* Adds trusted markup, with printf formats. Never pass text of a user or a file. */
void html_add(html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds any text: escapes & < > " ' and replaces control characters and invalid UTF-8. */
void html_escape(html *h, const char *text);
/* Adds an escaped text between trusted markup. */
void html_text(html *h, const char *before, const char *text, const char *after);
/* Adds a number with `digits` significant digits and its unit; without exponent between 1e-4 and 1e6. NaN: "not
 * computed". */
void html_number(html *h, double value, int digits, const char *unit);
void html_value(html *h, const char *before, double value, int digits, const char *unit, const char *after);
/* Adds a PNG as a data URI without quotes: data:image/png;base64,... An error is stored in h->rc (ERR_INPUT:
 * unreadable). */
void html_png(html *h, const char *path);
void html_base64(html *h, const void *data, size_t size); /* adds bytes, encoded as base64 */
void html_free(html *h);
#endif
