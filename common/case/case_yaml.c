/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_tree.h: builds the tree from YAML events. Anchors, aliases and tags are refused: a case
 * needs none, and aliases let a small file expand to a huge tree. */
#include "common/case/case_tree.h"
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEPTH_MAX = 16, KEY_MAX = 100, ITEM_MAX = 20000 };

typedef struct {
    yaml_parser_t yaml;
    yaml_event_t event; /* the event that libyaml returned last */
    bool has_event, failed;
    const char *text;
    size_t size;
    case_problems *problems;
} builder;

static int line_of(const yaml_event_t *e) {
    return (int)e->start_mark.line + 1;
}

static int column_of(const yaml_event_t *e) {
    return (int)e->start_mark.column + 1;
}

/* Adds a problem at the current event and ends the parsing. */
static void stop_parsing(builder *b, const char *sentence) {
    if (!b->failed)
        case_problem_at(b->problems, line_of(&b->event), column_of(&b->event), "%s", sentence);
    b->failed = true;
}

static void syntax_error(builder *b) {
    const yaml_parser_t *y = &b->yaml;
    int line = (int)y->problem_mark.line + 1, column = (int)y->problem_mark.column + 1;
    b->failed = true;
    if (y->error == YAML_MEMORY_ERROR) {
        b->problems->no_memory = true;
        return;
    }
    if (y->error == YAML_READER_ERROR) { /* libyaml reports a byte offset, not a line */
        line = column = 1;
        for (size_t k = 0; k < y->problem_offset && k < b->size; k++) {
            line += b->text[k] == '\n';
            column = b->text[k] == '\n' ? 1 : column + 1;
        }
        case_problem_at(b->problems, line, column, "this is not text: %s; save the file as UTF-8 text", y->problem);
        return;
    }
    const char *start = b->text;
    for (int k = 1; k < line && start; k++) {
        start = memchr(start, '\n', b->size - (size_t)(start - b->text));
        start = start ? start + 1 : NULL;
    }
    size_t left = start ? b->size - (size_t)(start - b->text) : 0;
    const char *end = start ? memchr(start, '\n', left) : NULL;
    bool tab = start && memchr(start, '\t', end ? (size_t)(end - start) : left);
    case_problem_at(b->problems, line, column, "this is not YAML: %s%s%s%s", y->problem ? y->problem : "syntax error",
                    y->context ? ", " : "", y->context ? y->context : "",
                    tab ? "; this line contains a tab: indent with spaces" : "");
}

static bool next_event(builder *b) {
    if (b->has_event)
        yaml_event_delete(&b->event);
    b->has_event = false;
    if (b->failed)
        return false;
    if (!yaml_parser_parse(&b->yaml, &b->event)) {
        syntax_error(b);
        return false;
    }
    b->has_event = true;
    return true;
}

/* Appends a zeroed child. Returns NULL if the node has `limit` children, or if memory ran out, which was recorded. */
static case_node *add_child(builder *b, case_node *node, int limit) {
    if (node->n == limit) {
        stop_parsing(b, node->kind == NODE_LIST ? "this list has too many entries" : "this block has too many keys");
        return NULL;
    }
    if ((node->n & (node->n - 1)) == 0) { /* double the allocation at 0, 1, 2, 4, 8 ... */
        size_t room = node->n ? 2 * (size_t)node->n : 1;
        case_node *larger = realloc(node->child, room * sizeof *larger);
        if (!larger) {
            b->problems->no_memory = b->failed = true;
            return NULL;
        }
        node->child = larger;
    }
    memset(&node->child[node->n], 0, sizeof *node);
    return &node->child[node->n++];
}

/* True for invisible characters, and for characters that change the display of neighbouring characters, because they
 * could make a title or a file name look like another one. Ranges: Default_Ignorable_Code_Point (Unicode,
 * DerivedCoreProperties.txt), line ends, and the Braille blank. */
