/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmark runs that repeat tables of the papers: boxes and schemes of each table. */
#ifndef PORTAFLOW_BENCH_SCHEME_PAPERS_H
#define PORTAFLOW_BENCH_SCHEME_PAPERS_H

typedef struct {
    const char *paper; /* name of a paper's table, as in `pipeline reproduce`, such as "shang2023:table2" */
    /* size of the box in cells, as the paper prints it; if it ends with SCHEME_HEAT, the run has heat */
    const char *box;
    const char *geometry; /* name of a geometry (scheme_case.h) */
    int longest;
    int wall;            /* enum scheme_wall */
    const char *schemes; /* names of schemes, separated by commas; the first is the reference */
} scheme_paper;

#define SCHEME_HEAT " with heat"

extern const scheme_paper scheme_papers[];
extern const int scheme_paper_count;
const char *scheme_paper_names(void); /* names of all tables, "shang2023:table2, ..." */
#endif
