/* A growing page of HTML. After a failure (no memory) every call does nothing; html_finish tells. */
#ifndef PORTAFLOW_HTML_H
#define PORTAFLOW_HTML_H
#include <stddef.h>

typedef struct {
    char *text;
    size_t n, max;
    int rc;
} html;

/* Markup of our own, as printf; nothing from a user or a file may go through here. */
void html_add(html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Any text; & < > " ' are replaced, control characters and bad UTF-8 too. */
void html_escape(html *h, const char *text);
/* The same between markup of our own. */
void html_text(html *h, const char *before, const char *text, const char *after);
/* A number with 3 (or `digits`) significant digits and its unit, never in powers of ten between 1e-4 and 1e6;
 * "not computed" when it is NaN. */
void html_number(html *h, double value, int digits, const char *unit);
void html_value(html *h, const char *before, double value, int digits, const char *unit, const char *after);
/* A PNG as a data URI within quotes: data:image/png;base64,... Errors are kept in h->rc (ERR_INPUT: unreadable). */
void html_png(html *h, const char *path);
void html_base64(html *h, const void *data, size_t size); /* bytes as base64 */
void html_free(html *h);
#endif
