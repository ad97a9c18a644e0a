/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the keys of case.yaml, and functions that read values. Only for case_*.c and for the test that compares the
 * tables with CASE.md and CASE_FLOW.md. */
#ifndef PORTAFLOW_CASE_READER_H
#define PORTAFLOW_CASE_READER_H
#include "common/case/case.h"
#include "common/case/case_tree.h"

enum case_key_kind {
    KEY_TEXT,     /* char *: any text of 1 to 200 characters */
    KEY_NAME,     /* char *: a name that lattice_name_valid accepts */
    KEY_PATH,     /* char *: a path */
    KEY_CHOICE,   /* int: index of the value in `choices` */
    KEY_QUANTITY, /* double: a number with a unit of kind `unit`; UNIT_NONE: a bare number */
    KEY_INTEGER,  /* int: a whole number */
    KEY_BOOL,     /* bool: true or false */
    KEY_POINT,    /* double[3]: [x, y, z] as bare numbers */
    KEY_BLOCK,    /* a block with the keys of `block`; their values are in the same struct */
    KEY_FUNCTION  /* a function that reads the value into the struct */
};

typedef struct {
    case_problems problems;
    case_file *c;
    int need; /* flags of enum case_need that were given to case_read */
} case_reader;

typedef struct case_key {
    const char *name;
    int kind;
    size_t offset; /* offset of the value in the struct that the table fills */
    enum units_kind unit;
    const char *low, *high; /* range of a number, text as in the case file; NULL: no limit */
    bool above;             /* true: the value `low` itself is refused */
    /* offset of the half-width in "0.6 L/min +- 10 %", a double in the value's unit; 0: the key allows no error */
    size_t error;
    const char *choices; /* permitted words, "auto|bright|dark" */
    const struct case_key *block;
    void (*read)(case_reader *r, const case_node *node, void *target);
} case_key;

extern const case_key case_keys[]; /* keys of the whole case; every table ends with a NULL name */

/* Reads the keys of a block into the struct; problems are collected. */
void case_block(case_reader *r, const case_node *node, const case_key *table, void *target);
/* Reads one value. False: refused, with a problem added. Blocks and functions always give true. */
bool case_value(case_reader *r, const case_node *node, const case_key *key, void *target);
bool case_point(case_reader *r, const case_node *node, double point[3]);
/* Checks that a node is a list of low to high entries. false: a problem was added. */
bool case_list(case_reader *r, const case_node *node, int low, int high, const char *of);
/* Zeroed array; NULL: problems.no_memory was set. */
void *case_allocate(case_reader *r, int n, size_t size);

/* in case_lists.c: reading of lists, vectors and blocks */
void case_read_seeds(case_reader *r, const case_node *node, void *target);
void case_read_label_values(case_reader *r, const case_node *node, void *target);
void case_read_surface_unit(case_reader *r, const case_node *node, void *target);
void case_read_periodic(case_reader *r, const case_node *node, void *target);
void case_read_force(case_reader *r, const case_node *node, void *target);
void case_read_accuracy(case_reader *r, const case_node *node, void *target);
void case_read_instants(case_reader *r, const case_node *node, void *target);
/* Computes the resistance of the lobules for livers with model lobules or compartments. With a label image the lobules
 * are only checked, and post computes the resistance. */
void case_apply_livers(case_reader *r, const case_node *root);
void case_read_readouts(case_reader *r, const case_node *node, void *target);
void case_read_sections(case_reader *r, const case_node *node, void *target);
void case_read_walls(case_reader *r, const case_node *node, void *target); /* case_heat.c */
/* Reads {vector: [x, y, z], unit: m/s}; false: a problem was added. */
bool case_vector(case_reader *r, const case_node *node, enum units_kind kind, double vector[3]);
void case_read_normal(case_reader *r, const case_node *node, bool *is_auto, double normal[3]);

/* in case_check.c: writes the name in quotes, or "without a name" for NULL. Returns text. */
enum { CASE_QUOTED = 210 };
const char *case_quote_name(const char *name, char text[CASE_QUOTED]);

/* in case_treat.c */
void case_read_treat(case_reader *r, const case_node *node, void *target);

/* in case_opening.c and case_shape.c */
void case_read_openings(case_reader *r, const case_node *node, void *target);
/* case_outlet.c: models and flow split of outlets. case_apply_split gives outlets without a condition their share; it
 * runs before the conditions are checked. */
void case_read_resistance(case_reader *r, const case_node *node, void *target);
void case_read_windkessel(case_reader *r, const case_node *node, void *target);
void case_read_split(case_reader *r, const case_node *node, void *target);
void case_apply_split(case_reader *r, const case_node *root);
void case_check_model(case_reader *r, const case_node *opening, const case_opening *o);
void case_read_porous(case_reader *r, const case_node *node, void *target);
void case_read_shape(case_reader *r, const case_node *node, void *target);
const case_key *case_shape_keys(int kind); /* keys of an enum shape_kind; NULL: invalid kind */
extern const case_key case_resistance_keys[], case_windkessel_keys[], case_murray_keys[], case_territory_keys[];
extern const case_key case_opening_keys[], case_section_keys[], case_wall_keys[], case_porous_keys[];

/* case_check checks whether the keys are consistent; case_check_files (case_files.c) checks the files that the case
 * names. */
void case_check(case_reader *r, const case_node *root);
/* in case_heat.c; called first, because it sets solve.heat.on */
void case_check_heat(case_reader *r, const case_node *root);
/* in case_shape.c: checks the porous regions */
void case_check_porous(case_reader *r, const case_node *root);
void case_check_files(case_reader *r, const case_node *root);
#endif
