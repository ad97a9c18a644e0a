/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_tree.h: puts settings of the command line into the tree as if the file contained them. */
#include "common/base/message.h"
#include "common/case/case_tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The setting that is being applied. */
typedef struct {
    int line; /* CASE_SETTING + index, used as line of all nodes of this setting */
    const char *value;
    case_problems *problems;
} setting;

static void no_memory(const setting *s) {
    s->problems->no_memory = true;
}

/* Marks a value and its children as coming from this setting, and gives them labels for messages. */
static void set_place(case_node *node, const char *label, int line) {
    node->label = label;
    node->line = node->key_line = line;
    node->column = node->key_column = 0;
    for (int k = 0; k < node->n; k++)
        set_place(&node->child[k], node->child[k].key ? node->child[k].key : label, line);
}

/* For each kind of readout: the key that names an entry, and all keys of its block. */
static const struct {
    const char *kind, *name, *key[5];
} readout[] = {{"ppg", "portal", {"portal", "cava", "liver", "measured"}}, {"pressure_drop", "from", {"from", "to"}}};
enum { READOUTS = sizeof readout / sizeof *readout };

/* Index in readout[] of the kind of an entry of the list `readouts`; -1: not an entry of this list. */
static int readout_kind(const case_node *entry) {
    for (int i = 0; i < READOUTS; i++)
        if (case_node_find(entry, readout[i].kind))
            return i;
    return -1;
}

/* Returns the name by which --set finds an entry of a list, which is the value of the entry's key `name`. A readout is
 * found by the name of its portal vein, else of its first opening or section. "": the entry has no name. */
static const char *name_of(const case_node *entry) {
    const int kind = readout_kind(entry);
    const case_node *name = kind < 0 ? case_node_find(entry, "name")
                                     : case_node_find(case_node_find(entry, readout[kind].kind), readout[kind].name);
    return name && name->kind == NODE_SCALAR ? name->text : "";
}

/* True if `next`, up to its '.', is a key of the readout `entry` or of the readout's block. */
static bool readout_has(const case_node *entry, const char *next) {
    const int kind = readout_kind(entry);
    const size_t n = strcspn(next, ".");
    bool has = strlen(readout[kind].kind) == n && strncmp(readout[kind].kind, next, n) == 0;
    for (int j = 0; readout[kind].key[j]; j++)
        has |= strlen(readout[kind].key[j]) == n && strncmp(readout[kind].key[j], next, n) == 0;
    return has;
}

/* Length of the first step of the path `rest`: a key up to the next '.', or in a list the longest matching name of an
 * entry (names may contain '.'). */
static size_t step_length(const case_node *at, const char *rest) {
    size_t longest = 0;
    for (int k = 0; at->kind == NODE_LIST && k < at->n; k++) {
        const size_t n = strlen(name_of(&at->child[k]));
        if (n > longest && strncmp(name_of(&at->child[k]), rest, n) == 0 && (rest[n] == '.' || rest[n] == '\0'))
            longest = n;
    }
    return longest > 0 ? longest : strcspn(rest, ".");
}

/* Index of the child with the key (in a list: the name) `step`; -1: none. */
static int step_find(const case_node *at, const char *step) {
    for (int k = 0; k < at->n; k++)
        if (strcmp(at->kind == NODE_LIST ? name_of(&at->child[k]) : at->child[k].key, step) == 0)
            return k;
    return -1;
}

/* As step_find, but of several readouts with the name `step` it returns the first that has the key `next`. */
static int entry_find(const case_node *at, const char *step, const char *next) {
    for (int k = 0; at->kind == NODE_LIST && k < at->n; k++)
        if (strcmp(name_of(&at->child[k]), step) == 0 && readout_kind(&at->child[k]) >= 0 &&
            readout_has(&at->child[k], next))
            return k;
    return step_find(at, step);
}

/* Returns false and adds a problem if several readouts have the name `step` and the key `next` (NULL: any key). */
static bool is_unique(const setting *s, const case_node *at, const char *step, const char *next) {
    int n = 0;
    for (int k = 0; at->kind == NODE_LIST && k < at->n; k++)
        n += strcmp(name_of(&at->child[k]), step) == 0 && readout_kind(&at->child[k]) >= 0 &&
             (!next || readout_has(&at->child[k], next));
    if (n > 1)
        case_problem_at(s->problems, s->line, 0, "%d entries of '%s' are named '%.64s': set the whole list, %s=[..]", n,
                        at->label, step, at->label);
    return n < 2;
}

