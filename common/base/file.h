/* Small file helpers: whole files, folders, and outputs that appear complete or not at all.
 *
 *   TRY(file_part(path, part));            write to `part` ...
 *   TRY(file_commit(part, path));          ... then it takes its name        (on failure: file_discard(part)) */
#ifndef PORTAFLOW_FILE_H
#define PORTAFLOW_FILE_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { FILE_PATH_MAX = 4096 };

/* "<path>.part", empty and made anew: what had that name, a link above all, is removed and not followed. It must come
 * to file_commit or file_discard; a program ended by a signal removes it (stop.h).
 * Errors: ERR_USAGE when the path is empty or too long, ERR_OUTPUT (also of a device or a pipe). */
MUST_CHECK int file_part(const char *path, char part[FILE_PATH_MAX]);
/* "<path>.part<ending>". Errors: as file_part. */
MUST_CHECK int file_part_as(const char *path, const char *ending, char part[FILE_PATH_MAX]);
/* Flush `part` to the disk and rename it to `path`; it is removed when that fails. Errors: ERR_OUTPUT. */
MUST_CHECK int file_commit(const char *part, const char *path);
void file_discard(const char *part); /* remove, errors ignored; "" is allowed */
void file_discard_all(void);         /* every part that was not committed; may be called in a signal handler */

/* Results and the record that names them: files committed from file_together() on are removed by file_apart(rc) when
 * rc is not OK, so that a disk that fills half way leaves no result without its record; else their folder, that of the
 * last one, is flushed to the disk once. Returns rc. */
void file_together(void);
int file_apart(int rc);

/* A file that others may read while it grows (a log, monitors.csv): opened for writing from its beginning, or behind
 * its end. A link of that name is replaced, not followed. NULL and errno on failure; caller: fclose. */
FILE *file_create(const char *path, bool append);

/* Write a whole file through "<path>.part". Errors: ERR_OUTPUT. */
MUST_CHECK int file_write(const char *path, const void *data, size_t size);
/* The same of a text that is printed into t->to first. file_text_write ends it in any case, and writes it where rc is
 * OK. Errors: ERR_RESOURCE ("not enough memory for <what>"), those of file_write, rc. */
typedef struct {
    FILE *to;
    char *text;
    size_t size;
    const char *what;
} file_text;
MUST_CHECK int file_text_open(file_text *t, const char *what);
MUST_CHECK int file_text_write(file_text *t, int rc, const char *path);
/* Read a whole regular file, at most `limit` bytes; *text is NUL-terminated and the caller's. size may be NULL.
 * A pipe, device or folder is refused. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int file_read(const char *path, size_t limit, char **text, size_t *size);

/* OK when `path` is a regular file that can be opened for reading. Errors: ERR_INPUT with the reason. */
MUST_CHECK int file_check(const char *path);

bool file_exists(const char *path); /* anything of that name */
bool file_is_folder(const char *path);
bool file_is_regular(const char *path); /* neither a folder nor a pipe or device, whose opening may wait for ever */
MUST_CHECK int file_make_folder(const char *path); /* with its parents; fine when it is there. Errors: ERR_OUTPUT */

/* Hold a folder for this program alone (a lock on folder/.lock, which stays there) until it ends, however it ends, or
 * file_unlock(*held); its progress is in the file meanwhile (progress.h). Parts that a killed program left there are
 * removed. The folder must be there; where the file system knows no locks it is not held and *held still OK. Errors:
 * ERR_RESOURCE when another program holds it for longer than half a second, ERR_OUTPUT. */
MUST_CHECK int file_lock(const char *folder, int *held);
void file_unlock(int held);              /* -1 is allowed */
bool file_is_locked(const char *folder); /* some program holds it now; takes and writes nothing */

/* A path from its parts into path[size], as snprintf. Errors: ERR_INPUT when it is too long. */
MUST_CHECK int file_path(char *path, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* folder/name, or name alone when it is absolute or folder is "" or NULL. Caller frees; NULL: no memory. */
char *file_join(const char *folder, const char *name);
char *file_folder(const char *path);     /* "a/b.c" -> "a", "b.c" -> "." Caller frees; NULL: no memory */
const char *file_name(const char *path); /* "a/b.c" -> "b.c", a pointer into path */
bool file_ends_with(const char *path, const char *ending); /* case ignored */
#ifdef __cplusplus
}
#endif
#endif
