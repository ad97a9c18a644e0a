/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by message.c, progress.c and file.c, and functions that read the progress of another program.
 * Programs that only report progress include message.h. */
#ifndef PORTAFLOW_PROGRESS_H
#define PORTAFLOW_PROGRESS_H
#include <stdbool.h>
#include <stddef.h>

void message_line(const char *text); /* "<program>: <text>" on stderr */
bool message_on_terminal(void);      /* true if stderr is a terminal */
/* erase the progress line, if one is drawn, so a message can use its line */
void progress_erase_line(void);
int progress_columns(int file, int otherwise); /* columns of the terminal `file`; `otherwise` if `file` is no
                                                * terminal */

/* Format the progress line: what, bar of `bar` characters (0: none), percentage, done of total, rate, remaining time,
 * note. seconds: since the start. Public for its test. */
void progress_format(char *text, size_t size, int bar, const char *what, const char *unit, double done, double total,
                     double seconds, const char *note);

/* Format the progress line of work of unknown amount. share: completed fraction 0..1, left_s: remaining time, s. When
 * share is NAN, the line shows the elapsed time and "remaining time unknown" instead of a percentage. */
void progress_format_remaining(char *text, size_t size, int bar, const char *what, double share, double elapsed_s,
                               double left_s, const char *note);
/* format a duration: "12 s", "2:01 min", "1:30 h"; "?" if unknown */
void progress_format_time(char *text, size_t size, double seconds);

/* Copy the progress line once a second to `file`, the lock file of the output folder (file_lock). */
void progress_set_lock_file(int file); /* file descriptor that receives the progress; -1: none */
int progress_lock_file(void);

typedef struct {
    double share, left_s; /* share: completed fraction, 0 to 1; left_s: remaining time, NAN if unknown */
    char what[256];       /* text such as "flow, step 1200, residual 3.1e-4" */
} progress_record;

/* Read the progress last written to the lock file `path`; false: no progress was written. The program that wrote it may
 * have ended; check with file_is_locked. */
bool progress_read(const char *path, progress_record *seen);
#endif