static bool is_hidden(unsigned code) {
    static const unsigned range[][2] = {{0xad, 0xad},       {0x34f, 0x34f},    {0x61c, 0x61c},   {0x115f, 0x1160},
                                        {0x17b4, 0x17b5},   {0x180b, 0x180f},  {0x200b, 0x200f}, {0x2028, 0x202e},
                                        {0x2060, 0x206f},   {0x2800, 0x2800},  {0x3164, 0x3164}, {0xfe00, 0xfe0f},
                                        {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3},
                                        {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    for (size_t k = 0; k < sizeof range / sizeof *range; k++)
        if (code >= range[k][0] && code <= range[k][1])
            return true;
    return false;
}

/* Code point of the UTF-8 character at c (validated by libyaml); 0 if c is inside a character. */
static unsigned code_point(const unsigned char *c, size_t n) {
    const int more = c[0] >= 0xf0 ? 3 : c[0] >= 0xe0 ? 2 : c[0] >= 0xc0 ? 1 : 0;
    unsigned code = c[0] >= 0xf0   ? c[0] & 7u
                    : c[0] >= 0xe0 ? c[0] & 15u
                    : c[0] >= 0xc0 ? c[0] & 31u
                    : c[0] < 0x80  ? c[0]
                                   : 0;
    for (int k = 1; k <= more; k++)
        code = (size_t)k < n ? code << 6 | (c[k] & 63u) : 0;
    return code;
}

static bool is_printable(const char *text, size_t n) {
    for (size_t k = 0; k < n; k++) {
        unsigned char c = (unsigned char)text[k];
        if (is_hidden(code_point((const unsigned char *)text + k, n - k)))
            return false;
        if (c < 0x20 || c == 0x7f || (c == 0xc2 && k + 1 < n && (unsigned char)text[k + 1] < 0xa0))
            return false;
    }
    return true;
}

static char *copy_scalar(builder *b) {
    const char *text = (const char *)b->event.data.scalar.value;
    size_t n = b->event.data.scalar.length;
    if (!is_printable(text, n)) {
        case_problem_at(b->problems, line_of(&b->event), column_of(&b->event),
                        "a value contains a tab, line break, control character or invisible character; remove it");
        n = 0;
    }
    char *copy = strndup(text, n);
    if (!copy)
        b->problems->no_memory = b->failed = true;
    return copy;
}

static bool refuse_anchor_or_tag(builder *b, const yaml_char_t *anchor, const yaml_char_t *tag) {
    if (anchor)
        stop_parsing(b, "anchors (&name) are not part of a case file: write the value out");
    else if (tag)
        stop_parsing(b, "tags (!name) are not part of a case file: write the value alone");
    return anchor || tag;
}

static void build_node(builder *b, case_node *node, int depth);

static void build_list(builder *b, case_node *node, int depth) {
    while (next_event(b) && b->event.type != YAML_SEQUENCE_END_EVENT) {
        case_node *item = add_child(b, node, ITEM_MAX);
        if (!item)
            return;
        item->label = node->label;
        build_node(b, item, depth + 1);
    }
}

/* Reads the key at the current event into an entry; false: the rest of the block cannot be read. */
static bool build_key(builder *b, case_node *entry) {
    entry->key_line = line_of(&b->event);
    entry->key_column = column_of(&b->event);
    if (b->event.type != YAML_SCALAR_EVENT) {
        stop_parsing(b, "a key must be a single word, not a list or a block");
        return false;
    }
    if (refuse_anchor_or_tag(b, b->event.data.scalar.anchor, b->event.data.scalar.tag))
        return false;
    entry->key = copy_scalar(b);
    entry->label = entry->key;
    return entry->key != NULL;
}

/* Removes the last entry if its key is a duplicate. */
static void drop_duplicate(builder *b, case_node *node) {
    case_node *last = &node->child[node->n - 1];
    for (int k = 0; k + 1 < node->n; k++) {
        if (!last->key || strcmp(node->child[k].key, last->key) != 0)
            continue;
        case_problem_key(b->problems, last, "this key was given before, in line %d; keep one of the two",
                         node->child[k].key_line);
        case_tree_free(last);
        node->n--;
        return;
    }
}

static void build_block(builder *b, case_node *node, int depth) {
    while (next_event(b) && b->event.type != YAML_MAPPING_END_EVENT) {
        case_node *entry = add_child(b, node, KEY_MAX);
        if (!entry)
            return;
        if (!build_key(b, entry)) {
            node->n -= entry->key == NULL;
            return;
        }
        if (next_event(b))
            build_node(b, entry, depth + 1);
        drop_duplicate(b, node);
    }
}

/* Builds the node that starts at the current event. */
static void build_node(builder *b, case_node *node, int depth) {
    node->line = line_of(&b->event);
    node->column = column_of(&b->event);
    if (depth > DEPTH_MAX) {
        stop_parsing(b, "blocks and lists are nested too deeply here; check the indentation");
        return;
    }
    switch (b->event.type) {
    case YAML_SCALAR_EVENT:
        node->kind = NODE_SCALAR;
        if (refuse_anchor_or_tag(b, b->event.data.scalar.anchor, b->event.data.scalar.tag))
            return;
        node->quoted = b->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        node->text = copy_scalar(b);
        return;
    case YAML_SEQUENCE_START_EVENT:
        node->kind = NODE_LIST;
        if (!refuse_anchor_or_tag(b, b->event.data.sequence_start.anchor, b->event.data.sequence_start.tag))
            build_list(b, node, depth);
        return;
    case YAML_MAPPING_START_EVENT:
        node->kind = NODE_BLOCK;
        if (!refuse_anchor_or_tag(b, b->event.data.mapping_start.anchor, b->event.data.mapping_start.tag))
            build_block(b, node, depth);
        return;
    case YAML_ALIAS_EVENT:
        stop_parsing(b, "aliases (*name) are not part of a case file: write the value out");
        return;
    default:
        stop_parsing(b, "a value is missing here");
        return;
    }
}

void case_tree_parse(const char *text, size_t size, case_node *root, bool *whole, case_problems *p) {
    builder b = {.text = text, .size = size, .problems = p};
    memset(root, 0, sizeof *root);
    root->label = "case";
    *whole = false;
    if (!yaml_parser_initialize(&b.yaml)) {
        p->no_memory = true;
        return;
    }
    yaml_parser_set_input_string(&b.yaml, (const unsigned char *)text, size);
    bool more = next_event(&b);    /* skip the start of the stream */
    more = more && next_event(&b); /* skip the start of the document */
    if (more && b.event.type == YAML_STREAM_END_EVENT) {
        case_problem_at(p, 0, 0, "the file is empty; write a case into it (pipeline init makes one)");
        b.failed = true;
    } else if (more && next_event(&b)) {
        build_node(&b, root, 0);
        more = next_event(&b); /* the end of the document */
        if (more && next_event(&b) && b.event.type != YAML_STREAM_END_EVENT)
            stop_parsing(&b, "a second document (---) starts here; a case file has only one");
    }
    *whole = !b.failed;
    if (b.has_event)
        yaml_event_delete(&b.event);
    yaml_parser_delete(&b.yaml);
}
