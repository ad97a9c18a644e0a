/* SPDX-License-Identifier: Apache-2.0 */
#include "common/cli/options_table.h"
#include <string.h>

options_common options_given;

static const options_entry builtin[] = {
    {"threads", 't', OPTION_INT, &options_given.threads, "N", "CPU threads (default: all available to this process)",
     false, 1, 1024},
    {"verbose", 'v', OPTION_FLAG, &options_given.verbose, NULL, "say more", false, 0, 0},
    {"help", 'h', OPTION_FLAG, &options_given.help, NULL, "show this help", false, 0, 0},
    {"version", 0, OPTION_FLAG, &options_given.version, NULL, "show the version", false, 0, 0},
};
enum { BUILTIN_COUNT = sizeof builtin / sizeof builtin[0] };

int options_all(const options_program *program, const options_entry *entry[OPTIONS_MAX]) {
    int n = 0;
    for (const options_entry *e = program->table; e && e->name && n < OPTIONS_MAX - BUILTIN_COUNT; e++)
        entry[n++] = e;
    int own = n;
    for (int b = 0; b < BUILTIN_COUNT; b++) {
        bool taken = false;
        for (int k = 0; k < own; k++)
            taken = taken || strcmp(entry[k]->name, builtin[b].name) == 0;
        if (!taken)
            entry[n++] = &builtin[b];
    }
    return n;
}
