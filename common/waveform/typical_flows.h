/* SPDX-License-Identifier: Apache-2.0 */
/* Flows of healthy adults at rest. `init` proposes a typical flow for a case without a measured flow. The variation
 * between people becomes its error, and so part of the intervals of the readouts. case_plausible.c compares given flows
 * with the table.
 *   opening  usual name of an opening of this vessel; NULL: none
 *   l_min    mean flow, L/min; values per kg are for 70 kg
 *   percent  twice the standard deviation between people, % of the mean: half-width of the 95 % interval
 *   source   author and year or PubMed number; REFERENCES.bib
 * Test: tests/unit/pipeline/test_typical_flows.c */
#ifndef PORTAFLOW_TYPICAL_FLOWS_H
#define PORTAFLOW_TYPICAL_FLOWS_H

typedef struct {
    const char *vessel, *opening;
    double l_min;
    int percent;
    const char *source;
} typical_flow;

/* Table of typical flows; *n: its length. */
const typical_flow *typical_flows(int *n);
/* The entry of the table with this mean flow and this half-width of its 95 % interval, m3/s; NULL: none. */
const typical_flow *typical_flows_find(double flow_m3_s, double half_width_m3_s);

#endif
