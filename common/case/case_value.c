/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_reader.h: reads one value, and a block of values by its table. */
#include "common/case/case_reader.h"
#include "common/lattice/lattice.h"
#include "common/cli/spelling.h"
#include "common/base/status.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 200, PATH_MAX_LENGTH = 1000, TABLE_MAX = 64 };
static const double coordinate_limit = 1e5; /* Upper limit of the magnitude of a coordinate, mm or voxels */

void *case_allocate(case_reader *r, int n, size_t size) {
    void *memory = calloc((size_t)n + 1, size);
    if (!memory)
        r->problems.no_memory = true;
    return memory;
}

static const char *kind_name(const case_node *node) {
    return node->kind == NODE_LIST ? "a list" : node->kind == NODE_BLOCK ? "a block" : "one value";
}

/* True for a non-empty scalar; otherwise a problem is added. */
static bool check_scalar(case_reader *r, const case_node *node, const char *wanted) {
    if (node->kind != NODE_SCALAR)
        case_problem_value(&r->problems, node, "must be %s, not %s", wanted, kind_name(node));
    else if (node->text[0] == '\0' ||
             (!node->quoted && (strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0)))
        case_problem_value(&r->problems, node, "has no value: write %s or remove the key", wanted);
    else
        return true;
    return false;
}

static bool text_value(case_reader *r, const case_node *node, const case_key *key, char **target) {
    size_t limit = key->kind == KEY_PATH ? PATH_MAX_LENGTH : TEXT_MAX;
    if (!check_scalar(r, node, key->kind == KEY_PATH ? "a path" : "a text"))
        return false;
    if (strlen(node->text) > limit) {
        case_problem_value(&r->problems, node, "has %zu characters; the limit is %zu", strlen(node->text), limit);
        return false;
    }
    if (key->kind == KEY_NAME && !lattice_name_valid(node->text)) {
        case_problem_value(
            &r->problems, node,
            "'%.80s' cannot be a name: use up to %d of A-Z a-z 0-9 _ - . and start with a letter or digit", node->text,
            LATTICE_NAME_MAX - 1);
        return false;
    }
    char *copy = strdup(node->text);
    if (!copy) {
        r->problems.no_memory = true;
        return false;
    }
    free(*target);
    *target = copy;
    return true;
}

