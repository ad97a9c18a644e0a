/* SPDX-License-Identifier: Apache-2.0 */
/* Several cards on one lattice: published numbers compared with ours, and the limit of ours. */
#ifndef PORTAFLOW_SPEED_CARDS_H
#define PORTAFLOW_SPEED_CARDS_H
#include "pipeline/reproduce/results.h"
#include "pipeline/reproduce/study_table.h"

/* Shows the speed on several cards, the paper's and ours. Columns of published: cards, MLUPS. Columns of measured:
 * ranks, cells, values (sent per card and step), one_MLUPS (speed of one card, measured in the same hour on the same
 * machine), MLUPS. The rows of both ascend by the number of cards. The time to send the values follows from the
 * bandwidth in the note `link` of measured ("391 GB/s"). A dash in the output means not measured. */
void speed_cards_show(const study_table *published, const study_table *measured, results *r);
#endif
