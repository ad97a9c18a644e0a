/* Several cards on one lattice: a paper's numbers beside ours, with what limits ours. */
#ifndef PORTAFLOW_SPEED_CARDS_H
#define PORTAFLOW_SPEED_CARDS_H
#include "pipeline/reproduce/results.h"
#include "pipeline/reproduce/speed_table.h"

/* published: cards, MLUPS; measured: ranks, cells, values (sent by a card in a step), one_MLUPS (one card, in the same
 * hour on the same machine), MLUPS; both ascending. What a card sends is shown as time by the note `link` of measured
 * ("391 GB/s"). Cards that were not measured have a dash. */
void speed_cards_show(const speed_table *published, const speed_table *measured, results *r);
#endif
