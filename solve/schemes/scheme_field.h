/* Populations in the canonical order [scheme_slots][n_cell]: where they start, the textbook solution that every scheme
 * must give, and the way into a scheme's memory and back. One instance of scheme_field.c a precision; `f` is of it. */
#ifndef PORTAFLOW_BENCH_SCHEME_FIELD_H
#define PORTAFLOW_BENCH_SCHEME_FIELD_H
#include "solve/schemes/scheme.h"
#include "solve/schemes/scheme_case.h"

typedef struct {
    int value_bytes;
    /* Populations that arrived, minus their rest value: a smooth flow and noise, no two cells and directions alike. */
    void (*start)(const scheme_case *c, bool heat, void *f);
    /* `steps` times collide all, then stream all, with the neighbours looked up in the box; spare is of the same size.
     * The result is in f. */
    void (*reference)(const scheme_case *c, int wall, bool heat, const scheme_physics *p, int steps, void *f,
                      void *spare);
    void (*collide)(const scheme_case *c, bool heat, const scheme_physics *p, void *f);
    /* memory [scheme_slots n_slot] of a scheme; what belongs to no cell becomes NaN. */
    void (*scatter)(const scheme_case *c, const scheme_state *s, const void *f, void *memory);
    void (*gather)(const scheme_case *c, const scheme_state *s, const void *memory, void *f);
    /* Largest difference over the largest value of b; infinite when one is not a number, or when b is zero. */
    double (*difference)(const scheme_case *c, bool heat, const void *a, const void *b);
    int64_t (*place)(const scheme_case *c, const scheme_state *s, int64_t k); /* of cell k in the scheme's memory */
} scheme_field;

extern const scheme_field scheme_field_float, scheme_field_double;
#endif
