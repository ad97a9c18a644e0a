/* What message.c and progress.c know of each other; everybody else includes message.h. */
#ifndef PORTAFLOW_PROGRESS_H
#define PORTAFLOW_PROGRESS_H
#include <stdbool.h>
#include <stddef.h>

void message_line(const char *text); /* "<program>: <text>" on stderr */
bool message_on_terminal(void);      /* stderr is a terminal */
void progress_erase(void);           /* wipe the bar, if one is drawn, before a message takes its line */

/* Text of the line: what, bar (bar > 0 characters), percentage, done of total, rate, time left, note.
 * seconds: since the start. Public for its test. */
void progress_format(char *text, size_t size, int bar, const char *what, const char *unit, double done, double total,
                     double seconds, const char *note);
#endif
