/* A paper's table of speed beside ours: how they are compared (speed_compare.c), and its pictures. */
#ifndef PORTAFLOW_SPEED_COMPARE_H
#define PORTAFLOW_SPEED_COMPARE_H
#include "pipeline/reproduce/results.h"
#include "pipeline/reproduce/speed_table.h"

typedef struct {
    speed_table published, measured;
    double published_GB_s, measured_GB_s; /* of the cards, as their data sheets count them */
    const char *speed;                    /* MLUPS, or box_MLUPS where the paper counts every cell of the box */
} speed_comparison;

/* Speed of a row against the first scheme of its box, as printed or from the table; NaN where there is none. */
double speed_against_first(const speed_table *t, int row, const char *speed);
/* Share of the bandwidth of a card, by the bytes that ours counts for the scheme of row `measured`. */
double speed_share(const speed_comparison *c, int measured, double mlups, double card_GB_s);
/* Pictures over the number of cells, where there is more than one box. */
void speed_draw(const speed_comparison *c, results *r);
#endif
