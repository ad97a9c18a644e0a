/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of options.h: parsing. --help is in options_help.c, --man in options_man.c,
 * --completion in options_completion.c. */
#include "common/cli/options.h"
#include "common/cli/spelling.h"
#include "common/cli/options_table.h"
#include "common/cli/version.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of one call of options_parse. */
typedef struct {
    const options_program *program;
    const options_entry *entry[OPTIONS_MAX];
    bool given[OPTIONS_MAX];
    int n_entry;
    int argc, next;
    char **argv;
} parser;

static int usage_error(const parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int usage_error(const parser *p, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail(ERR_USAGE, "%s (see '%s --help')", text, p->program->name);
}

static int find_long(const parser *p, const char *name, size_t length) {
    for (int k = 0; k < p->n_entry; k++)
        if (strlen(p->entry[k]->name) == length && strncmp(p->entry[k]->name, name, length) == 0)
            return k;
    return -1;
}

static int find_letter(const parser *p, char letter) {
    for (int k = 0; k < p->n_entry; k++)
        if (p->entry[k]->letter == letter)
            return k;
    return -1;
}

static int unknown_option(const parser *p, const char *name, size_t length) {
    const char *names[OPTIONS_MAX];
    char text[64];
    for (int k = 0; k < p->n_entry; k++)
        names[k] = p->entry[k]->name;
    snprintf(text, sizeof text, "%.*s", length < 60 ? (int)length : 60, name);
    const char *near = spelling_nearest_word(text, names, p->n_entry);
    if (near)
        return usage_error(p, "there is no option '--%s'; did you mean '--%s'?", text, near);
    return usage_error(p, "there is no option '--%s'", text);
}

/* Index of the choice in "auto|cpu|cuda"; -1 when it is not listed. */
static int choice_index(const char *choices, const char *text) {
    size_t n = strlen(text);
    int index = 0;
    for (const char *c = choices; c; c = strchr(c, '|') ? strchr(c, '|') + 1 : NULL, index++)
        if (n > 0 && strncmp(c, text, n) == 0 && (c[n] == '|' || c[n] == '\0') && !strchr(text, '|'))
            return index;
    return -1;
}

static int set_integer(const parser *p, const options_entry *e, const char *text) {
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || isspace((unsigned char)text[0]))
        return usage_error(p, "option '--%s' needs a whole number, got '%.80s'", e->name, text);
    bool ranged = e->low != 0 || e->high != 0;
    if (errno == ERANGE || number < INT_MIN || number > INT_MAX ||
        (ranged && ((double)number < e->low || (double)number > e->high)))
        return usage_error(p, "option '--%s' is %.40s, it must be between %.15g and %.15g", e->name, text,
                           ranged ? e->low : INT_MIN, ranged ? e->high : INT_MAX);
    *(int *)e->target = (int)number;
    return OK;
}

static int set_real(const parser *p, const options_entry *e, const char *text) {
    double number;
    char reason[UNITS_REASON_MAX];
    if (units_check(text, UNIT_NONE, &number, reason) != OK)
        return usage_error(p, "option '--%s' needs a number, got '%.80s'", e->name, text);
    if ((e->low != 0 || e->high != 0) && !(number >= e->low && number <= e->high))
        return usage_error(p, "option '--%s' is %.40s, it must be between %.15g and %.15g", e->name, text, e->low,
                           e->high);
    *(double *)e->target = number;
    return OK;
}

static int add_to_list(const parser *p, const options_entry *e, const char *text) {
    options_list *list = e->target;
    if (strchr(e->value_name, '=') && (!strchr(text, '=') || text[0] == '='))
        return usage_error(p, "option '--%s' needs %s, got '%.80s'", e->name, e->value_name, text);
    if (list->n == OPTIONS_LIST_MAX)
        return usage_error(p, "option '--%s' is given more than %d times", e->name, OPTIONS_LIST_MAX);
    list->word[list->n++] = text;
    return OK;
}

static int set_value(const parser *p, const options_entry *e, const char *text) {
    int choice;
    switch (e->kind) {
    case OPTION_INT:
        return set_integer(p, e, text);
    case OPTION_REAL:
        return set_real(p, e, text);
    case OPTION_CHOICE:
        choice = choice_index(e->value_name, text);
        if (choice < 0)
            return usage_error(p, "option '--%s' is '%.80s', it must be one of %s", e->name, text, e->value_name);
        *(int *)e->target = choice;
        return OK;
    case OPTION_LIST:
        return add_to_list(p, e, text);
    case OPTION_TEXT:
    case OPTION_FLAG:
        break;
    }
    if (text[0] == '\0')
        return usage_error(p, "option '--%s' has an empty value, it needs %s", e->name, e->value_name);
    *(const char **)e->target = text;
    return OK;
}

/* Apply option k. attached: value from "--name=value" or "-t4", or NULL. */
static int take_option(parser *p, int k, const char *attached) {
    const options_entry *e = p->entry[k];
    p->given[k] = true;
    if (e->kind == OPTION_FLAG) {
        if (attached)
            return usage_error(p, "option '--%s' takes no value, got '%.80s'", e->name, attached);
        *(bool *)e->target = true;
        return OK;
    }
    if (!attached) {
        const char *value = p->next < p->argc ? p->argv[p->next] : NULL;
        if (!value || (value[0] == '-' && value[1] == '-'))
            return usage_error(p, "option '--%s' needs a value (%s)", e->name, e->value_name);
        attached = value;
        p->next++;
    }
    return set_value(p, e, attached);
}

