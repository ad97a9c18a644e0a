/* Messages and progress, all on stderr: results go to files or stdout.
 *
 * On a terminal progress is one line with a bar, rate and time left, redrawn at most 10 times a second; otherwise
 * (pipe, log file) a plain line every 10 % or 10 s, whichever is later. `pipeline status` sees it too (progress.h).
 * Colours only on a terminal and without NO_COLOR. A text is never taken from a DICOM header. */
#ifndef PORTAFLOW_MESSAGE_H
#define PORTAFLOW_MESSAGE_H
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

void message_init(const char *program, bool verbose);
void message_info(const char *format, ...) __attribute__((format(printf, 1, 2)));  /* "mesh: 812345 cells ..."      */
void message_debug(const char *format, ...) __attribute__((format(printf, 1, 2))); /* only with --verbose            */
void message_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));  /* "mesh: warning: ..."; recorded */
/* The same of what may change a conclusion; these come first in the list. */
void message_warn_serious(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same of a subject that programs act on, which is recorded beside the sentence: "resolution", "open_end",
 * "unsteady", "backflow", "reynolds", "unit", "convergence". `subject` must outlive the program's messages. */
void message_warn_about(const char *subject, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* While it is on, messages and warnings are shown with --verbose only, and warnings are not recorded: for runs that
 * only serve another one, whose own messages count. */
void message_hush(bool hushed);

/* Warnings given so far, for the JSON file of the stage and the report; the first `message_serious_count()` of them
 * may change a conclusion. */
int message_warning_count(void);
int message_serious_count(void);
const char *message_warning(int k);
const char *message_warning_subject(int k); /* "": none */
void message_clear(void);                   /* forget the warnings (tests; a program that runs several stages) */

/* progress_start("solve", 20000, "steps"); progress_set(120, "change 3.1e-4"); progress_end(); One at a time. */
void progress_start(const char *what, double total, const char *unit);
void progress_set(double done, const char *note); /* note may be NULL */
void progress_end(void);

/* The same for work whose amount is not known: progress_start_open("flow"); progress_left(140, "change 3.1e-4");
 * left_s: seconds, NAN: not known. The percentage is the time that has passed over the whole. */
void progress_start_open(const char *what);
void progress_left(double left_s, const char *note);

/* The open work that is started next is a part of a longer one: `before` of the whole (0..1) lies behind, `timed` of
 * that was done by this program, the work itself is `part` of it. Percentage and time left are then of the whole; name:
 * "3 of 7". before 0 begins such a work, part 0 ends it. */
void progress_part(double before, double timed, double part, const char *name);

#ifdef __cplusplus
}
#endif
#endif
