/* What options_parse.c, options_help.c and options_man.c share; everybody else includes options.h. */
#ifndef PORTAFLOW_OPTIONS_TABLE_H
#define PORTAFLOW_OPTIONS_TABLE_H
#include "common/cli/options.h"
#include <stddef.h>

enum { OPTIONS_MAX = 64 };

/* Options that every program has, as they were given. */
typedef struct {
    bool help, version, verbose;
    int threads;
} options_common;
extern options_common options_given;

/* The program's entries, then --threads, --verbose, --help, --version where the program has none of that name. */
int options_all(const options_program *program, const options_entry *entry[OPTIONS_MAX]);
void options_print_help(const options_program *program); /* on stdout */
void options_print_man(const options_program *program);  /* on stdout, troff with the macros of man(7) */

/* " (1..1024, default: 4)", "" when there is nothing to say */
void options_describe(const options_entry *e, char *text, size_t size);
/* What an option takes, as the help shows it: "FILE"; "WORD" where the choices are too long for the line; NULL: none */
const char *options_shown_value(const options_entry *e);

enum { OPTIONS_EXIT_CODES = 7 };
extern const char *const options_exit_code[OPTIONS_EXIT_CODES];
#endif
