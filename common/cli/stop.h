/* Ending when asked: Ctrl-C (SIGINT), SIGTERM, SIGHUP; SIGUSR1, which launchers of several ranks pass on and batch
 * systems send before the time is over.
 *
 * After stop_catch() such a signal still ends the program as if by itself, but leaves no ".part" file. Between
 * stop_defer(true) and stop_defer(false) the first one is only remembered (stop_asked), so that work can be kept before
 * main() ends with stop_die(); another one ends the program, unless it comes within a second (who sends signals to a
 * process and to its group means one). A signal that was ignored from the start (nohup) stays ignored; one that whoever
 * started the program had blocked is let through.
 *
 * A limit on the size of files (ulimit -f) fails the write, as a full disk does, in place of ending the program.
 *
 * Libraries below us crash or call exit() when an allocation fails (HDF5 1.10, destructors in VTK). After stop_catch()
 * a SIGSEGV, SIGBUS or SIGABRT with errno ENOMEM ends the program with a sentence and ERR_RESOURCE; any other stays
 * what it is. An exit() before stop_die() gives the same sentence, without ENOMEM another one and ERR_INTERNAL. */
#ifndef PORTAFLOW_STOP_H
#define PORTAFLOW_STOP_H
#include <stdbool.h>

void stop_catch(void);
void stop_defer(bool on);
int stop_asked(void); /* the signal, 0: none */
void stop_end(void);  /* main() is about to return: an exit() from here on is its own */
void stop_die(void);  /* the program is at its end: by the signal that was asked for, or returns when none was */
/* stop_die(), then the end, without what libraries do at exit: to free its dictionaries takes GDCM as long as segment
 * takes to read a small image. Everything that matters must be written and closed. */
_Noreturn void stop_leave(int rc);
#endif
