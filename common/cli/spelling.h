/* "did you mean": the known word nearest to one that is not known. */
#ifndef PORTAFLOW_SPELLING_H
#define PORTAFLOW_SPELLING_H

/* Number of single-letter edits (insert, delete, replace, swap of neighbours) between two words, case ignored.
 * Words are compared up to 63 letters. */
int spelling_distance(const char *a, const char *b);

/* The word of word[0..n-1] nearest to `text`, NULL when none is near (more than a third of the letters, at least 1
 * and at most 3, would have to change). A word that starts with `text` (3 letters or more) counts as near. */
const char *spelling_nearest_word(const char *text, const char *const *word, int n);
#endif
