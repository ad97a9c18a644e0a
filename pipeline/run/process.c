/* SPDX-License-Identifier: Apache-2.0 */
/* Signals, the child with its pipes or terminal, and its output line by line. */
#include "pipeline/run/process.h"
#include "common/base/clock.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The current line of the child's output as a terminal would show it: '\r' restarts the line, escape sequences are
 * removed. */
typedef struct {
    FILE *file;
    const process_log *log;
    char text[PROCESS_SENTENCE_MAX];
    size_t length;
    bool escape, restart;
    char *sentence;
} line_buffer;

typedef struct {
    const char *const *argv;
    const char *folder, *output_path;
    bool quiet;
    int ours, theirs; /* descriptors of the pipe or pseudo-terminal in the parent and in the child */
    int output;       /* file that gets the child's stdout; -1: stdout goes where the messages go */
    int width;        /* columns of our terminal; 0: stderr is not a terminal */
    double drawn_s;   /* time at which the line of a quiet child was drawn last; 0: no line is on the screen */
} channel;

static volatile sig_atomic_t stop_signal, stop_count;

static void on_signal(int number) {
    stop_signal = number;
    stop_count = stop_count + 1;
}

int process_interrupted(void) {
    return stop_signal;
}

int process_check(const char *name, const process_result *r) {
    if (r->exit_code == 0)
        return OK;
    if (stop_signal)
        return fail(ERR_RESOURCE, "stopped during %s; the same command continues it", name);
    if (r->signal)
        return fail(
            ERR_RESOURCE,
            "%s was killed by signal %d (%s): memory ran out, a user stopped the program, or the program has an error",
            name, r->signal, strsignal(r->signal));
    const int code = r->exit_code > 0 && r->exit_code <= ERR_RESOURCE ? r->exit_code : ERR_INTERNAL;
    return r->sentence[0] ? fail(code, "%s", r->sentence)
                          : fail(code, "%s failed with exit code %d and no message: this is an error in the program",
                                 name, r->exit_code);
}

void process_die_if_interrupted(void) {
    int number = stop_signal;
    if (number == 0)
        return;
    signal(number, SIG_DFL);
    raise(number);
}