static int take_long(parser *p, const char *word) {
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    int k = find_long(p, word, length);
    return k < 0 ? unknown_option(p, word, length) : take_option(p, k, equals ? equals + 1 : NULL);
}

static int take_short(parser *p, const char *word) {
    int k = find_letter(p, word[0]);
    if (k < 0)
        return usage_error(p, "there is no option '-%.60s'", word);
    const char *rest = word + 1 + (word[1] == '=');
    return take_option(p, k, word[1] == '\0' ? NULL : rest);
}

static int check_required(const parser *p) {
    for (int k = 0; k < p->n_entry; k++)
        if (p->entry[k]->required && !p->given[k])
            return usage_error(p, "option '--%s %s' is missing", p->entry[k]->name,
                               p->entry[k]->value_name ? p->entry[k]->value_name : "");
    return OK;
}

static int parse_words(parser *p, const char **positional, int max_positional, int *n_positional) {
    bool only_words = false;
    while (p->next < p->argc) {
        const char *word = p->argv[p->next++];
        int rc = OK;
        if (!only_words && strcmp(word, "--") == 0)
            only_words = true;
        else if (!only_words && word[0] == '-' && word[1] == '-')
            rc = take_long(p, word + 2);
        else if (!only_words && word[0] == '-' && isalpha((unsigned char)word[1]))
            rc = take_short(p, word + 1);
        else if (positional && *n_positional < max_positional)
            positional[(*n_positional)++] = word;
        else
            rc = usage_error(p, "unexpected argument '%.200s'", word);
        if (rc != OK)
            return rc;
    }
    return OK;
}

/* True if `word` or `letter` is among the arguments. Used to answer --help and --man before errors of other options. */
static bool option_requested(const parser *p, const char *word, const char *letter) {
    for (int k = 1; k < p->argc && strcmp(p->argv[k], "--") != 0; k++) {
        if (strcmp(p->argv[k], word) == 0 || (letter && strcmp(p->argv[k], letter) == 0))
            return true;
    }
    return false;
}

int options_parse(const options_program *program, int argc, char **argv, const char **positional, int max_positional,
                  int *n_positional, bool *done) {
    parser p = {.program = program, .argc = argc, .argv = argv, .next = 1};
    int n_word = 0;
    p.n_entry = options_all(program, p.entry);
    options_given.help = options_given.version = options_given.verbose = false;
    options_given.threads = 0;
    const bool help = option_requested(&p, "--help", "-h");
    const bool completion = option_requested(&p, "--completion", NULL);
    *done = help || completion || option_requested(&p, "--man", NULL);
    if (*done) {
        (help ? options_print_help : completion ? options_print_completion : options_print_man)(program);
        return OK;
    }
    int rc = parse_words(&p, positional, max_positional, &n_word);
    if (n_positional)
        *n_positional = n_word;
    if (rc == OK && options_given.version) {
        printf("%s (portaflow) %s\n", program->name, PORTAFLOW_VERSION);
        *done = true;
        return OK;
    }
    return rc == OK ? check_required(&p) : rc;
}

void options_move_command_first(int argc, char **argv) {
    int k = 1;
    while (k < argc && argv[k][0] == '-') {
        if (strcmp(argv[k], "--threads") == 0 || strcmp(argv[k], "-t") == 0)
            k += 2;
        else if (strncmp(argv[k], "--threads=", 10) == 0 || strncmp(argv[k], "-t", 2) == 0 ||
                 strcmp(argv[k], "--verbose") == 0 || strcmp(argv[k], "-v") == 0)
            k++;
        else
            return;
    }
    if (k >= argc)
        return;
    char *command = argv[k];
    memmove(argv + 2, argv + 1, (size_t)(k - 1) * sizeof *argv);
    argv[1] = command;
}

/* CPU limit of the control group, "quota period" in cpu.max, rounded up; 0 without limit. */
static int granted_processors(void) {
    FILE *f = fopen("/sys/fs/cgroup/cpu.max", "r");
    double quota = 0, period = 0;
    if (!f)
        return 0;
    int n = fscanf(f, "%lf %lf", &quota, &period); /* "max 100000" (no quota) gives n = 0 */
    fclose(f);
    return n == 2 && quota > 0 && period > 0 && quota / period < 1024 ? (int)(quota / period + 0.999) : 0;
}

int options_threads(void) {
    if (options_given.threads > 0)
        return options_given.threads;
    const char *wish = getenv("OMP_NUM_THREADS");
    int n = wish ? atoi(wish) : 0;
    if (n >= 1 && n <= 1024)
        return n;
    cpu_set_t set;
    CPU_ZERO(&set);
    n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    int granted = granted_processors();
    if (granted > 0 && granted < n)
        n = granted;
    return n < 1 ? 1 : n;
}

bool options_verbose(void) {
    return options_given.verbose;
}
