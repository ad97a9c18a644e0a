/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/init/series.h"
#include "common/base/status.h"
#include "pipeline/inspect/inspect_image.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    dicom_series found;
    bool other; /* true: another series was requested */
    /* true: the description names veins, and the number of slices is a quarter of the largest number or more */
    bool venous;
    const char *note; /* printed after the line of this series */
    char why[DICOM_SERIES_LINE];
} listed;

static int by_rank(const void *a, const void *b) {
    const listed *x = a, *y = b;
    if (x->other != y->other)
        return x->other - y->other;
    if (x->found.secondary != y->found.secondary)
        return x->found.secondary - y->found.secondary;
    if (x->venous != y->venous)
        return y->venous - x->venous;
    return x->found.slices != y->found.slices ? y->found.slices - x->found.slices : strcmp(x->found.uid, y->found.uid);
}

/* True if the description names veins: "portal", "venous" or "vein" (any "ven"), or "pv" as a word. Not "venc", the
 * velocity range of phase-contrast MRI, nor "vent", a ventricle. */
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

static void rank_series(const dicom_series_list *list, const char *wanted, listed *all) {
    int most = 0;
    for (int k = 0; k < list->n; k++) {
        const dicom_series *f = &list->series[k];
        all[k] = (listed){.found = *f, .note = ""};
        if (f->one_place)
            all[k].note = "one slice over time; if it is phase-contrast MRI, use 'pipeline flow'";
        all[k].other = wanted && strcmp(f->uid, wanted) != 0 && !strcasestr(f->about, wanted);
        all[k].venous = named_venous(f->about);
        most = !f->secondary && f->slices > most ? f->slices : most;
    }
    for (int k = 0; k < list->n; k++)
        all[k].venous = all[k].venous && 4 * all[k].found.slices >= most;
    qsort(all, (size_t)list->n, sizeof *all, by_rank);
}

static bool is_readable(const char *path, listed *s) {
    volume v;
    bool seen;
    if (s->note[0])
        return false;
    if (inspect_image(path, s->found.uid, false, &v, &seen) == OK)
        return true;
    snprintf(s->why, sizeof s->why, "%s", status_message());
    s->note = s->why;
    status_clear();
    return false;
}

int series_choose(const char *path, const char *wanted, char series[CASE_CHOICE_SERIES]) {
    static dicom_series_list list;
    static listed all[DICOM_SERIES_MAX];
    int chosen = 0;
    if (inspect_series(path, &list) != OK)
        list.n = 0; /* the reader of the image has already reported why the folder is refused */
    status_clear();
    const int n = list.n;
    if (n == 1)
        printf("DICOM series: %s\n", list.series[0].line);
    if (n < 2)
        return OK;
    rank_series(&list, wanted, all);
    while (chosen < n && !is_readable(path, &all[chosen]))
        chosen++;
    if (wanted && (chosen == n || all[chosen].other))
        return fail(ERR_INPUT,
                    "--series: '%s' has no series that is named '%s' and can be read as one volume; choose one from "
                    "the list of pipeline init",
                    path, wanted);
    if (chosen < n)
        all[chosen].note = wanted               ? "used: requested"
                           : all[chosen].venous ? "used: its description names veins"
                           : chosen > 0         ? "used: most slices among the readable series"
                                                : "used: most slices";
    snprintf(series, CASE_CHOICE_SERIES, "%.*s", DICOM_UID - 1, all[chosen < n ? chosen : 0].found.uid);
    printf("DICOM series in '%s' (to use another one: pipeline init .. --series with its UID or words of its "
           "description):\n",
           path);
    for (int k = 0; k < n; k++)
        printf("  %s%s%s\n", all[k].found.line, all[k].note[0] ? (k == chosen ? "   <- " : "   not used: ") : "",
               all[k].note);
    return OK;
}
