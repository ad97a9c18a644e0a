/* SPDX-License-Identifier: Apache-2.0 */
/* A list of sentences: the reason why a readout is missing, or the meaning of a number. */
#ifndef PORTAFLOW_POST_READOUTS_NOTES_H
#define PORTAFLOW_POST_READOUTS_NOTES_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "post/readouts/readout_place.h"

typedef struct {
    int n;
    char **text; /* texts of the notes, owned */
} notes;

/* Add a sentence, unless it is in the list. Errors: ERR_RESOURCE. */
MUST_CHECK int notes_add(notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define NOTES_EXACT_LIVER "the resistance of the liver"
/* Lists the values that the case gives without +-: flows, shares, resistances, the resistance and the lost share of the
 * liver, split pressures, permeabilities: "the flow of IN". Errors: ERR_RESOURCE. */
MUST_CHECK int notes_list_exact(const case_file *c, notes *to);
/* Adds a note with this list: no interval includes the uncertainty of these values. Errors: ERR_RESOURCE. */
MUST_CHECK int notes_exact(const notes *exact, notes *to);
/* Adds a note for each outlet whose resistance follows from a mean pressure and a share (case_take_split), if the
 * computed share of the inflow is outside the interval of this share, or 5 percentage points from a share without an
 * interval. place [n]: the openings. Errors: ERR_RESOURCE. */
MUST_CHECK int notes_shares(const case_file *c, int n, const place *p, notes *to);
/* Adds a note if the case states the uncertainty of a capacitance: no interval includes it. Errors: ERR_RESOURCE. */
MUST_CHECK int notes_capacitances(const case_file *c, notes *n);
/* Adds a note if a steady flow takes the place of waveforms (mode steady, mesh.fast): how much higher the means of
 * pressure drops over the cycle may be, from waveform_square_ratio. Errors: as waveform_read; ERR_RESOURCE. */
MUST_CHECK int notes_mean_flow(const case_file *c, notes *n);
/* Adds a note for each porous region: its permeability is modelled. Errors: ERR_RESOURCE. */
MUST_CHECK int notes_porous(const case_file *c, notes *n);
void notes_free(notes *n);
#endif
