/* Ending when asked: Ctrl-C (SIGINT), SIGTERM, SIGHUP.
 *
 * After stop_catch() such a signal still ends the program as if by itself, but leaves no ".part" file. Between
 * stop_defer(true) and stop_defer(false) the first one is only remembered (stop_asked), so that work can be kept before
 * main() ends with stop_die(); the second one ends the program. A signal that was ignored from the start (nohup) stays
 * ignored. */
#ifndef PORTAFLOW_STOP_H
#define PORTAFLOW_STOP_H
#include <stdbool.h>

void stop_catch(void);
void stop_defer(bool on);
int stop_asked(void); /* the signal, 0: none */
void stop_die(void);  /* ends by the signal that was asked for; returns when none was */
#endif
