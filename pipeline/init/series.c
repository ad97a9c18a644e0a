/* See series.h. */
#include "pipeline/init/series.h"
#include "common/base/status.h"
#include "pipeline/inspect/inspect_image.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_LISTED = 20, LINE_MAX_CHARS = 256 };

typedef struct {
    char line[LINE_MAX_CHARS], uid[CASE_CHOICE_SERIES];
    int slices;
    bool other;          /* not what was asked for */
    bool second, venous; /* derived or a localizer; named after the veins, and long enough */
    const char *note;    /* printed behind the line */
    char why[LINE_MAX_CHARS];
} listed;

static int by_rank(const void *a, const void *b) {
    const listed *x = a, *y = b;
    if (x->other != y->other)
        return x->other - y->other;
    if (x->second != y->second)
        return x->second - y->second;
    if (x->venous != y->venous)
        return y->venous - x->venous;
    return x->slices != y->slices ? y->slices - x->slices : strcmp(x->uid, y->uid);
}

/* Named after veins: "portal", "venous", "vein", "pv" as a word; not "venc", a velocity of phase-contrast MRI. */
static bool named_venous(const char *about) {
    if (strcasestr(about, "portal"))
        return true;
    for (const char *at = about; (at = strcasestr(at, "ven")); at++)
        if (!strchr("cCtT", at[3]) || at[3] == 0)
            return true;
    for (const char *at = about; (at = strcasestr(at, "pv")); at++)
        if ((at == about || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[2]))
            return true;
    return false;
}

static int read_list(const char *sentence, const char *wanted, listed *all) {
    int n = 0, most = 0;
    for (const char *at = strstr(sentence, "\n  "); at && n < SERIES_LISTED; at = strstr(at + 1, "\n  ")) {
        listed *s = &all[n];
        *s = (listed){.note = ""};
        snprintf(s->line, sizeof s->line, "%.*s", (int)strcspn(at + 3, "\n"), at + 3);
        if (sscanf(s->line, "%71s %d slice", s->uid, &s->slices) != 2)
            continue;
        if (strstr(s->line, "all at one place"))
            s->note = "one slice over time; of phase-contrast MRI it is for 'pipeline flow'";
        const char *about = strchr(s->line, ':');
        s->other = wanted && strcmp(s->uid, wanted) != 0 && !(about && strcasestr(about, wanted));
        s->second = strstr(s->line, "(derived)") || strstr(s->line, "(localizer)");
        s->venous = about && named_venous(about);
        most = !s->second && s->slices > most ? s->slices : most;
        n++;
    }
    for (int k = 0; k < n; k++)
        all[k].venous = all[k].venous && 4 * all[k].slices >= most;
    qsort(all, (size_t)n, sizeof *all, by_rank);
    return n;
}

static bool readable(const char *path, listed *s) {
    volume v;
    bool seen;
    if (s->note[0])
        return false;
    if (inspect_image(path, s->uid, false, &v, &seen) == OK)
        return true;
    snprintf(s->why, sizeof s->why, "%s", status_message());
    s->note = s->why;
    status_clear();
    return false;
}

int series_choose(const char *path, const char *sentence, const char *wanted, char series[CASE_CHOICE_SERIES]) {
    listed all[SERIES_LISTED];
    const int n = read_list(sentence, wanted, all);
    int taken = 0;
    status_clear();
    if (n == 0)
        return OK;
    while (taken < n && !readable(path, &all[taken]))
        taken++;
    if (wanted && (taken == n || all[taken].other))
        return fail(ERR_INPUT, "--series: no series of '%s' that can be read as one volume is called '%s'", path,
                    wanted);
    if (taken < n)
        all[taken].note = wanted              ? "taken, asked for"
                          : all[taken].venous ? "taken, named after the veins"
                          : taken > 0         ? "taken, the most slices of the rest"
                                              : "taken, the most slices";
    snprintf(series, CASE_CHOICE_SERIES, "%s", all[taken < n ? taken : 0].uid);
    printf("DICOM series in it (another one: pipeline init .. --series WORDS, of its description, or its UID):\n");
    for (int k = 0; k < n; k++)
        printf("  %s%s%s\n", all[k].line, all[k].note[0] ? (k == taken ? "   <- " : "   not taken: ") : "",
               all[k].note);
    return OK;
}
