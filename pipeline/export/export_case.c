/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of export_parts.h: the case file without the patient. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/export/export_parts.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* Keys whose values name files, a DICOM series, or the patient (`name` in the outermost block). */
static bool is_private(const char *key, int depth) {
    static const char *const private_key[] = {"path", "series", "waveform", "before"};
    for (size_t k = 0; k < sizeof private_key / sizeof *private_key; k++)
        if (strcmp(key, private_key[k]) == 0)
            return true;
    return depth == 1 && strcmp(key, "name") == 0;
}

static int append_output(void *text, unsigned char *bytes, size_t size) {
    return fwrite(bytes, 1, size, ((file_text *)text)->to) == size;
}

/* Position in the tree of the case file. For each block it holds whether the next scalar is a key. */
typedef struct {
    int depth;
    bool block[64], key_next[64], hide;
} place;

static void enter_node(place *p, bool block) {
    if (p->depth < 63)
        p->depth++;
    p->block[p->depth] = p->key_next[p->depth] = block;
    p->hide = false;
}

static void leave_node(place *p) {
    p->depth -= p->depth > 0;
    p->key_next[p->depth] = p->block[p->depth];
}

/* Updates the position by an event, and replaces a private value. Returns 0 if memory is out. */
static int follow_event(place *p, yaml_event_t *e) {
    if (e->type == YAML_MAPPING_START_EVENT || e->type == YAML_SEQUENCE_START_EVENT)
        enter_node(p, e->type == YAML_MAPPING_START_EVENT);
    else if (e->type == YAML_MAPPING_END_EVENT || e->type == YAML_SEQUENCE_END_EVENT)
        leave_node(p);
    if (e->type != YAML_SCALAR_EVENT)
        return 1;
    if (p->block[p->depth] && p->key_next[p->depth]) {
        p->key_next[p->depth] = false;
        p->hide = is_private((const char *)e->data.scalar.value, p->depth);
        return 1;
    }
    p->key_next[p->depth] = p->block[p->depth];
    if (!p->hide)
        return 1;
    p->hide = false;
    yaml_event_delete(e);
    return yaml_scalar_event_initialize(e, NULL, NULL, (const yaml_char_t *)"anonymous", -1, 1, 1,
                                        YAML_PLAIN_SCALAR_STYLE);
}

static int copy_events(yaml_parser_t *parser, yaml_emitter_t *emitter) {
    place p = {0};
    for (bool end = false; !end;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return fail(ERR_INPUT, "the case file is not YAML: %s; check it with pipeline check",
                        parser->problem ? parser->problem : "unreadable");
        end = event.type == YAML_STREAM_END_EVENT;
        if (!follow_event(&p, &event) || !yaml_emitter_emit(emitter, &event))
            return fail_memory("the case file", 0);
    }
    return OK;
}

int export_write_case(const char *from, const char *to) {
    yaml_parser_t parser;
    yaml_emitter_t emitter;
    file_text out = {0};
    char *text = NULL;
    size_t size = 0;
    int rc = file_read(from, CASE_BYTES_MAX, &text, &size);
    if (rc != OK)
        return rc;
    if ((rc = file_text_open(&out, "the case file")) == OK) {
        fprintf(out.to, "# Documentation of the exported results. Names, paths and comments are removed.\n");
        if (yaml_parser_initialize(&parser) && yaml_emitter_initialize(&emitter)) {
            yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
            yaml_emitter_set_output(&emitter, append_output, &out);
            yaml_emitter_set_width(&emitter, 120);
            rc = copy_events(&parser, &emitter);
            yaml_emitter_delete(&emitter);
            yaml_parser_delete(&parser);
        } else {
            rc = fail_memory("the case file", (double)size);
        }
        rc = file_text_write(&out, rc, to);
    }
    free(text);
    return rc;
}
