/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of options_table.h: prints the words of --completion. */
#include "common/cli/options_table.h"
#include <stdio.h>
#include <string.h>

/* Prints what the shell proposes after an option: its choices, "@file", "@folder", or nothing. */
static void put_values(const options_entry *e) {
    if (e->kind == OPTION_CHOICE) {
        for (const char *c = e->value_name; *c; c++)
            putchar(*c == '|' ? ' ' : *c);
        return;
    }
    if (e->kind != OPTION_TEXT && e->kind != OPTION_LIST)
        return;
    if (strstr(e->value_name, "DIR"))
        printf("@folder");
    else if (strstr(e->value_name, "FILE") || strstr(e->value_name, "PATH"))
        printf("@file");
}

void options_print_completion(const options_program *program) {
    const options_entry *entry[OPTIONS_MAX];
    const int n = options_all(program, entry);
    printf("_portaflow_words['%s']='", program->name);
    for (int k = 0; k < n; k++)
        printf("%s--%s", k > 0 ? " " : "", entry[k]->name);
    printf("'\n");
    for (int k = 0; k < n; k++) {
        if (!entry[k]->value_name || entry[k]->kind == OPTION_FLAG)
            continue;
        printf("_portaflow_words['%s --%s']='", program->name, entry[k]->name);
        put_values(entry[k]);
        printf("'\n");
        if (entry[k]->letter) {
            printf("_portaflow_words['%s -%c']='", program->name, entry[k]->letter);
            put_values(entry[k]);
            printf("'\n");
        }
    }
}
