/* Flows of healthy adults at rest, for a case without a measured flow: proposed in the case and on the page of `init`
 * with how far people differ as their error, so that the intervals of the readouts say how little is known; and what
 * an opening's given flow is held against (case_plausible.c).
 *
 *   opening  what an opening of it is called; NULL: by no one name
 *   l_min    mean flow, L/min; what a source gives for each kg is for 70 kg
 *   percent  twice the standard deviation between people, % of the mean: the half-width of 95 %
 *   source   author and year or PubMed number; REFERENCES.md
 * Test: tests/unit/pipeline/test_typical_flows.c */
#ifndef PORTAFLOW_TYPICAL_FLOWS_H
#define PORTAFLOW_TYPICAL_FLOWS_H

typedef struct {
    const char *vessel, *opening;
    double l_min;
    int percent;
    const char *source;
} typical_flow;

/* All of them, constant, *n of them. */
const typical_flow *typical_flows(int *n);

#endif
