/* What message.c, progress.c and file.c know of each other, and how another program sees how far one is; who reports
 * progress includes message.h. */
#ifndef PORTAFLOW_PROGRESS_H
#define PORTAFLOW_PROGRESS_H
#include <stdbool.h>
#include <stddef.h>

void message_line(const char *text);           /* "<program>: <text>" on stderr */
bool message_on_terminal(void);                /* stderr is a terminal */
void progress_erase(void);                     /* wipe the bar, if one is drawn, before a message takes its line */
int progress_columns(int file, int otherwise); /* of the terminal that this descriptor is, else `otherwise` */

/* Text of the line: what, bar (bar > 0 characters), percentage, done of total, rate, time left, note.
 * seconds: since the start. Public for its test. */
void progress_format(char *text, size_t size, int bar, const char *what, const char *unit, double done, double total,
                     double seconds, const char *note);

/* The same of work that has no count: `share` (0..1) and `left_s` as far as they are known, NAN: then no percentage. */
void progress_format_left(char *text, size_t size, int bar, const char *what, double share, double elapsed_s,
                          double left_s, const char *note);
void progress_time(char *text, size_t size, double seconds); /* "12 s", "2:01 min", "1:30 h", "?" */

/* The line for other programs: in the file that marks the folder as held (file_lock), renewed once a second. */
void progress_share(int file); /* descriptor, -1: none */
int progress_shared_file(void);

typedef struct {
    double share, left_s; /* 0..1 and seconds; NAN: not known */
    char what[256];       /* "flow, step 1200, change 3.1e-4" */
} progress_seen;

/* What the program that holds `path` (a ".lock") last said; false: nothing yet. Whether it is still held is the
 * caller's to find out (file_is_locked). */
bool progress_read(const char *path, progress_seen *seen);
#endif
