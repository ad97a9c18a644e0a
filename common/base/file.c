/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/file.h"
#include "common/base/progress.h"
#include "common/base/status.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The ".part" files of this process, for file_discard_all. `in_use` reserves a slot atomically; `path` is valid while
 * in_use is 2. */
enum { PARTS_MAX = 16 };
static struct {
    atomic_int in_use; /* state of the slot: 0 free, 1 being filled, 2 holds a path */
    char path[FILE_PATH_MAX];
} parts[PARTS_MAX];

static void remember_part(const char *part) {
    for (int k = 0; k < PARTS_MAX; k++) {
        int unused = 0;
        if (!atomic_compare_exchange_strong(&parts[k].in_use, &unused, 1))
            continue;
        memcpy(parts[k].path, part, strlen(part) + 1);
        atomic_store(&parts[k].in_use, 2);
        return;
    }
}

static void forget_part(const char *part) {
    for (int k = 0; k < PARTS_MAX; k++)
        if (atomic_load(&parts[k].in_use) == 2 && strcmp(parts[k].path, part) == 0)
            atomic_store(&parts[k].in_use, 0);
}

void file_discard_all(void) {
    for (int k = 0; k < PARTS_MAX; k++)
        if (atomic_load(&parts[k].in_use) == 2)
            unlink(parts[k].path);
}

static int sync_path(const char *path, int flags) {
    const int fd = open(path, flags | O_CLOEXEC);
    if (fd < 0)
        return errno;
    const int error = fsync(fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
    return close(fd) != 0 && error == 0 ? errno : error;
}

/* Flush the folder of the file `path` to the disk, so that the file's new name survives a power failure. Errors are
 * ignored, because the contents of the file are on the disk already. */
static void sync_folder(const char *path) {
    char *folder = file_folder(path);
    if (folder)
        sync_path(folder, O_RDONLY | O_DIRECTORY);
    free(folder);
}

/* Files committed since file_group_begin, newest first. */
typedef struct committed {
    struct committed *next;
    char path[];
} committed;
static _Atomic(committed *) newest;
static atomic_bool together;

void file_group_begin(void) {
    atomic_store(&together, true);
}

int file_group_end(int rc) {
    atomic_store(&together, false);
    committed *const last = atomic_exchange(&newest, NULL);
    if (rc == OK && last)
        sync_folder(last->path);
    for (committed *c = last, *next; c; c = next) {
        next = c->next;
        if (rc != OK)
            unlink(c->path);
        free(c);
    }
    return rc;
}

/* Add the file to the list of the open group, if a group is open. Returns 0 or ENOMEM. After ENOMEM the file must not
 * be committed. */
static int note_committed(const char *path) {
    if (!atomic_load(&together))
        return 0;
    const size_t n = strlen(path) + 1;
    committed *c = malloc(sizeof *c + n);
    if (!c)
        return ENOMEM;
    memcpy(c->path, path, n);
    c->next = atomic_load(&newest);
    while (!atomic_compare_exchange_weak(&newest, &c->next, c))
        ;
    return 0;
}

/* True if `path` is a device or a pipe: rename() would replace it by a file. False for a folder, because rename()
 * itself refuses to replace a folder. */
static bool is_device_or_pipe(const char *path) {
    struct stat info;
    return strncmp(path, "/dev/", 5) == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

int file_part_create_as(const char *path, const char *ending, char part[FILE_PATH_MAX]) {
    part[0] = '\0';
    const size_t n = strlen(path), room = strlen(ending) + sizeof ".part";
    if (n == 0)
        return fail(ERR_USAGE, "the name of an output file is empty; give a name");
    if (n + room > FILE_PATH_MAX)
        return fail(ERR_USAGE, "the path of an output file has %zu characters, the limit is %d; use a shorter path", n,
                    FILE_PATH_MAX - (int)room);
    if (is_device_or_pipe(path))
        return fail(ERR_OUTPUT, "cannot write '%s': it is a device or a pipe; give the name of a file", path);
    snprintf(part, FILE_PATH_MAX, "%s.part%s", path, ending);
    unlink(part);
    const int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) {
        part[0] = '\0';
        return fail(ERR_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
    }
    close(fd);
    remember_part(part);
    return OK;
}

int file_part_create(const char *path, char part[FILE_PATH_MAX]) {
    return file_part_create_as(path, "", part);
}

FILE *file_open_growing(const char *path, bool append) {
    struct stat info;
    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
        unlink(path);
    const int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), 0666);
    FILE *f = fd >= 0 ? fdopen(fd, append ? "a" : "w") : NULL;
    if (fd >= 0 && !f)
        close(fd);
    return f;
}

