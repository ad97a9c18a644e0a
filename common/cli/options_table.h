/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by options_parse.c, options_help.c, options_man.c and options_completion.c. Other files include options.h. */
#ifndef PORTAFLOW_OPTIONS_TABLE_H
#define PORTAFLOW_OPTIONS_TABLE_H
#include "common/cli/options.h"
#include <stddef.h>

enum { OPTIONS_MAX = 64 };

/* Values of the options that every program has. */
typedef struct {
    bool help, version, verbose;
    int threads;
} options_common;
extern options_common options_given;

/* All options: the program's entries, then --threads, --verbose, --help and --version unless the program defines them
 * itself. Returns their number. */
int options_all(const options_program *program, const options_entry *entry[OPTIONS_MAX]);
void options_print_help(const options_program *program); /* prints to stdout */
void options_print_man(const options_program *program);  /* prints to stdout, troff with the macros of man(7) */

/* Prints to stdout the lines of bash that share/bash-completion consists of (packaging/completion.bash). */
void options_print_completion(const options_program *program);

/* Write the range and the default of an option: " (1 to 4, default: 4)"; "" when it has neither */
void options_describe(const options_entry *e, char *text, size_t size);
/* Name of the value in the help: "FILE"; "WORD" when the choices are too long for the line; NULL: no value */
const char *options_shown_value(const options_entry *e);

enum { OPTIONS_EXIT_CODES = 7 };
extern const char *const options_exit_code[OPTIONS_EXIT_CODES];
#endif
