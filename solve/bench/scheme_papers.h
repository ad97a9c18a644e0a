/* The tables of the papers as runs: which boxes, which schemes. */
#ifndef PORTAFLOW_BENCH_SCHEME_PAPERS_H
#define PORTAFLOW_BENCH_SCHEME_PAPERS_H

typedef struct {
    const char *paper;    /* item of `pipeline reproduce`: "shang2023:table2" */
    const char *box;      /* as the paper prints it; two distributions where SCHEME_HEAT follows */
    const char *geometry; /* scheme_case.h */
    int longest;
    int wall;            /* enum scheme_wall */
    const char *schemes; /* names separated by commas, the first is what the others are compared with */
} scheme_paper;

#define SCHEME_HEAT " with heat"

extern const scheme_paper scheme_papers[];
extern const int scheme_paper_count;
const char *scheme_paper_names(void); /* "shang2023:table2, ..." */
#endif
