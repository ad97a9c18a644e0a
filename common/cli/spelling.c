/* SPDX-License-Identifier: Apache-2.0 */
/* Optimal string alignment distance (Damerau-Levenshtein without nested edits). */
#include "common/cli/spelling.h"
#include <ctype.h>
#include <string.h>

enum { LETTERS = 63 };

static int min_int(int a, int b) {
    return a < b ? a : b;
}

int spelling_distance(const char *a, const char *b) {
    int row[3][LETTERS + 1];
    int n = (int)strnlen(a, LETTERS), m = (int)strnlen(b, LETTERS);
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            now[j] = min_int(min_int(before[j], now[j - 1]) + 1, before[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && y == tolower((unsigned char)a[i - 2]))
                now[j] = min_int(now[j], earlier[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

const char *spelling_nearest_word(const char *text, const char *const *word, int n) {
    size_t length = strlen(text);
    int limit = min_int(3, length < 3 ? 1 : (int)(min_int((int)length, LETTERS) + 2) / 3);
    const char *best = NULL;
    for (int k = 0; k < n; k++) {
        int distance = spelling_distance(text, word[k]);
        if (length >= 3 && strncasecmp(text, word[k], length) == 0)
            distance = min_int(distance, 1);
        if (distance <= limit) {
            best = word[k];
            limit = distance - 1;
        }
    }
    return best;
}