static bool choice_value(case_reader *r, const case_node *node, const char *choices, int *target) {
    char list[TEXT_MAX], shown[TEXT_MAX + 40] = "";
    const char *word[16];
    int n = 0;
    if (!check_scalar(r, node, "a word"))
        return false;
    snprintf(list, sizeof list, "%s", choices);
    for (char *save, *w = strtok_r(list, "|", &save); w && n < 16; w = strtok_r(NULL, "|", &save)) {
        if (strcmp(w, node->text) == 0) {
            *target = n;
            return true;
        }
        size_t used = strlen(shown);
        snprintf(shown + used, sizeof shown - used, "%s%s", n ? ", " : "", w);
        word[n++] = w;
    }
    const char *near = spelling_nearest_word(node->text, word, n);
    case_problem_value(&r->problems, node, "'%.80s' is not one of: %s%s%s%s", node->text, shown,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
}

/* Value of the limit `text` of a table, in the unit of its kind (units.h); returns `without` if text is NULL. */
static double limit_value(const char *text, enum units_kind unit, double without) {
    char reason[UNITS_REASON_MAX];
    double value = without;
    return text && units_check(text, unit, &value, reason) == OK ? value : without;
}

/* Finds the error in "0.6 L/min +- 10 %", here "10 %"; returns NULL if there is none. *value_length: length of the text
 * before "+-". */
static const char *error_part(const char *text, size_t *value_length) {
    static const char *const sign[] = {"+-", "\u00b1", "+/-"};
    for (size_t k = 0; k < sizeof sign / sizeof *sign; k++) {
        const char *at = strstr(text, sign[k]);
        if (!at)
            continue;
        *value_length = (size_t)(at - text);
        while (*value_length > 0 && text[*value_length - 1] == ' ')
            --*value_length;
        at += strlen(sign[k]);
        return at + strspn(at, " ");
    }
    return NULL;
}

/* Reads the error part: "10 %" of the value, or a quantity of the same kind. */
static bool error_value(case_reader *r, const case_node *node, const case_key *key, const char *text, double value,
                        double *error) {
    char reason[UNITS_REASON_MAX], number[TEXT_MAX];
    const size_t n = strcspn(text, "%");
    double part;
    snprintf(number, sizeof number, "%.*s", (int)n, text);
    if (strcmp(text + n, "%") == 0 && units_check(number, UNIT_NONE, &part, reason) == OK)
        *error = 0.01 * part * fabs(value);
    else if (units_check(text, key->unit, error, reason) != 0) {
        case_problem_value(&r->problems, node, "the error after +- is not valid: %s, or a percentage such as 10 %%",
                           reason);
        return false;
    }
    /* the error of a pressure may exceed the pressure, because its zero is arbitrary */
    if (*error >= 0 && (key->unit == UNIT_PRESSURE_PA || *error <= fabs(value)))
        return true;
    case_problem_value(&r->problems, node, "the error '%.40s' after +- is out of range: 0 to the value itself (100 %%)",
                       text);
    return false;
}

static bool quantity_value(case_reader *r, const case_node *node, const case_key *key, double *target);

static bool is_interval(const case_node *node) {
    return node->kind == NODE_SCALAR && strstr(node->text, " to ");
}

/* Reads "0.4 to 1.2 L/min": the ends of a 95 % interval. The value is its middle. */
static bool interval_value(case_reader *r, const case_node *node, const case_key *key, double *value, double *error) {
    const char *to = strstr(node->text, " to ");
    char reason[UNITS_REASON_MAX], text[TEXT_MAX];
    const size_t first = (size_t)(to - node->text), digits = strspn(to + 4, "0123456789.+-eE");
    case_node end = *node;
    double low, high;
    snprintf(text, sizeof text, "%.*s", (int)first, node->text);
    if (units_check(text, key->unit, &low, reason) != OK) /* the unit of the upper end holds for both ends */
        snprintf(text, sizeof text, "%.*s%s", (int)first, node->text, to + 4 + digits);
    end.text = text;
    if (!quantity_value(r, &end, key, &low))
        return false;
    end.text = (char *)to + 4;
    if (!quantity_value(r, &end, key, &high))
        return false;
    if (low >= high) {
        case_problem_value(&r->problems, node, "'%.80s': the first value must be below the second", node->text);
        return false;
    }
    *value = 0.5 * (low + high);
    *error = 0.5 * (high - low);
    return true;
}

/* Reads a value and, if given, the half-width of its 95 % interval ("0.6 L/min +- 10 %"). */
static bool uncertain_value(case_reader *r, const case_node *node, const case_key *key, void *target) {
    case_node bare = *node;
    case_key plain = *key;
    size_t length = 0;
    const char *error = node->kind == NODE_SCALAR ? error_part(node->text, &length) : NULL;
    double *value = (double *)((char *)target + key->offset);
    char text[TEXT_MAX];
    plain.error = 0;
    if (is_interval(node))
        return interval_value(r, node, &plain, value, (double *)((char *)target + key->error));
    if (error) {
        snprintf(text, sizeof text, "%.*s", (int)length, node->text);
        bare.text = text;
    }
    if (!quantity_value(r, &bare, &plain, value))
        return false;
    return !error || error_value(r, node, key, error, *value, (double *)((char *)target + key->error));
}

static bool quantity_value(case_reader *r, const case_node *node, const case_key *key, double *target) {
    char reason[UNITS_REASON_MAX];
    double value;
    if (!check_scalar(r, node, key->unit == UNIT_NONE ? "a number" : "a number with a unit"))
        return false;
    if (units_check(node->text, key->unit, &value, reason) != 0) {
        case_problem_value(&r->problems, node, "%s", reason);
        return false;
    }
    double low = limit_value(key->low, key->unit, -INFINITY), high = limit_value(key->high, key->unit, INFINITY);
    if (value < low || value > high || (key->above && value == low)) {
        const char *from = key->above ? "above " : "";
        if (key->low && key->high)
            case_problem_value(&r->problems, node, "%.80s is out of range: %s%s to %s", node->text, from, key->low,
                               key->high);
        else
            case_problem_value(&r->problems, node, "%.80s is out of range: %s %s", node->text,
                               key->low ? (key->above ? "above" : "at least") : "no more than",
                               key->low ? key->low : key->high);
        return false;
    }
    *target = value;
    return true;
}

static bool integer_value(case_reader *r, const case_node *node, const case_key *key, int *target) {
    case_key real = *key;
    double value;
    real.unit = UNIT_NONE;
    if (!quantity_value(r, node, &real, &value))
        return false;
    if (value != floor(value) || fabs(value) > 2e9) {
        case_problem_value(&r->problems, node, "'%.80s' is not a whole number; write one without a fraction",
                           node->text);
        return false;
    }
    *target = (int)value;
    return true;
}

static bool bool_value(case_reader *r, const case_node *node, bool *target) {
    if (!check_scalar(r, node, "true or false"))
        return false;
    bool yes = strcmp(node->text, "true") == 0;
    if (!yes && strcmp(node->text, "false") != 0) {
        case_problem_value(&r->problems, node, "'%.80s' is neither true nor false; write one of the two", node->text);
        return false;
    }
    *target = yes;
    return true;
}

bool case_list(case_reader *r, const case_node *node, int low, int high, const char *of) {
    if (node->kind == NODE_SCALAR && node->text[0] == '\0')
        case_problem_value(&r->problems, node, "has no value: write a list of %s or remove the key", of);
    else if (node->kind != NODE_LIST)
        case_problem_value(&r->problems, node, "must be a list of %s, not %s", of, kind_name(node));
    else if (low == high && node->n != low)
        case_problem_value(&r->problems, node, "must be a list of %d %s, but this list has %d", low, of, node->n);
    else if (node->n < low || node->n > high)
        case_problem_value(&r->problems, node, "must be a list of %d to %d %s, but this list has %d", low, high, of,
                           node->n);
    else
        return true;
    return false;
}

bool case_point(case_reader *r, const case_node *node, double point[3]) {
    static const case_key coordinate = {.name = "coordinate", .kind = KEY_QUANTITY, .unit = UNIT_NONE};
    double p[3];
    if (node->kind != NODE_LIST || node->n != 3) {
        case_problem_value(&r->problems, node, "must be three numbers: write [x, y, z]");
        return false;
    }
    for (int a = 0; a < 3; a++) {
        if (!quantity_value(r, &node->child[a], &coordinate, &p[a]))
            return false;
        if (fabs(p[a]) > coordinate_limit) {
            case_problem_value(&r->problems, &node->child[a], "%.80s is out of range: -1e5 to 1e5",
                               node->child[a].text);
            return false;
        }
    }
    memcpy(point, p, sizeof p);
    return true;
}

bool case_value(case_reader *r, const case_node *node, const case_key *key, void *target) {
    void *value = (char *)target + key->offset;
    switch ((enum case_key_kind)key->kind) {
    case KEY_TEXT:
    case KEY_NAME:
    case KEY_PATH:
        return text_value(r, node, key, value);
    case KEY_CHOICE:
        return choice_value(r, node, key->choices, value);
    case KEY_QUANTITY:
        return key->error ? uncertain_value(r, node, key, target) : quantity_value(r, node, key, value);
    case KEY_INTEGER:
        return integer_value(r, node, key, value);
    case KEY_BOOL:
        return bool_value(r, node, value);
    case KEY_POINT:
        return case_point(r, node, value);
    case KEY_BLOCK:
        case_block(r, node, key->block, target);
        return true;
    case KEY_FUNCTION:
        key->read(r, node, target);
        return true;
    }
    return false;
}

/* Lists the names of the keys of a table, as array and as text "a, b, c"; returns their number. */
static int table_names(const case_key *table, const char *name[TABLE_MAX], char *list, size_t size) {
    int n = 0;
    list[0] = '\0';
    for (; n < TABLE_MAX && table[n].name; n++) {
        size_t used = strlen(list);
        name[n] = table[n].name;
        snprintf(list + used, size - used, "%s%s", n ? ", " : "", name[n]);
    }
    return n;
}

static void unknown_key(case_reader *r, const case_node *entry, const case_key *table) {
    const char *name[TABLE_MAX];
    char list[600];
    int n = table_names(table, name, list, sizeof list);
    const char *near = spelling_nearest_word(entry->key, name, n);
    if (isdigit((unsigned char)entry->key[0]))
        case_problem_at(&r->problems, entry->key_line, entry->key_column,
                        "'%.80s' is not a key: was a decimal comma meant? The decimal sign is '.'", entry->key);
    else if (near)
        case_problem_at(&r->problems, entry->key_line, entry->key_column,
                        "there is no key '%.80s' here; did you mean '%s'?", entry->key, near);
    else
        case_problem_at(&r->problems, entry->key_line, entry->key_column, "there is no key '%.80s' here; possible: %s",
                        entry->key, list);
}

void case_block(case_reader *r, const case_node *node, const case_key *table, void *target) {
    if (node->kind != NODE_BLOCK) {
        const char *name[TABLE_MAX];
        char list[600];
        table_names(table, name, list, sizeof list);
        case_problem_value(&r->problems, node, "must be a block with the keys: %s", list);
        return;
    }
    for (int k = 0; k < node->n; k++) {
        const case_key *key = table;
        while (key->name && strcmp(key->name, node->child[k].key) != 0)
            key++;
        if (key->name)
            case_value(r, &node->child[k], key, target);
        else
            unknown_key(r, &node->child[k], table);
    }
}
