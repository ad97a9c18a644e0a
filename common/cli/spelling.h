/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest known word to an unknown word, for "did you mean". */
#ifndef PORTAFLOW_SPELLING_H
#define PORTAFLOW_SPELLING_H

/* Edit distance of two words: insert, delete, replace a letter, swap neighbours. Ignores case. Words are compared up to
 * 63 letters. */
int spelling_distance(const char *a, const char *b);

/* The word of word[0..n-1] nearest to `text`. NULL when every word needs more edits than a third of the letters (limit
 * 1 to 3 edits). A word that starts with `text` (3 letters or more) counts as one edit. */
const char *spelling_nearest_word(const char *text, const char *const *word, int n);
#endif
