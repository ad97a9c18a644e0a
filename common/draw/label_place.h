/* Names on a picture that do not lie on each other. */
#ifndef PORTAFLOW_LABEL_PLACE_H
#define PORTAFLOW_LABEL_PLACE_H
#ifdef __cplusplus
extern "C" {
#endif

/* Move n boxes so far that no two overlap and all lie in the page, as far as there is room; those that are apart stay,
 * and so do the first n_fixed in any case.
 *   centre  [n][2] pixels, changed     half  [n][2] half of width and height     page  [2] width and height */
void label_place(int n, int n_fixed, double (*centre)[2], const double (*half)[2], const double page[2]);
#ifdef __cplusplus
}
#endif
#endif
