/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of options.h: prints the manual page (--man). */
#include "common/cli/options_table.h"
#include "common/cli/version.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Escape text for troff: '\', '-', a leading '.' or quote; keep line breaks. */
static void put_text(const char *text) {
    if (*text == '.' || *text == '\'')
        printf("\\&");
    for (; *text; text++) {
        if (*text == '\n') {
            printf("\n.br\n");
            continue;
        }
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
    }
}

/* Name of the page: "pipeline run" becomes pipeline-run. */
static void put_name(const char *name, bool upper) {
    for (; *name; name++) {
        if (*name == ' ' || *name == '-')
            printf("\\-");
        else
            putchar(upper ? toupper((unsigned char)*name) : *name);
    }
}

/* First clause of the summary, for the index of manual pages. */
static void put_headline(const char *summary) {
    char text[200] = "";
    size_t n = 0;
    while (n < sizeof text - 1 && summary[n] && summary[n] != '\n' &&
           !(strchr(".:;", summary[n]) && strchr(" \n", summary[n + 1])))
        n++;
    memcpy(text, summary, n);
    text[n] = '\0';
    text[0] = (char)tolower((unsigned char)text[0]);
    put_text(text);
}

static void put_option(const options_entry *e) {
    const char *value = options_shown_value(e);
    char extra[256];
    options_describe(e, extra, sizeof extra);
    printf(".TP\n");
    if (e->letter)
        printf("\\fB\\-%c\\fR, ", e->letter);
    printf("\\fB\\-\\-");
    put_text(e->name);
    printf("\\fR");
    if (value) {
        printf(" \\fI");
        put_text(value);
        printf("\\fR");
    }
    printf("\n");
    put_text(e->help);
    /* the synopsis shows "WORD" for long choices, so the choices are listed here */
    if (value && value != e->value_name) {
        printf(":");
        for (const char *c = e->value_name; *c; c += strcspn(c, "|"), c += *c == '|')
            printf(" %.*s", (int)strcspn(c, "|"), c);
    }
    put_text(extra);
    printf("\n");
}

void options_print_man(const options_program *program) {
    const options_entry *entry[OPTIONS_MAX];
    const int n = options_all(program, entry);
    printf(".TH \"");
    put_name(program->name, true);
    printf("\" 1 \"\" \"portaflow %s\" \"Portaflow\"\n.ad l\n.SH NAME\n", PORTAFLOW_VERSION);
    put_name(program->name, false);
    printf(" \\- ");
    put_headline(program->summary);
    printf("\n.SH SYNOPSIS\n.B ");
    put_text(program->name);
    printf("\n");
    put_text(program->usage);
    printf("\n.SH DESCRIPTION\n");
    put_text(program->summary);
    printf("\n.SH OPTIONS\n");
    for (int k = 0; k < n; k++)
        put_option(entry[k]);
    printf(".SH EXIT STATUS\n");
    for (int k = 0; k < OPTIONS_EXIT_CODES; k++)
        printf(".TP\n%d\n%s\n", k, options_exit_code[k]);
    if (program->example) {
        printf(".SH EXAMPLE\n.nf\n");
        put_text(program->example);
        printf("\n.fi\n");
    }
    printf(".SH SEE ALSO\npipeline(1), segment(1), mesh(1), solve(1), post(1), phantom(1)\n");
}
