/* SPDX-License-Identifier: Apache-2.0 */
/* Avoids overlaps of the labels in a picture. */
#ifndef PORTAFLOW_LABEL_PLACE_H
#define PORTAFLOW_LABEL_PLACE_H
#ifdef __cplusplus
extern "C" {
#endif

/* Moves n boxes until no two overlap and all are inside the page, if there is enough space. Boxes without overlaps and
 * the first n_fixed boxes do not move.
 *   centre  [n][2] pixels, changed     half  [n][2] half of width and height     page  [2] width and height */
void label_separate(int n, int n_fixed, double (*centre)[2], const double (*half)[2], const double page[2]);
#ifdef __cplusplus
}
#endif
#endif
