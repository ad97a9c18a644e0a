/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce_papers/speed_cards.h"
#include <math.h>

enum { VALUE_BYTES = 4 };

/* Row for this number of cards, -1: none. */
static int row_of(const study_table *t, const char *column, int cards) {
    for (int k = 0; k < t->n_row; k++)
        if (study_table_number(t, k, column) == cards)
            return k;
    return -1;
}

static double value_of(const study_table *t, int row, const char *column) {
    return row < 0 ? NAN : study_table_number(t, row, column);
}

static void add_row(const study_table *published, const study_table *measured, int cards, results *r) {
    const int here = row_of(measured, "ranks", cards), there = row_of(published, "cards", cards);
    const double theirs = value_of(published, there, "MLUPS"), ours = value_of(measured, here, "MLUPS");
    const double their_first = value_of(published, 0, "MLUPS") / value_of(published, 0, "cards");
    const double one = value_of(measured, here, "one_MLUPS"), step_us = value_of(measured, here, "cells") / ours;
    const double sent = VALUE_BYTES * value_of(measured, here, "values");
    results_row(r, "%d|%.0f|%.1f|%.0f|%.1f|%.1f|%.0f|%.0f|%.2f|%.1f", cards, theirs,
                100 * theirs / (cards * their_first), ours, 100 * ours / (cards * one), ours / theirs, step_us,
                step_us - value_of(measured, here, "cells") / (cards * one), sent * 1e-6,
                sent * 1e-3 / study_table_bandwidth(study_table_note(measured, "link")));
}

/* Writes the criteria of strong scaling; their limits were set before the measurement. */
static void judge(const study_table *measured, results *r) {
    static const struct {
        int cards;
        double least;
    } limit[] = {{2, 94}, {4, 88}};
    for (size_t k = 0; k < sizeof limit / sizeof *limit; k++) {
        const int row = row_of(measured, "ranks", limit[k].cards);
        const double of_one =
            value_of(measured, row, "MLUPS") / (limit[k].cards * value_of(measured, row, "one_MLUPS"));
        if (row < 0)
            continue;
        results_at_least(r, results_format(r, "%d cards, of %d times one (%%)", limit[k].cards, limit[k].cards),
                         100 * of_one, limit[k].least);
    }
}

void speed_cards_show(const study_table *published, const study_table *measured, results *r) {
    int most = 0;
    results_text(r,
                 "Several cards of one machine: DENSE on %s; `ours` on %s, %s. Values sent per step: also as time on a "
                 "link of %s; border cells are computed first and sent while the rest is computed.",
                 study_table_note(published, "card"), study_table_note(measured, "card"),
                 study_table_note(measured, "date"), study_table_note(measured, "link"));
    results_table(r, "cards",
                  "cards|published (MLUPS)|published: of as many times a card's share of the first row with several "
                  "(%)|measured (MLUPS)|measured: of as many times one card (%)|measured / published|a step (us)|more "
                  "than its share of one card's (us)|sent by a card in a step (MB)|time of that on the link (us)");
    for (int k = 0; k < published->n_row; k++)
        most = (int)fmax(most, study_table_number(published, k, "cards"));
    for (int k = 0; k < measured->n_row; k++)
        most = (int)fmax(most, study_table_number(measured, k, "ranks"));
    for (int cards = 1; cards <= most; cards++)
        if (row_of(published, "cards", cards) >= 0 || row_of(measured, "ranks", cards) >= 0)
            add_row(published, measured, cards, r);
    judge(measured, r);
    if (*study_table_note(measured, "limit"))
        results_text(r, "What limits them: %s", study_table_note(measured, "limit"));
}
