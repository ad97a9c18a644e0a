/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of refused case files: the text is refused, and its problems are these and no others. */
#ifndef PORTAFLOW_TESTS_CASE_REFUSE_H
#define PORTAFLOW_TESTS_CASE_REFUSE_H
#include "common/case/case.h"
#include "common/base/status.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static inline int count_lines(const char *text) {
    int n = text[0] != '\0';
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static inline void refuse_bytes(const char *text, size_t size, int n, const char *const *words) {
    case_file c;
    char *copy = calloc(1, size + 1);
    memcpy(copy, text, size);
    status_clear();
    int rc = case_read_text(copy, size, "case.yaml", 0, &c);
    free(copy);
    if (rc != ERR_INPUT)
        fail_msg("accepted (%d): %.500s", rc, text);
    assert_null(c.opening);
    assert_null(c.name);
    for (int k = 0; k < n; k++)
        if (!strstr(status_message(), words[k]))
            fail_msg("%.500s\ngives\n%s\nwhich has no \"%s\"", text, status_message(), words[k]);
    if (n > 0 && count_lines(status_message()) != n)
        fail_msg("%.500s\ngives %d problems, not %d:\n%s", text, count_lines(status_message()), n, status_message());
    for (const char *line = status_message(); line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        assert_memory_equal(line, "case.yaml:", 10);
    status_clear();
}

/* The problems are these and no others. */
#define REFUSE(text, ...)                                                                                              \
    do {                                                                                                               \
        const char *const words[] = {__VA_ARGS__};                                                                     \
        refuse_bytes(text, strlen(text), (int)(sizeof words / sizeof words[0]), words);                                \
    } while (0)

#endif