static void report_no_entry(const setting *s, const case_node *list, const char *step) {
    char names[400] = "";
    size_t used = 0;
    for (int k = 0; k < list->n && used + 70 < sizeof names; k++)
        if (name_of(&list->child[k])[0])
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.64s", used > 0 ? ", " : "",
                                     name_of(&list->child[k]));
    if (names[0])
        case_problem_at(s->problems, s->line, 0, "'%s' has no entry '%.64s'; its entries are %s", list->label, step,
                        names);
    else
        case_problem_at(s->problems, s->line, 0, "the entries of '%s' have no names: set the whole list, %s=[..]",
                        list->label, list->label);
}

/* Appends an empty entry to a block; NULL: no memory, which was recorded. */
static case_node *append_entry(const setting *s, case_node *block, const char *key) {
    case_node *larger = realloc(block->child, (size_t)(block->n + 1) * sizeof *larger);
    if (larger)
        block->child = larger;
    char *copy = larger ? strdup(key) : NULL;
    if (!copy) {
        no_memory(s);
        return NULL;
    }
    case_node *entry = &block->child[block->n++];
    *entry = (case_node){.kind = NODE_BLOCK, .key = copy};
    set_place(entry, copy, s->line);
    return entry;
}

static void remove_child(case_node *at, int index) {
    case_tree_free(&at->child[index]);
    at->n--;
    memmove(&at->child[index], &at->child[index + 1], (size_t)(at->n - index) * sizeof *at->child);
}

/* Parses the value of the setting into `node`; false: a problem was added. */
static bool read_value(const setting *s, case_node *node) {
    case_problems own = {.path = ""};
    bool whole;
    case_tree_parse(s->value, strlen(s->value), node, &whole, &own);
    for (int k = 0; k < own.n; k++)
        case_problem_at(s->problems, s->line, 0, "%s", own.problem[k].text);
    if (own.no_memory)
        no_memory(s);
    case_problems_free(&own);
    return whole;
}

/* Sets one key: `step` is the last part of its path, `at` the block that contains it. Replaces, adds or removes its
 * value. */
static void put_value(const setting *s, case_node *at, const char *step) {
    const int index = step_find(at, step), before = index < 0 ? -1 : at->child[index].key_line - CASE_SETTING;
    case_node value;
    if (at->kind == NODE_LIST && index < 0) {
        report_no_entry(s, at, step);
    } else if (before >= 0 && before < s->problems->set->n) {
        case_problem_at(s->problems, s->line, 0, "this key was given before, by --set %s",
                        s->problems->set->word[before]);
    } else if (s->value[strspn(s->value, " ")] == '\0') {
        if (index < 0)
            case_problem_at(s->problems, s->line, 0, "there is no key '%.64s' to remove", step);
        else
            remove_child(at, index);
    } else if (read_value(s, &value)) {
        case_node *entry = index < 0 ? append_entry(s, at, step) : &at->child[index];
        if (!entry) {
            case_tree_free(&value);
            return;
        }
        value.key = entry->key;
        entry->key = NULL;
        case_tree_free(entry);
        *entry = value;
        set_place(entry, entry->key ? entry->key : at->label, s->line);
    } else {
        case_tree_free(&value);
    }
}

/* The child with the key or name `step`, which is appended if missing; NULL: a problem was added. `next`: rest of the
 * path. The child of a readout is its block, unless `next` names the block. */
static case_node *find_or_append(const setting *s, case_node *at, const char *step, const char *next) {
    const int index = entry_find(at, step, next);
    if (!is_unique(s, at, step, next))
        return NULL;
    if (index < 0 && at->kind == NODE_LIST) {
        report_no_entry(s, at, step);
        return NULL;
    }
    case_node *child = index < 0 ? append_entry(s, at, step) : &at->child[index];
    if (child && child->kind == NODE_SCALAR) {
        case_problem_at(s->problems, s->line, 0, "'%s' is the value '%.40s' and has no keys; set it as a whole",
                        child->label, child->text);
        return NULL;
    }
    const int kind = child && at->kind == NODE_LIST ? readout_kind(child) : -1;
    const int block = kind >= 0 && strncmp(next, readout[kind].kind, strcspn(next, ".")) != 0
                          ? step_find(child, readout[kind].kind)
                          : -1;
    return block >= 0 && child->child[block].kind == NODE_BLOCK ? &child->child[block] : child;
}

