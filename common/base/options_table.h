/* What options.c and options_help.c share; everybody else includes options.h. */
#ifndef PORTAFLOW_OPTIONS_TABLE_H
#define PORTAFLOW_OPTIONS_TABLE_H
#include "common/base/options.h"

enum { OPTIONS_MAX = 64 };

/* The program's entries, then --threads, --verbose, --help, --version where the program has none of that name. */
int options_all(const options_program *program, const options_entry *entry[OPTIONS_MAX]);
void options_print_help(const options_program *program); /* on stdout */
#endif
