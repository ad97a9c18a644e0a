/* See notes.h. */
#include "post/flow/notes.h"
#include "common/base/status.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int notes_add(notes *n, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (int k = 0; k < n->n; k++)
        if (strcmp(n->text[k], text) == 0)
            return OK;
    char **larger = realloc(n->text, ((size_t)n->n + 1) * sizeof *larger);
    if (!larger)
        return fail_memory("a note", sizeof text);
    n->text = larger;
    n->text[n->n] = strdup(text);
    if (!n->text[n->n])
        return fail_memory("a note", sizeof text);
    n->n++;
    return OK;
}

void notes_free(notes *n) {
    for (int k = 0; k < n->n; k++)
        free(n->text[k]);
    free(n->text);
    *n = (notes){0};
}