static void apply_setting(const setting *s, case_node *root, char *path) {
    case_node *at = root;
    for (char *rest = path; at;) {
        const size_t n = step_length(at, rest);
        const bool last = rest[n] == '\0';
        rest[n] = '\0';
        if (n == 0) {
            case_problem_at(s->problems, s->line, 0, "a key is words with '.' between them, such as solve.wall");
            return;
        }
        if (last) {
            const char *present = case_key_present(at->label, rest);
            if (present)
                message_warn("--set: the key '%s.%s' is now '%s'", at->label, rest, present);
            else
                present = rest;
            if (is_unique(s, at, present, NULL))
                put_value(s, at, present);
            return;
        }
        at = find_or_append(s, at, rest, rest + n + 1);
        rest += n + 1;
    }
}

const char *case_key_present(const char *block, const char *key) {
    static const struct {
        const char *in, *old, *present;
    } renamed[] = {{"mesh", "cells_across", "cells_per_diameter"}, {"mesh", "ladder", "grid_levels"}};
    for (size_t k = 0; block && k < sizeof renamed / sizeof *renamed; k++)
        if (strcmp(renamed[k].in, block) == 0 && strcmp(renamed[k].old, key) == 0)
            return renamed[k].present;
    return NULL;
}

void case_tree_rename_keys(case_node *root, case_problems *p) {
    for (int i = 0; root->kind == NODE_BLOCK && i < root->n; i++) {
        case_node *block = &root->child[i];
        for (int k = 0; block->kind == NODE_BLOCK && k < block->n; k++) {
            case_node *entry = &block->child[k];
            const char *present = case_key_present(block->key, entry->key);
            char *copy = present && !case_node_find(block, present) ? strdup(present) : NULL;
            if (!copy) {
                p->no_memory = p->no_memory || (present && !case_node_find(block, present));
                continue;
            }
            message_warn("%s:%d: the key '%s.%s' is now '%s'; rename it", p->path, entry->key_line, block->key,
                         entry->key, present);
            free(entry->key);
            entry->key = copy;
            entry->label = copy;
        }
    }
}

/* Keys that exclude each other, within a block or within an entry of a list. */
static const struct {
    const char *in, *key[7];
} exclusive[] = {{"mesh", {"spacing", "cells_per_diameter"}},
                 {"solve", {"tau", "time_step"}},
                 {"image", {"crop", "box"}},
                 {"openings", {"flow", "velocity", "pressure", "developed", "resistance", "windkessel"}},
                 {"walls", {"temperature", "insulated"}},
                 {"porous", {"sphere", "cylinder", "box", "ellipsoid", "label"}}};

static bool is_given(const case_node *node) {
    return node->key_line < 0; /* --set gives lines below 0 (CASE_SETTING + index); lines of the file start at 1 */
}

/* If --set gives one of these keys, the others are removed when they come from the file. */
static void replace_excluded(case_node *block, const char *const key[7]) {
    bool given = false;
    for (int k = 0; key[k]; k++) {
        const case_node *node = case_node_find(block, key[k]);
        given = given || (node && is_given(node));
    }
    for (int k = 0; key[k] && given; k++) {
        const int index = step_find(block, key[k]);
        if (index >= 0 && !is_given(&block->child[index]))
            remove_child(block, index);
    }
}

void case_tree_set(case_node *root, case_problems *p) {
    for (int k = 0; p->set && k < p->set->n && root->kind == NODE_BLOCK; k++) {
        const char *text = p->set->word[k], *equals = strchr(text, '=');
        setting s = {.line = CASE_SETTING + k, .value = equals ? equals + 1 : "", .problems = p};
        char *path = strndup(text, equals ? (size_t)(equals - text) : 0);
        if (path)
            apply_setting(&s, root, path);
        else
            no_memory(&s);
        free(path);
    }
    for (size_t i = 0; p->set && p->set->n > 0 && i < sizeof exclusive / sizeof *exclusive; i++) {
        const int index = root->kind == NODE_BLOCK ? step_find(root, exclusive[i].in) : -1;
        case_node *at = index < 0 ? NULL : &root->child[index];
        if (at && at->kind == NODE_BLOCK)
            replace_excluded(at, exclusive[i].key);
        for (int k = 0; at && at->kind == NODE_LIST && k < at->n; k++)
            if (at->child[k].kind == NODE_BLOCK)
                replace_excluded(&at->child[k], exclusive[i].key);
    }
}
