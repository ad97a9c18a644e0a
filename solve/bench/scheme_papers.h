/* Benchmark runs that repeat tables of the papers: boxes and schemes of each table. */
#ifndef PORTAFLOW_BENCH_SCHEME_PAPERS_H
#define PORTAFLOW_BENCH_SCHEME_PAPERS_H

typedef struct {
    const char *paper; /* item of `pipeline reproduce`: "shang2023:table2" */
    /* size of the box in cells, as printed in the paper; SCHEME_HEAT at its end: the run has heat */
    const char *box;
    const char *geometry; /* see scheme_case.h */
    int longest;
    int wall;            /* enum scheme_wall */
    const char *schemes; /* comma-separated names; the first is the reference */
} scheme_paper;

#define SCHEME_HEAT " with heat"

extern const scheme_paper scheme_papers[];
extern const int scheme_paper_count;
const char *scheme_paper_names(void); /* names of all tables, "shang2023:table2, ..." */
#endif
