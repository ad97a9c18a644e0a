/* See message.h: the one progress line. */
#include "common/base/clock.h"
#include "common/base/progress.h"
#include "common/base/message.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR = 24, TEXT = 512 };

static struct {
    bool active, drawn;
    char what[64], unit[32], note[128];
    double total, done, started, printed, printed_done;
} now;

static void format_time(char *text, size_t size, double seconds) {
    if (!(seconds < 1e8))
        snprintf(text, size, "?");
    else if (seconds < 60)
        snprintf(text, size, "%.0f s", ceil(seconds));
    else if (seconds < 3600)
        snprintf(text, size, "%d:%02d min", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(text, size, "%d:%02d h", (int)(seconds / 3600), (int)(seconds / 60) % 60);
}

void progress_format(char *text, size_t size, int bar, const char *what, const char *unit, double done, double total,
                     double seconds, const char *note) {
    char blocks[BAR + 1] = "", left[32], rate[32] = "";
    double share = total > 0 ? fmin(fmax(done / total, 0), 1) : 0;
    bar = bar < BAR ? bar : BAR;
    for (int k = 0; k < bar; k++)
        blocks[k] = k < (int)(share * bar + 0.5) ? '#' : '.';
    blocks[bar > 0 ? bar : 0] = '\0';
    format_time(left, sizeof left, share > 0 ? seconds * (1 - share) / share : HUGE_VAL);
    if (seconds > 0 && done > 0)
        snprintf(rate, sizeof rate, ", %.3g/s", done / seconds);
    snprintf(text, size, "%s %s%s%s%3.0f %%, %.0f of %.0f %s%s, %s left%s%s", what, bar > 0 ? "[" : "", blocks,
             bar > 0 ? "] " : "", floor(100 * share), done, total, unit, rate, left, note[0] ? ", " : "", note);
}

static int terminal_width(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

static void draw(double time) {
    char text[TEXT];
    int bar = terminal_width() < 110 ? 10 : BAR; /* the numbers come first */
    progress_format(text, sizeof text, bar, now.what, now.unit, now.done, now.total, time - now.started, now.note);
    fprintf(stderr, "\r\033[K%.*s", terminal_width() - 1, text);
    fflush(stderr);
    now.drawn = true;
}

void progress_erase(void) {
    if (now.drawn)
        fprintf(stderr, "\r\033[K");
    now.drawn = false;
}

void progress_start(const char *what, double total, const char *unit) {
    memset(&now, 0, sizeof now);
    now.active = true;
    snprintf(now.what, sizeof now.what, "%s", what);
    snprintf(now.unit, sizeof now.unit, "%s", unit);
    now.total = total;
    now.started = now.printed = clock_s();
}

/* A terminal is redrawn 10 times a second, a log gets a line when both 10 s and 10 % have passed. */
void progress_set(double done, const char *note) {
    if (!now.active)
        return;
    double time = clock_s();
    now.done = done;
    snprintf(now.note, sizeof now.note, "%s", note ? note : "");
    bool terminal = message_on_terminal();
    double wait = terminal ? 0.1 : 10, step = terminal ? 0 : 0.1 * now.total;
    if (time - now.printed < wait || done - now.printed_done < step)
        return;
    now.printed = time;
    now.printed_done = done;
    if (terminal) {
        draw(time);
    } else {
        char text[TEXT];
        progress_format(text, sizeof text, 0, now.what, now.unit, done, now.total, time - now.started, now.note);
        message_line(text);
    }
}

void progress_end(void) {
    if (!now.active)
        return;
    char text[TEXT], took[32];
    now.active = false;
    format_time(took, sizeof took, clock_s() - now.started);
    snprintf(text, sizeof text, "%s %.0f %s in %s%s%s", now.what, now.done, now.unit, took, now.note[0] ? ", " : "",
             now.note);
    message_line(text);
}