int file_commit(const char *part, const char *path) {
    int error = sync_path(part, O_RDONLY);
    if (error == 0)
        error = note_committed(path);
    if (error == 0 && rename(part, path) != 0)
        error = errno;
    if (error != 0) {
        file_discard(part);
        return fail(ERR_OUTPUT, "cannot write '%s': %s", path, strerror(error));
    }
    forget_part(part);
    if (!atomic_load(&together)) /* within a file group, file_group_end() flushes the folder once */
        sync_folder(path);
    return OK;
}

void file_discard(const char *part) {
    if (part[0] != '\0') {
        unlink(part);
        forget_part(part);
    }
}

int file_write(const char *path, const void *data, size_t size) {
    char part[FILE_PATH_MAX];
    int rc = file_part_create(path, part);
    if (rc != OK)
        return rc;
    FILE *f = fopen(part, "wb");
    if (!f)
        return fail(ERR_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
    int error = fwrite(data, 1, size, f) == size ? 0 : errno ? errno : EIO;
    if (fclose(f) != 0 && error == 0)
        error = errno;
    if (error != 0) {
        file_discard(part);
        return fail(ERR_OUTPUT, "cannot write '%s': %s", path, strerror(error));
    }
    return file_commit(part, path);
}

/* Open a regular file for reading. O_NONBLOCK: opening a pipe must not wait. */
static int open_regular(const char *path, int *fd, size_t limit) {
    struct stat info;
    *fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0 || fstat(*fd, &info) != 0)
        return fail(ERR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return fail(ERR_INPUT, "'%s' is not a file%s; give the path of a file", path,
                    S_ISDIR(info.st_mode) ? " but a folder" : "");
    if (info.st_size > 0 && (size_t)info.st_size > limit)
        return fail(ERR_INPUT, "'%s' has %.1f MB, the limit is %.1f MB; check that it is the right file", path,
                    (double)info.st_size / 1e6, (double)limit / 1e6);
    return OK;
}

int file_check(const char *path) {
    int fd = -1;
    int rc = open_regular(path, &fd, SIZE_MAX);
    if (fd >= 0)
        close(fd);
    return rc;
}

int file_read(const char *path, size_t limit, char **text, size_t *size) {
    int fd = -1, rc;
    size_t n = 0, room = 65536;
    char *buffer = NULL;
    *text = NULL;
    TRY(open_regular(path, &fd, limit));
    for (;;) {
        char *larger = realloc(buffer, room + 1);
        if (!larger) {
            rc = fail_memory(path, (double)room);
            goto cleanup;
        }
        buffer = larger;
        ssize_t got;
        while (n < room && (got = read(fd, buffer + n, room - n)) != 0) {
            if (got < 0) {
                rc = fail(ERR_INPUT, "cannot read '%s': %s", path, strerror(errno));
                goto cleanup;
            }
            n += (size_t)got;
        }
        if (n < room)
            break;
        if (n > limit) {
            rc = fail(ERR_INPUT, "'%s' is larger than the limit of %.1f MB; check that it is the right file", path,
                      (double)limit / 1e6);
            goto cleanup;
        }
        room *= 2;
    }
    buffer[n] = '\0';
    *text = buffer;
    buffer = NULL;
    if (size)
        *size = n;
cleanup:
    free(buffer);
    if (fd >= 0)
        close(fd);
    return rc;
}

bool file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

bool file_is_regular(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool file_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int file_create_folder(const char *path) {
    char step[FILE_PATH_MAX];
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof step)
        return fail(ERR_OUTPUT, "cannot create a folder: its path has %zu characters, it must have 1 to %d", n,
                    FILE_PATH_MAX - 1);
    memcpy(step, path, n + 1);
    for (size_t k = 1; k <= n; k++) {
        if (step[k] != '/' && step[k] != '\0')
            continue;
        char end = step[k];
        step[k] = '\0';
        int error = mkdir(step, 0777) != 0 ? errno : 0; /* file_is_folder changes errno, so the error is saved first */
        if (error != 0 && !file_is_folder(step))
            return fail(ERR_OUTPUT, "cannot create the folder '%s': %s", step,
                        error == EEXIST ? "a file or a broken link has this name; move or remove it" : strerror(error));
        step[k] = end;
    }
    return OK;
}

static int remove_entry(const char *path, const struct stat *s, int type, struct FTW *at) {
    (void)s;
    (void)at;
    (void)(type == FTW_DP ? rmdir(path) : unlink(path)); /* an error is ignored, so that the other entries are
                                                          * removed */
    return 0;
}

void file_remove_folder(const char *path) {
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Remove ".part" files of killed programs. The caller holds the lock of the folder. */
static void sweep_parts(const char *folder) {
    static const char *const ending[] = {".part", ".part.nii", ".part.nii.gz", ".part.mha", ".part.nrrd"};
    DIR *d = opendir(folder);
    for (const struct dirent *entry; d && (entry = readdir(d));) {
        bool part = false;
        for (int k = 0; k < 5; k++)
            part = part || file_ends_with(entry->d_name, ending[k]);
        if (part)
            unlinkat(dirfd(d), entry->d_name, 0);
    }
    if (d)
        closedir(d);
}

int file_lock(const char *folder, int *held) {
    int rc = OK;
    bool ours = false, refused = false;
    char *path = file_join(folder, ".lock");
    *held = -1;
    if (!path)
        return fail_memory("a path", FILE_PATH_MAX);
    *held = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*held < 0)
        GIVE_UP(fail(ERR_OUTPUT, "cannot write '%s': %s", path, strerror(errno)));
    for (int k = 0; k < 10; k++) { /* retry, because file_is_locked() of another program may hold the lock for a
                                    * moment */
        ours = flock(*held, LOCK_EX | LOCK_NB) == 0;
        refused = !ours && errno == EWOULDBLOCK;
        if (!refused)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    if (refused)
        rc = fail(ERR_RESOURCE, "another program is writing to '%s'; wait until it ends, stop it, or write elsewhere",
                  folder);
    if (ours) {
        sweep_parts(folder);
        if (ftruncate(*held, 0) == 0) /* delete the progress that an earlier program wrote into this file */
            progress_set_lock_file(*held);
    }
cleanup:
    if (rc != OK && *held >= 0) {
        close(*held);
        *held = -1;
    }
    free(path);
    return rc;
}

void file_unlock(int held) {
    if (held < 0)
        return;
    if (held == progress_lock_file())
        progress_set_lock_file(-1);
    close(held);
}

bool file_is_locked(const char *folder) {
    char *path = file_join(folder, ".lock");
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const bool held = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    free(path);
    if (file >= 0)
        close(file);
    return held;
}

int file_path(char *path, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(path, size, format, args);
    va_end(args);
    return n >= 0 && (size_t)n < size
               ? OK
               : fail(ERR_INPUT, "the path '%.60s...' is longer than %zu characters; use a shorter one", path,
                      size - 1);
}

char *file_join(const char *folder, const char *name) {
    if (!folder || folder[0] == '\0' || name[0] == '/')
        return strdup(name);
    size_t n = strlen(folder), m = strlen(name);
    bool slash = folder[n - 1] != '/';
    char *path = malloc(n + slash + m + 1);
    if (!path)
        return NULL;
    memcpy(path, folder, n);
    if (slash)
        path[n] = '/';
    memcpy(path + n + slash, name, m);
    path[n + slash + m] = '\0';
    return path;
}

char *file_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool file_ends_with(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

char *file_partner(const char *path, const char *ending, const char *other) {
    const size_t packed = file_ends_with(path, ".gz") ? 3 : 0, m = strlen(ending), n = strlen(path);
    const size_t stem = n > packed + m ? n - packed - m : 0;
    if (stem == 0 || strncasecmp(path + stem, ending, m) != 0)
        return NULL;
    for (int k = 0; k < 4; k++) {
        char *to = NULL;
        if (asprintf(&to, "%.*s%s%s", (int)stem, path, other, k % 2 ? ".gz" : "") < 0)
            return NULL;
        for (char *c = to + stem; k >= 2 && *c; c++)
            *c = (char)toupper((unsigned char)*c);
        if (file_is_regular(to))
            return to;
        free(to);
    }
    return NULL;
}

int file_text_open(file_text *t, const char *what) {
    *t = (file_text){.what = what};
    t->to = open_memstream(&t->text, &t->size);
    return t->to ? OK : fail_memory(what, 65536);
}

int file_text_write(file_text *t, int rc, const char *path) {
    if (t->to && fclose(t->to) != 0 && rc == OK)
        rc = fail_memory(t->what, (double)t->size);
    if (rc == OK)
        rc = file_write(path, t->text, t->size);
    free(t->text);
    *t = (file_text){0};
    return rc;
}
