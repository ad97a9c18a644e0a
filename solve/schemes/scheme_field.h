/* SPDX-License-Identifier: Apache-2.0 */
/* Populations in the canonical order [scheme_slots][n_cell]: initial state, reference solution of every scheme,
 * conversion to and from a scheme's memory. One instance of scheme_field.c per precision. */
#ifndef PORTAFLOW_BENCH_SCHEME_FIELD_H
#define PORTAFLOW_BENCH_SCHEME_FIELD_H
#include "solve/schemes/scheme.h"
#include "solve/schemes/scheme_case.h"

typedef struct {
    int value_bytes;
    /* Makes the initial state: arrived populations minus their rest value, from a smooth flow with noise that differs
     * in every cell and direction. */
    void (*start)(const scheme_case *c, bool heat, void *f);
    /* Advances f by `steps` steps of the reference: collide all cells, then stream all, with neighbours looked up in
     * the box. spare: work space with the size of f */
    void (*reference)(const scheme_case *c, int wall, bool heat, const scheme_physics *p, int steps, void *f,
                      void *spare);
    void (*collide)(const scheme_case *c, bool heat, const scheme_physics *p, void *f);
    /* Converts f to the memory [scheme_slots n_slot] of a scheme, where entries without a cell become NaN; gather()
     * converts it back. */
    void (*scatter)(const scheme_case *c, const scheme_state *s, const void *f, void *memory);
    void (*gather)(const scheme_case *c, const scheme_state *s, const void *memory, void *f);
    /* Returns the largest difference over the largest value of b; infinite if a value is not finite or b is zero. */
    double (*difference)(const scheme_case *c, bool heat, const void *a, const void *b);
    /* index of cell k in the memory of the scheme */
    int64_t (*place)(const scheme_case *c, const scheme_state *s, int64_t k);
} scheme_field;

extern const scheme_field scheme_field_float, scheme_field_double;
#endif
