/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line and its copy in the lock file; also implements a part of message.h. */
#include "common/base/clock.h"
#include "common/context/context.h"
#include "common/base/progress.h"
#include "common/base/message.h"
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR = 24, TEXT = 512, SHARED = 256 };

static struct {
    bool active, drawn;
    char what[64], unit[32], note[160];
    double total, done, started, printed, printed_done;
    double left_s; /* remaining time that progress_set_remaining gave; NAN for counted work */
    bool counted;  /* true: progress is done / total; false: the caller gives the remaining time */
    double shared; /* time of the last write to the lock file */
} now;
static struct {
    /* arguments of progress_set_part; part 0: the current work is not part of a longer work */
    double before, timed, part, started;
    char name[32];
    double highest; /* largest completed fraction that was shown */
} whole;
static int shared_file = -1;

void progress_format_time(char *text, size_t size, double seconds) {
    if (!(seconds < 1e8))
        snprintf(text, size, "?");
    else if (seconds < 60)
        snprintf(text, size, "%.0f s", ceil(seconds));
    else if (seconds < 3600)
        snprintf(text, size, "%d:%02d min", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(text, size, "%d:%02d h", (int)(seconds / 3600), (int)(seconds / 60) % 60);
}

static double share_of(double elapsed_s, double left_s) {
    return left_s >= 0 && elapsed_s + left_s > 0 ? elapsed_s / (elapsed_s + left_s) : NAN;
}

/* Returns the completed fraction of the longer work (progress_set_part), or of the current work if there is no longer
 * work. The fraction never falls: if the remaining time turns out longer, the fraction waits. *whole_left_s: remaining
 * time of this work, extrapolated from the parts that this program has timed. */
static double whole_share(double time, double left_s, double *whole_left_s) {
    const double part = share_of(time - now.started, left_s);
    double share = part;
    *whole_left_s = left_s;
    if (!isfinite(part))
        return part;
    if (whole.part > 0) {
        const double took_s = time - whole.started + left_s, timed = whole.timed + whole.part;
        *whole_left_s = left_s + took_s / timed * fmax(0, 1 - whole.before - whole.part);
        share = whole.before + whole.part * part;
    }
    whole.highest = fmax(whole.highest, share);
    return whole.highest;
}

/* Write the bar "[##..] " of `bar` characters; "" when bar is 0. */
static void format_bar(char text[BAR + 4], int bar, double share) {
    char blocks[BAR + 1] = "";
    bar = bar < BAR ? bar : BAR;
    for (int k = 0; k < bar; k++)
        blocks[k] = k < (int)(share * bar + 0.5) ? '#' : '.';
    blocks[bar > 0 ? bar : 0] = '\0';
    snprintf(text, BAR + 4, "%s%s%s", bar > 0 ? "[" : "", blocks, bar > 0 ? "] " : "");
}

void progress_format(char *text, size_t size, int bar, const char *what, const char *unit, double done, double total,
                     double seconds, const char *note) {
    char blocks[BAR + 4], left[32], rate[32] = "";
    double share = total > 0 ? fmin(fmax(done / total, 0), 1) : 0;
    format_bar(blocks, bar, share);
    progress_format_time(left, sizeof left, share > 0 ? seconds * (1 - share) / share : HUGE_VAL);
    if (seconds > 0 && done > 0)
        snprintf(rate, sizeof rate, ", %.3g/s", done / seconds);
    snprintf(text, size, "%s %s%3.0f %%, %.0f of %.0f %s%s, %s remaining%s%s", what, blocks, floor(100 * share), done,
             total, unit, rate, left, note[0] ? ", " : "", note);
}

void progress_format_remaining(char *text, size_t size, int bar, const char *what, double share, double elapsed_s,
                               double left_s, const char *note) {
    char blocks[BAR + 4] = "", left[32], took[32];
    progress_format_time(took, sizeof took, elapsed_s);
    progress_format_time(left, sizeof left, left_s);
    if (isfinite(share)) {
        const double percent = left_s > 0 ? fmin(floor(100 * share), 99) : floor(100 * share);
        format_bar(blocks, bar, share);
        snprintf(text, size, "%s %s%3.0f %%, about %s remaining%s%s", what, blocks, percent, left, note[0] ? ", " : "",
                 note);
    } else {
        snprintf(text, size, "%s for %s, remaining time unknown%s%s", what, took, note[0] ? ", " : "", note);
    }
}

int progress_columns(int file, int otherwise) {
    struct winsize size;
    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : otherwise;
}

static void format_now(char text[TEXT], int bar, double time) {
    const double elapsed = time - now.started;
    double left_s;
    if (now.counted)
        progress_format(text, TEXT, bar, now.what, now.unit, now.done, now.total, elapsed, now.note);
    else {
        const double share = whole_share(time, now.left_s, &left_s);
        progress_format_remaining(text, TEXT, bar, now.what, share, elapsed, left_s, now.note);
    }
}

static void draw_line(double time) {
    char text[TEXT];
    const int columns = progress_columns(STDERR_FILENO, 80);
    format_now(text, columns < 110 ? 10 : BAR, time); /* a narrow terminal gets a short bar, so the numbers fit */
    fprintf(stderr, "\r\033[K%.*s", columns - 1, text);
    fflush(stderr);
    now.drawn = true;
}

void progress_set_lock_file(int file) {
    shared_file = file;
}

int progress_lock_file(void) {
    return shared_file;
}

/* Write the progress line to the lock file once a second. The line is padded to a fixed length, so that one pwrite
 * replaces the previous line. */
static void write_shared_line(double time) {
    char line[SHARED + 1];
    double left, part = now.counted ? now.done / now.total : whole_share(time, now.left_s, &left);
    if (shared_file < 0 || time - now.shared < 1)
        return;
    if (now.counted)
        left = part > 0 ? (time - now.started) * (1 - part) / part : NAN;
    now.shared = time;
    const int n = snprintf(line, sizeof line, "%.4f %.1f %.60s, %.150s", part, left, now.what, now.note);
    if (n > 0 && n < SHARED)
        memset(line + n, ' ', (size_t)(SHARED - n));
    line[SHARED - 1] = '\n';
    if (pwrite(shared_file, line, SHARED, 0) != SHARED)
        shared_file = -1; /* after a failed write (full disk) no more progress is written */
}

bool progress_read(const char *path, progress_record *seen) {
    char line[SHARED + 1] = "", *rest = line;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const ssize_t n = file >= 0 ? pread(file, line, SHARED, 0) : -1;
    if (file >= 0)
        close(file);
    memset(seen, 0, sizeof *seen);
    if (n != SHARED)
        return false;
    line[SHARED - 1] = '\0';
    seen->share = strtod(rest, &rest);
    seen->left_s = strtod(rest, &rest);
    snprintf(seen->what, sizeof seen->what, "%s", rest + strspn(rest, " "));
    for (size_t end = strlen(seen->what); end > 0 && strchr(", ", seen->what[end - 1]); end--)
        seen->what[end - 1] = '\0';
    return true;
}

void progress_erase_line(void) {
    if (now.drawn)
        fprintf(stderr, "\r\033[K");
    now.drawn = false;
}

/* If this thread runs a call of libportaflow, records the start of the work in the context of the call (context.h) and
 * returns true. total NAN: unknown amount. */
static bool start_in_context(double total) {
    context_record *c = context_current();
    if (c) {
        c->total = total;
        c->started_s = clock_s();
    }
    return c != NULL;
}

/* If this thread runs a call of libportaflow, sends the progress to the context of the call (context.h) and returns
 * true. */
static bool send_to_context(double done, double left_s, const char *note) {
    context_record *c = context_current();
    const double elapsed_s = c ? clock_s() - c->started_s : 0;
    double share = share_of(elapsed_s, left_s);
    if (c && c->total > 0) {
        share = done / c->total;
        left_s = share > 0 ? elapsed_s * (1 - share) / share : NAN;
    }
    if (c && c->on_progress)
        c->on_progress(c->data, share, left_s, note ? note : "");
    return c != NULL;
}

static void start_work(const char *what, double total, const char *unit, bool counted) {
    memset(&now, 0, sizeof now);
    now.active = true;
    snprintf(now.what, sizeof now.what, "%s", what);
    snprintf(now.unit, sizeof now.unit, "%s", unit);
    now.total = total;
    now.counted = counted;
    now.left_s = NAN;
    now.started = now.printed = clock_s();
}

void progress_start(const char *what, double total, const char *unit) {
    if (!start_in_context(total))
        start_work(what, total, unit, true);
}

void progress_start_open(const char *what) {
    if (start_in_context(NAN))
        return;
    start_work(what, 1, "", false);
    if (!(whole.part > 0) || whole.before <= 0)
        whole.highest = 0;
    if (whole.part > 0)
        snprintf(now.what, sizeof now.what, "%.30s %s", what, whole.name);
}

void progress_set_part(double before, double timed, double part, const char *name) {
    if (context_current())
        return;
    if (before <= 0)
        whole.started = clock_s();
    whole.before = before;
    whole.timed = timed;
    whole.part = part;
    snprintf(whole.name, sizeof whole.name, "%s", name);
}

/* Shows the progress. A terminal's line is redrawn up to 10 times a second. A log gets a line after 10 s and 10 % more
 * progress. If the amount of work is unknown, it gets a line after 10 s and 10 % more elapsed time. */
static void show_progress(double time) {
    const bool terminal = message_on_terminal();
    const double elapsed = time - now.started;
    const double done = now.counted ? now.done : elapsed, all = now.counted ? now.total : elapsed;
    write_shared_line(time);
    if (time - now.printed < (terminal ? 0.1 : 10) || done - now.printed_done < (terminal ? 0 : 0.1 * all))
        return;
    now.printed = time;
    now.printed_done = done;
    if (terminal) {
        draw_line(time);
    } else {
        char text[TEXT];
        format_now(text, 0, time);
        message_line(text);
    }
}

void progress_set(double done, const char *note) {
    if (send_to_context(done, NAN, note) || !now.active)
        return;
    now.done = done;
    snprintf(now.note, sizeof now.note, "%s", note ? note : "");
    show_progress(clock_s());
}

void progress_set_remaining(double left_s, const char *note) {
    if (send_to_context(0, left_s, note) || !now.active)
        return;
    now.left_s = left_s;
    snprintf(now.note, sizeof now.note, "%s", note ? note : "");
    show_progress(clock_s());
}

void progress_end(void) {
    if (context_current() || !now.active)
        return;
    char text[TEXT], took[32], count[64] = "";
    now.active = false;
    progress_format_time(took, sizeof took, clock_s() - now.started);
    if (now.counted)
        snprintf(count, sizeof count, " %.0f %s", now.done, now.unit);
    snprintf(text, sizeof text, "%s%s in %s%s%s", now.what, count, took, now.note[0] ? ", " : "", now.note);
    message_line(text);
}
