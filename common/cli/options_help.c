/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of options.h: prints --help. */
#include "common/cli/options_table.h"
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, VALUE_WIDTH = 40 };

const char *const options_exit_code[OPTIONS_EXIT_CODES] = {"done",
                                                           "internal error",
                                                           "wrong use",
                                                           "bad input",
                                                           "cannot write",
                                                           "numerical failure",
                                                           "missing memory, device or library"};

static void print_wrapped(const char *text, int indent, int column) {
    while (*text) {
        size_t room = (size_t)(WIDTH - column), n = strlen(text);
        if (n > room) {
            for (n = room; n > 0 && text[n] != ' ';)
                n--;
            if (n == 0)
                n = room;
        }
        const char *newline = memchr(text, '\n', n);
        if (newline)
            n = (size_t)(newline - text);
        printf("%.*s\n", (int)n, text);
        text += n;
        if (newline)
            text++; /* the text after a line break keeps its blanks */
        else
            text += strspn(text, " ");
        if (*text)
            printf("%*s", indent, "");
        column = indent;
    }
}

/* True when the choices are too long for the line of the option. They are listed after the help text: "--kind WORD
 * which vessels: portal, tube ..." */
static bool has_long_choices(const options_entry *e) {
    return e->kind == OPTION_CHOICE && strlen(e->value_name) > VALUE_WIDTH;
}

const char *options_shown_value(const options_entry *e) {
    return has_long_choices(e) ? "WORD" : e->value_name;
}

static int option_width(const options_entry *e) {
    const char *value = options_shown_value(e);
    return (int)(strlen(e->name) + (value ? strlen(value) + 1 : 0));
}

/* True when the target variable holds no valid value (such as NULL or NaN), so that the help shows no default. */
static bool has_no_default(const options_entry *e) {
    const bool any = e->low == 0 && e->high == 0;
    if (e->kind == OPTION_TEXT)
        return !*(const char **)e->target || !**(const char **)e->target;
    if (e->kind == OPTION_CHOICE)
        return *(int *)e->target < 0;
    if (e->kind == OPTION_INT)
        return !any && *(int *)e->target < e->low;
    return e->kind == OPTION_REAL && !(any || *(double *)e->target >= e->low);
}

void options_describe(const options_entry *e, char *text, size_t size) {
    char range[64] = "", value[128] = "";
    if (e->low != 0 || e->high != 0)
        snprintf(range, sizeof range, "%.6g to %.6g", e->low, e->high);
    bool no_default = e->required || strstr(e->help, "default") != NULL || has_no_default(e);
    if (e->kind == OPTION_TEXT && !has_no_default(e))
        snprintf(value, sizeof value, "default: %.100s", *(const char **)e->target);
    else if (e->kind == OPTION_INT && !no_default)
        snprintf(value, sizeof value, "default: %d", *(int *)e->target);
    else if (e->kind == OPTION_REAL && !no_default)
        snprintf(value, sizeof value, "default: %.6g", *(double *)e->target);
    else if (e->kind == OPTION_CHOICE && !no_default) {
        const char *c = e->value_name;
        for (int k = 0; k < *(int *)e->target && strchr(c, '|'); k++)
            c = strchr(c, '|') + 1;
        snprintf(value, sizeof value, "default: %.*s", (int)strcspn(c, "|"), c);
    }
    if (e->required)
        snprintf(value, sizeof value, "required");
    if (no_default && !e->required && e->kind == OPTION_TEXT)
        value[0] = '\0';
    text[0] = '\0';
    if (range[0] || value[0])
        snprintf(text, size, " (%s%s%s)", range, range[0] && value[0] ? ", " : "", value);
}

static void print_option(const options_entry *e, int width) {
    char text[1024], extra[256];
    options_describe(e, extra, sizeof extra);
    if (has_long_choices(e)) {
        snprintf(text, sizeof text, "%s: %s%s", e->help, e->value_name, extra);
        for (char *c = strchr(text, '|'); c && strlen(text) + 2 < sizeof text; c = strchr(c, '|')) {
            memmove(c + 2, c + 1, strlen(c));
            c[0] = ',';
            c[1] = ' ';
        }
    } else {
        snprintf(text, sizeof text, "%s%s", e->help, extra);
    }
    if (e->letter)
        printf("  -%c, ", e->letter);
    else
        printf("      ");
    printf("--%s%s%s%*s  ", e->name, options_shown_value(e) ? " " : "",
           options_shown_value(e) ? options_shown_value(e) : "", width - option_width(e), "");
    print_wrapped(text, width + 10, width + 10);
}

void options_print_help(const options_program *program) {
    const options_entry *entry[OPTIONS_MAX];
    int n = options_all(program, entry), width = 0;
    printf("Usage: %s %s\n\n", program->name, program->usage);
    print_wrapped(program->summary, 0, 0);
    printf("\nOptions:\n");
    for (int k = 0; k < n; k++)
        width = option_width(entry[k]) > width ? option_width(entry[k]) : width;
    for (int k = 0; k < n; k++)
        print_option(entry[k], width);
    if (program->example)
        printf("\nExample:\n  %s\n", program->example);
    char codes[512];
    int used = snprintf(codes, sizeof codes, "Exit codes:");
    for (int k = 0; k < OPTIONS_EXIT_CODES; k++)
        used += snprintf(codes + used, sizeof codes - (size_t)used, "%s %d %s", k ? "," : "", k, options_exit_code[k]);
    printf("\n");
    print_wrapped(codes, 12, 0);
}
