/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and progress, all on stderr. Results go to files or stdout.
 * On a terminal progress is one line with a bar, rate and remaining time, redrawn up to 10 times a second. In a pipe or
 * log file a plain line follows after 10 % more progress and at least 10 s. `pipeline status` reads the progress, too
 * (progress.h). Colours appear on a terminal without NO_COLOR only. Messages never contain text of a DICOM header. */
#ifndef PORTAFLOW_MESSAGE_H
#define PORTAFLOW_MESSAGE_H
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

void message_init(const char *program, bool verbose);
void message_info(const char *format, ...) __attribute__((format(printf, 1, 2)));  /* "mesh: 812345 cells ..."      */
void message_debug(const char *format, ...) __attribute__((format(printf, 1, 2))); /* printed only with --verbose */
void message_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));  /* "mesh: warning: ..."; recorded */
/* As message_warn, for a warning that may change a conclusion. Serious warnings come first in the list of warnings. */
void message_warn_serious(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* As message_warn_serious, with a subject for programs that act on it: "resolution", "open_end", "unfed_branch",
 * "unsteady", "backflow", "reynolds", "unit", "unmeasured", "convergence". The subject is recorded with the warning.
 * `subject` must outlive all messages. */
void message_warn_about(const char *subject, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* After message_suppress(true), messages and warnings appear only with --verbose, and warnings are not recorded. Use it
 * for auxiliary runs whose result the caller reports. */
void message_suppress(bool hushed);

/* Number of recorded warnings, which the JSON file of the stage and the report list. The first message_serious_count()
 * warnings may change a conclusion. */
int message_warning_count(void);
int message_serious_count(void);
const char *message_warning(int k);
const char *message_warning_subject(int k); /* subject of warning k; "" if it has none */
void message_clear(void);                   /* remove all warnings (tests; a program that runs several stages) */

/* Shows the progress of work of known amount; one work at a time. Example:
 *   progress_start("solve", 20000, "steps"); progress_set(120, "residual 3.1e-4"); progress_end(); */
void progress_start(const char *what, double total, const char *unit);
void progress_set(double done, const char *note); /* note may be NULL */
void progress_end(void);

/* Shows the progress of work of unknown amount. Example:
 *   progress_start_open("flow"); progress_set_remaining(140, "residual 3.1e-4"); progress_end();
 * left_s: remaining time in seconds; NAN: unknown. The percentage is elapsed time / (elapsed + remaining time). */
void progress_start_open(const char *what);
void progress_set_remaining(double left_s, const char *note);

/* Declares the next work of unknown amount as part of a longer work. Percentage and remaining time then refer to the
 * longer work. All numbers are fractions of the longer work, 0 to 1. `before`: completed so far; 0 begins the longer
 * work. timed: the part of `before` that this program completed. part: the next work; 0 ends the longer work. name:
 * such as "3 of 7". */
void progress_set_part(double before, double timed, double part, const char *name);

#ifdef __cplusplus
}
#endif
#endif
