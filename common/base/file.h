/* SPDX-License-Identifier: Apache-2.0 */
/* File helpers: whole files, folders, and outputs that appear complete or not at all.
 *
 *   TRY(file_part_create(path, part));            write to `part` ...
 *   TRY(file_commit(part, path));          ... rename it to `path`           (on failure: file_discard(part)) */
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

/* Create an empty "<path>.part". An existing file or link of this name is removed, links are not followed. Call
 * file_commit or file_discard afterwards; stop.h removes the file when a signal ends the program. Errors: ERR_USAGE
 * when the path is empty or too long; ERR_OUTPUT, also for a device or a pipe. */
MUST_CHECK int file_part_create(const char *path, char part[FILE_PATH_MAX]);
/* As file_part_create, but "<path>.part<ending>". */
MUST_CHECK int file_part_create_as(const char *path, const char *ending, char part[FILE_PATH_MAX]);
/* Flush `part` to the disk and rename it to `path`. On failure `part` is removed. Errors: ERR_OUTPUT. */
MUST_CHECK int file_commit(const char *part, const char *path);
void file_discard(const char *part); /* remove, ignoring errors; "" is allowed */
void file_discard_all(void);         /* remove every uncommitted part; safe in a signal handler */

/* Commit result files and their record together. file_group_end(rc): if rc is not OK, it removes every file committed
 * since file_group_begin(), because a full disk must leave no results without a record. If rc is OK, it flushes the
 * folder of the last file to the disk. Returns rc. */
void file_group_begin(void);
int file_group_end(int rc);

/* Open a file that others may read while it grows (a log, monitors.csv): truncated, or for appending. A link of this
 * name is replaced, not followed. NULL and errno on failure. Caller: fclose. */
FILE *file_open_growing(const char *path, bool append);

/* Write a whole file through "<path>.part". Errors: ERR_OUTPUT. */
MUST_CHECK int file_write(const char *path, const void *data, size_t size);
/* Prepare a text in memory and write it as a whole file: file_text_open(), print into t->to, file_text_write().
 * file_text_write always frees the text, and writes the file only if rc is OK. Errors: ERR_RESOURCE ("not enough memory
 * for <what>"), errors of file_write, rc. */
typedef struct {
    FILE *to;
    char *text;
    size_t size;
    const char *what;
} file_text;
MUST_CHECK int file_text_open(file_text *t, const char *what);
MUST_CHECK int file_text_write(file_text *t, int rc, const char *path);
/* Read a whole regular file, up to `limit` bytes. *text is NUL-terminated; the caller frees it. size may be NULL.
 * Pipes, devices and folders are refused. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int file_read(const char *path, size_t limit, char **text, size_t *size);

/* OK when `path` is a regular file that can be opened for reading. Errors: ERR_INPUT with the reason. */
MUST_CHECK int file_check(const char *path);

bool file_exists(const char *path); /* true for a file, folder, device or pipe */
bool file_is_folder(const char *path);
bool file_is_regular(const char *path); /* false for a folder, pipe or device (opening a pipe may wait forever) */
/* creates the folder and its parents; OK when it exists. Errors: ERR_OUTPUT */
MUST_CHECK int file_create_folder(const char *path);

/* Remove a folder with everything in it, ignoring errors. Links are not followed. */
void file_remove_folder(const char *path);

/* Lock an existing folder for this process with flock on folder/.lock. The lock ends with the process or with
 * file_unlock(*held); the file .lock stays and holds the progress (progress.h). ".part" files of killed programs are
 * removed. On a file system without locks the folder is not locked and the result is OK. Errors: ERR_RESOURCE when
 * another program holds the lock for longer than half a second; ERR_OUTPUT. */
MUST_CHECK int file_lock(const char *folder, int *held);
void file_unlock(int held);              /* does nothing for -1 */
bool file_is_locked(const char *folder); /* true if a program holds the lock now; takes no lock and writes nothing */

/* Format a path into path[size], as snprintf. Errors: ERR_INPUT when it is too long. */
MUST_CHECK int file_path(char *path, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* folder/name; name alone when it is absolute or folder is "" or NULL. Caller frees; NULL: no memory. */
char *file_join(const char *folder, const char *name);
/* folder of a path: "a" for "a/b.c", "." for "b.c". Caller frees; NULL: no memory */
char *file_folder(const char *path);
const char *file_name(const char *path); /* last part of a path: "b.c" for "a/b.c"; points into path */
/* true if the path ends in `ending`, in upper or lower case */
bool file_ends_with(const char *path, const char *ending);
/* Finds the other file of a pair. For the file "a.img" or "a.img.gz" with ending ".img" and other ".hdr" this is
 * "a.hdr" or "a.hdr.gz", also in capitals. Caller frees; NULL: another ending, no such file, or no memory. */
char *file_partner(const char *path, const char *ending, const char *other);
#ifdef __cplusplus
}
#endif
#endif
