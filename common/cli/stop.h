/* SPDX-License-Identifier: Apache-2.0 */
/* Termination by signals: SIGINT (Ctrl-C), SIGTERM, SIGHUP, SIGUSR1 (launchers of several ranks forward it, batch
 * systems send it before the time limit).
 *
 * After stop_catch_signals() such a signal removes ".part" files and then ends the program as usual. Between
 * stop_defer_signals(true) and stop_defer_signals(false) the first signal is only recorded (stop_requested_signal),
 * which lets main() write a checkpoint and end with stop_end_by_signal(). A second signal ends the program, unless it
 * arrives within a second of the first: senders often signal a process and its group. An ignored signal (nohup) stays
 * ignored. A blocked signal is unblocked. Above a file-size limit (ulimit -f) a write fails, as on a full disk.
 *
 * HDF5 1.10 and VTK may crash or call exit() when an allocation fails. With errno ENOMEM, a SIGSEGV, SIGBUS, SIGABRT or
 * an exit() before stop_end_by_signal() ends with a message and ERR_RESOURCE. Without ENOMEM the signal takes effect,
 * and an early exit() ends with ERR_INTERNAL. */
#ifndef PORTAFLOW_STOP_H
#define PORTAFLOW_STOP_H
#include <stdbool.h>

void stop_catch_signals(void);
void stop_defer_signals(bool on);
int stop_requested_signal(void); /* number of the recorded signal; 0: none */
void stop_mark_end(void);        /* call it when main() is about to return; exit() after this call counts as intended */
void stop_end_by_signal(void);   /* end by the recorded signal; returns when there is none */
/* Calls stop_end_by_signal(), then ends without the exit handlers of libraries, because freeing the dictionaries of
 * GDCM takes as long as reading a small image. All files must be closed before. */
_Noreturn void stop_exit(int rc);
#endif
