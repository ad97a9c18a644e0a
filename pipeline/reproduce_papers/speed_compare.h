/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of a paper's table of speed with ours, and its plots. */
#ifndef PORTAFLOW_SPEED_COMPARE_H
#define PORTAFLOW_SPEED_COMPARE_H
#include "pipeline/reproduce/results.h"
#include "pipeline/reproduce/speed_table.h"

typedef struct {
    speed_table published, measured;
    /* nominal memory bandwidth of the paper's card and of this one; for a processor its measured copy rate */
    double published_GB_s, measured_GB_s;
    const char *speed; /* column with the speed: MLUPS, or box_MLUPS if the paper counts every cell of the box */
} speed_comparison;

/* Speed of a row relative to the first scheme of its box, as printed or from the table; NaN: none. */
double speed_against_first(const speed_table *t, int row, const char *speed);
/* Returns the share of the card's bandwidth that this speed uses, from the bytes per update of the scheme in row
 * `measured`. */
double speed_share(const speed_comparison *c, int measured, double mlups, double card_GB_s);
/* Draws plots over the number of cells, if there is more than one box. */
void speed_draw(const speed_comparison *c, results *r);
#endif