static void signals_catch(void) {
    static const int number[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        struct sigaction old;
        sigaction(number[k], NULL, &old);
        if (old.sa_handler != SIG_IGN) /* a signal that is ignored, such as SIGHUP under nohup, stays ignored */
            sigaction(number[k], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
}

int process_bin_folder(char *folder, int size) {
    ssize_t n = readlink("/proc/self/exe", folder, (size_t)size - 1);
    if (n <= 0)
        return fail(ERR_INTERNAL, "cannot find the folder of the programs: %s; install Portaflow again",
                    strerror(errno));
    folder[n] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return OK;
}

int process_program(const char *name, char *path, size_t size) {
    char folder[FILE_PATH_MAX];
    const int rc = process_bin_folder(folder, sizeof folder);
    return rc == OK ? file_path(path, size, "%s/%s", folder, name) : rc;
}

int process_data(const char *name, char *path, size_t size) {
    char folder[FILE_PATH_MAX];
    int rc = OK;
    TRY(process_bin_folder(folder, sizeof folder));
    TRY(file_path(path, size, "%s/../share/portaflow/%s", folder, name));
    if (!file_exists(path))
        rc = fail(ERR_RESOURCE, "the installation is incomplete: '%s' is missing; install Portaflow again", path);
cleanup:
    return rc;
}

int process_run_program(const char *name, const char *const *argument, process_result *result) {
    char program[FILE_PATH_MAX];
    const char *argv[PROCESS_ARGS_MAX] = {program};
    int rc = OK, n = 1;
    TRY(process_program(name, program, sizeof program));
    if (!file_exists(program))
        GIVE_UP(fail(ERR_RESOURCE,
                     "the program '%s' is missing: it was not built (cmake prints the reason); install the complete "
                     "package, or build it",
                     program));
    for (; *argument && n < PROCESS_ARGS_MAX - 1; argument++)
        argv[n++] = *argument;
    TRY(process_run(argv, NULL, NULL, 1, result));
cleanup:
    return rc;
}

static void line_end(line_buffer *b) {
    b->text[b->length] = '\0';
    if (b->length > 0)
        memcpy(b->sentence, b->text, b->length + 1);
    if (b->file && b->log->write)
        b->log->write(b->file, b->text, b->log->data);
    else if (b->file)
        fprintf(b->file, "%s\n", b->text);
    b->length = 0;
    b->restart = false;
}

static void line_add(line_buffer *b, const char *bytes, ssize_t n) {
    for (ssize_t k = 0; k < n; k++) {
        char c = bytes[k];
        if (b->escape) {
            b->escape = !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
        } else if (c == '\033') {
            b->escape = true;
        } else if (c == '\n') {
            line_end(b);
        } else if (c == '\r') {
            b->restart = true;
        } else {
            if (b->restart)
                b->length = 0;
            b->restart = false;
            if (b->length + 1 < sizeof b->text)
                b->text[b->length++] = c;
        }
    }
}

static void terminal_write(const char *bytes, ssize_t n) {
    while (n > 0) {
        ssize_t done = write(STDERR_FILENO, bytes, (size_t)n);
        if (done < 0 && errno != EINTR)
            return; /* the terminal is closed, so nothing can be shown; the log is complete */
        if (done > 0) {
            bytes += done;
            n -= done;
        }
    }
}

static int channel_open(channel *c) {
    struct winsize window = {0};
    if (isatty(STDERR_FILENO)) {
        struct termios mode;
        ioctl(STDERR_FILENO, TIOCGWINSZ, &window);
        c->width = window.ws_col > 20 ? window.ws_col : 80;
        if (openpty(&c->ours, &c->theirs, NULL, NULL, window.ws_col > 0 ? &window : NULL) == 0) {
            if (tcgetattr(c->theirs, &mode) == 0) {
                mode.c_oflag &= ~(tcflag_t)OPOST;
                tcsetattr(c->theirs, TCSANOW, &mode);
            }
            fcntl(c->ours, F_SETFD, FD_CLOEXEC);
            return OK;
        }
    }
    int ends[2];
    if (pipe(ends) != 0)
        return fail(ERR_RESOURCE, "cannot start '%s': %s; close other programs and repeat", c->argv[0],
                    strerror(errno));
    c->ours = ends[0];
    c->theirs = ends[1];
    fcntl(c->ours, F_SETFD, FD_CLOEXEC);
    return OK;
}

/* Starts the program, in the child process. Returns only if the program cannot be started. */
static void child_start(const channel *c, pid_t parent, int report) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    signal(SIGPIPE, SIG_DFL);
    sigset_t none; /* mpirun would not forward a stop if a batch system had blocked its signals, so the signal mask is
                    * cleared */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(c->output >= 0 ? c->output : c->theirs, STDOUT_FILENO);
    dup2(c->theirs, STDERR_FILENO);
    if (c->theirs > STDERR_FILENO)
        close(c->theirs);
    if (c->folder == NULL || chdir(c->folder) == 0)
        execv(c->argv[0], (char *const *)c->argv);
    int reason = errno;
    if (write(report, &reason, sizeof reason) < 0)
        _exit(1);
    _exit(1);
}

/* Starts the child. A failed exec is reported through a pipe that a successful exec closes. */
static int child_fork(const channel *c, pid_t *child) {
    int report[2], reason = 0;
    if (pipe2(report, O_CLOEXEC) != 0)
        return fail(ERR_RESOURCE, "cannot start '%s': %s", c->argv[0], strerror(errno));
    pid_t parent = getpid();
    *child = fork();
    if (*child == 0)
        child_start(c, parent, report[1]);
    int fork_error = errno;
    close(report[1]);
    ssize_t n = *child > 0 ? read(report[0], &reason, sizeof reason) : 0;
    close(report[0]);
    if (*child < 0)
        return fail(ERR_RESOURCE, "cannot start '%s': %s", c->argv[0], strerror(fork_error));
    if (n == (ssize_t)sizeof reason) {
        waitpid(*child, NULL, 0);
        return fail(ERR_RESOURCE, "cannot start '%s': %s", c->argv[0], strerror(reason));
    }
    setpgid(*child, *child);
    return OK;
}

/* Draws the last line of a quiet child on a terminal, after the name of its folder. */
static void quiet_draw(channel *c, const line_buffer *b) {
    const double time = clock_s();
    if (c->width == 0 || b->length == 0 || time - c->drawn_s < 0.2)
        return;
    c->drawn_s = time;
    char text[512];
    snprintf(text, sizeof text, "%s%s%.*s", c->folder ? file_name(c->folder) : "", c->folder ? ": " : "",
             (int)b->length, b->text);
    fprintf(stderr, "\r\033[K%.*s", c->width - 1, text);
    fflush(stderr);
}

static void quiet_erase(const channel *c) {
    if (c->drawn_s > 0)
        fprintf(stderr, "\r\033[K");
}

/* Reads the available output; false at the end of the stream. */
static bool channel_pump(channel *c, line_buffer *b, int wait_ms) {
    struct pollfd p = {.fd = c->ours, .events = POLLIN};
    char bytes[4096];
    if (poll(&p, 1, wait_ms) <= 0)
        return true;
    ssize_t n = read(c->ours, bytes, sizeof bytes);
    if (n <= 0)
        return n < 0 && errno == EINTR;
    line_add(b, bytes, n);
    if (!c->quiet)
        terminal_write(bytes, n);
    else
        quiet_draw(c, b);
    return true;
}

/* Forwards the stop to the child. The message explains that a second Ctrl-C discards the checkpoint. */
static void pass_stop(const channel *c, pid_t child, int count) {
    const bool launcher =
        /* mpirun forwards SIGUSR1 to its ranks, but ends them at once on other signals */
        strcmp(file_name(c->argv[0]), "mpirun") == 0;
    const int number = launcher ? SIGUSR1 : (int)stop_signal;
    if (count == 1)
        message_info(
            "stopping; the computed state is saved (wait a moment; a second Ctrl-C ends it at once and saves nothing)");
    kill(-child, count > 1 ? SIGKILL : number);
}

static void child_wait(channel *c, pid_t child, line_buffer *b, process_result *r) {
    int passed = 0, how = 0;
    bool open = true;
    for (;;) {
        int count = stop_count;
        if (count > passed) {
            pass_stop(c, child, count);
            passed = count;
        }
        if (open)
            open = channel_pump(c, b, 100);
        if (waitpid(child, &how, open ? WNOHANG : 0) == child)
            break;
    }
    struct pollfd rest = {.fd = c->ours, .events = POLLIN};
    while (open && poll(&rest, 1, 0) > 0 && (rest.revents & POLLIN))
        open = channel_pump(c, b, 0);
    quiet_erase(c);
    if (b->length > 0)
        line_end(b);
    r->exit_code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    r->signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
}

static int run_channel(channel *c, FILE *file, const process_log *log, process_result *r) {
    line_buffer buffer = {.file = file, .log = log, .sentence = r->sentence};
    pid_t child = -1;
    int rc;
    double start = clock_s();
    signals_catch();
    TRY(channel_open(c));
    rc = child_fork(c, &child);
    close(c->theirs);
    if (rc == OK)
        child_wait(c, child, &buffer, r);
    close(c->ours);
    r->seconds = clock_s() - start;
cleanup:
    return rc;
}

/* Writes the first line of a log: "# mesh --case case.yaml ..". */
static void log_command(FILE *file, const process_log *log, const char *const *argv) {
    char *line = NULL;
    size_t size = 0;
    FILE *words = open_memstream(&line, &size);
    if (!words)
        return;
    fprintf(words, "# %s", file_name(argv[0]));
    for (int k = 1; argv[k]; k++)
        fprintf(words, " %s", argv[k]);
    if (fclose(words) == 0 && log->write)
        log->write(file, line, log->data);
    else if (line)
        fprintf(file, "%s\n", line);
    free(line);
}

int process_run(const char *const *argv, const char *folder, const process_log *log, int quiet,
                process_result *result) {
    channel c = {.argv = argv, .folder = folder, .quiet = quiet != 0, .output = -1};
    FILE *file = NULL;
    int rc = OK;
    memset(result, 0, sizeof *result);
    if (log) {
        file = file_open_growing(log->path, false);
        if (!file)
            return fail(ERR_OUTPUT, "cannot write '%s': %s", log->path, strerror(errno));
        setvbuf(file, NULL, _IOLBF, 0);
        log_command(file, log, argv);
    }
    rc = run_channel(&c, file, log, result);
    if (file && rc == OK && result->signal)
        fprintf(file, "# killed by signal %d after %.1f s\n", result->signal, result->seconds);
    else if (file && rc == OK)
        fprintf(file, "# ended with exit code %d after %.1f s\n", result->exit_code, result->seconds);
    if (file)
        fclose(file); /* errors are ignored, because an incomplete log does not invalidate a result */
    return rc;
}

int process_capture(const char *const *argv, const char *output_path, process_result *result) {
    char part[FILE_PATH_MAX];
    channel c = {.argv = argv};
    int rc = OK;
    memset(result, 0, sizeof *result);
    rc = file_part_create(output_path, part);
    if (rc != OK)
        return rc;
    c.output = open(part, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
    if (c.output < 0)
        return fail(ERR_OUTPUT, "cannot write '%s': %s", part, strerror(errno));
    rc = run_channel(&c, NULL, NULL, result);
    if (close(c.output) != 0 && rc == OK)
        rc = fail(ERR_OUTPUT, "cannot write '%s': %s", part, strerror(errno));
    if (rc == OK && result->exit_code == 0)
        return file_commit(part, output_path);
    file_discard(part);
    return rc;
}
