/* Several cards on one lattice: published numbers compared with ours, and the limit of ours. */
#ifndef PORTAFLOW_SPEED_CARDS_H
#define PORTAFLOW_SPEED_CARDS_H
#include "pipeline/reproduce/results.h"
#include "pipeline/reproduce/speed_table.h"

/* published: cards, MLUPS. measured: ranks, cells, values (sent per card and step), one_MLUPS (one card, same hour and
 * machine), MLUPS. Both ascending. Sent values are shown as time by the note `link` of measured ("391 GB/s"). A dash:
 * not measured. */
void speed_cards_show(const speed_table *published, const speed_table *measured, results *r);
#endif
