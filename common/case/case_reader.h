/* How the tables of keys of case.yaml work. Only for case_*.c and the test that holds README.md against the tables. */
#ifndef PORTAFLOW_CASE_READER_H
#define PORTAFLOW_CASE_READER_H
#include "common/case/case.h"
#include "common/case/case_tree.h"

enum case_key_kind {
    KEY_TEXT,     /* char *: any text of 1 to 200 characters */
    KEY_NAME,     /* char *: lattice_name_valid */
    KEY_PATH,     /* char *: a path */
    KEY_CHOICE,   /* int: index in `choices` */
    KEY_QUANTITY, /* double: number with a unit of `unit`; UNIT_NONE: a bare number */
    KEY_INTEGER,  /* int */
    KEY_BOOL,     /* bool: true or false */
    KEY_POINT,    /* double[3]: [x, y, z], bare numbers */
    KEY_BLOCK,    /* a block with the keys of `block`, values in the same struct as this key's */
    KEY_TAKE      /* a function reads it into the struct */
};

typedef struct {
    case_problems problems;
    case_file *c;
    int need; /* enum case_need */
} case_reader;

typedef struct case_key {
    const char *name;
    int kind;
    size_t offset; /* of the value in the struct the table describes */
    enum units_kind unit;
    const char *low, *high; /* range of a number, written as in the file; NULL: none */
    bool above;             /* low itself is excluded */
    size_t error;        /* offset of a double for "0.6 L/min +- 10 %", the half-width in the value's unit; 0: none */
    const char *choices; /* "auto|bright|dark" */
    const struct case_key *block;
    void (*take)(case_reader *r, const case_node *node, void *target);
} case_key;

extern const case_key case_keys[]; /* the whole case; ends with a NULL name, as every table */

/* Read the keys of a block into the struct; everything that is wrong is noted. */
void case_block(case_reader *r, const case_node *node, const case_key *table, void *target);
/* Read one value; false when it was refused (and noted), the target is then untouched. */
bool case_value(case_reader *r, const case_node *node, const case_key *key, void *target);
bool case_point(case_reader *r, const case_node *node, double point[3]);
/* A list whose length is between low and high; false: noted. */
bool case_list(case_reader *r, const case_node *node, int low, int high, const char *of);
/* Zeroed array; NULL: noted. */
void *case_allocate(case_reader *r, int n, size_t size);

/* case_take.c: values that are more than one number */
void case_take_seeds(case_reader *r, const case_node *node, void *target);
void case_take_label_values(case_reader *r, const case_node *node, void *target);
void case_take_surface_unit(case_reader *r, const case_node *node, void *target);
void case_take_periodic(case_reader *r, const case_node *node, void *target);
void case_take_force(case_reader *r, const case_node *node, void *target);
void case_take_instants(case_reader *r, const case_node *node, void *target);
void case_take_readouts(case_reader *r, const case_node *node, void *target);
void case_take_sections(case_reader *r, const case_node *node, void *target);
void case_take_walls(case_reader *r, const case_node *node, void *target); /* case_heat.c */
/* {vector: [x, y, z], unit: m/s} */
bool case_vector(case_reader *r, const case_node *node, enum units_kind kind, double vector[3]);
void case_take_normal(case_reader *r, const case_node *node, bool *is_auto, double normal[3]);

/* case_opening.c, case_shape.c */
void case_take_openings(case_reader *r, const case_node *node, void *target);
void case_take_shape(case_reader *r, const case_node *node, void *target);
const case_key *case_shape_keys(int kind); /* table of an enum shape_kind, NULL beyond the last */
extern const case_key case_opening_keys[], case_section_keys[], case_wall_keys[];

/* case_check.c: what the keys must be together. case_files.c: what they name. */
void case_check(case_reader *r, const case_node *root);
void case_check_heat(case_reader *r, const case_node *root); /* case_heat.c; before the rest: sets solve.heat.on */
void case_check_files(case_reader *r, const case_node *root);
#endif
