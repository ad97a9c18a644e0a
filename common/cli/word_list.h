/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words separated by '|', as in choices of options and keys. */
#ifndef PORTAFLOW_WORD_LIST_H
#define PORTAFLOW_WORD_LIST_H
#include <string.h>

/* Word number n of a list, not terminated. The list must have more than n words. Returns the length of the word. */
static inline int word_list_get(const char *words, int n, const char **word) {
    for (; n > 0; n--)
        words = strchr(words, '|') + 1;
    *word = words;
    return (int)strcspn(words, "|");
}
#endif
