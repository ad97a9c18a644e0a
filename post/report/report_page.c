/* See report.h: the frame of the page, what must be seen first, the pictures. */
#include "post/report/report.h"
#include <math.h>
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/cli/version.h"
#include "common/record/json.h"
#include <stdlib.h>

/* Made by CMake from report.css, without its line ends. */
extern const char report_css[];

static void add_head(html *h, const report_input *in) {
    const char *unusable = solution_unusable(in->r->solution);
    html_text(h,
              "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
              "style-src 'unsafe-inline'\"><title>Hemodynamics: ",
              in->r->case_name, "");
    html_add(h, "</title><style>%s</style></head>\n<body%s>\n", report_css, unusable ? " class=\"unconverged\"" : "");
    if (unusable)
        html_add(h, "<div class=\"stamp\">%s &mdash; no number in this report may be used</div>\n", unusable);
    html_text(h, "<h1>Hemodynamics report: ", in->r->case_name, "");
    html_add(h, "</h1>\n<p class=\"small\">Portaflow %s &middot; computed flow in %s &middot; %s</p>\n",
             PORTAFLOW_VERSION, report_lumen(in->c),
             in->r->pulsatile                        ? "pulsatile flow, values averaged over the last cycle"
             : isfinite(in->r->solution->unsteady_s) ? "unsteady flow, values averaged over time"
                                                     : "steady flow");
}

static void add_first(html *h, const report_input *in) {
    html_add(h,
             "<div class=\"box research\"><b>A research result, not a diagnosis.</b> This is not a medical device. "
             "The numbers come from a computer model with the assumptions listed below; they were not measured in the "
             "patient and must not guide treatment.</div>\n");
    if (in->r->solution->converged && in->r->solution->too_coarse)
        html_add(h, "<div class=\"box stop\"><strong>TOO COARSE</strong>The blood is too fast for the cells: pressure "
                    "drops and wall shear stress of such a lattice may be wrong by a factor. None of the numbers and "
                    "pictures below is a result; the table of what the numbers rest on says how fine a lattice must "
                    "be.</div>\n");
    if (in->r->solution->converged)
        return;
    html_add(
        h, "<div class=\"box stop\"><strong>NOT CONVERGED</strong>The computation stopped before the flow had settled. "
           "None of the numbers and pictures below is a result; they only help to find out why. Run <code>solve</code> "
           "longer (<code>solve: max_steps</code> in the case, or <code>--resume</code>) and make this report "
           "again.</div>\n");
}

/* The warnings of a stage: the serious ones, or the others. Returns how many; to `h` unless it is NULL. */
static int list_warnings(html *h, const char *stage, const cJSON *object, bool serious) {
    const int n = (int)fmax(json_get(object, "serious_warnings"), 0);
    const cJSON *item;
    int k = 0, shown = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "warnings")) {
        if ((k++ < n) != serious)
            continue;
        shown++;
        if (!h)
            continue;
        html_add(h, "<li><b>%s</b>: ", stage);
        html_text(h, "", cJSON_GetStringValue(item), "</li>");
    }
    return shown;
}

/* post's own, which are not in its file yet. */
static int list_own(html *h, bool serious) {
    const int from = serious ? 0 : message_serious_count();
    const int to = serious ? message_serious_count() : message_warning_count();
    for (int k = from; k < to && h; k++)
        html_text(h, "<li><b>post</b>: ", message_warning(k), "</li>");
    return to - from;
}

static int list_all(html *h, const report_input *in, bool serious) {
    static const char *const name[] = {"segment", "mesh", "solve"};
    int n = 0;
    for (int k = 0; k < REPORT_POST; k++)
        n += list_warnings(h, name[k], in->stage[k], serious);
    return n + list_own(h, serious);
}

static void add_warnings(html *h, const report_input *in) {
    for (int serious = 1; serious >= 0; serious--) {
        const int n = list_all(NULL, in, serious == 1);
        if (n == 0)
            continue;
        html_add(h, "<div class=\"box %s\"><b>%d %swarning%s", serious ? "warn" : "less", n,
                 serious ? "" : "less important ", n == 1 ? "" : "s");
        if (serious)
            html_add(h, " that may change a conclusion; read %s before any number.", n == 1 ? "it" : "them");
        html_add(h, "</b><ul>");
        list_all(h, in, serious == 1);
        html_add(h, "</ul></div>\n");
    }
}

static void add_notes(html *h, const report_input *in) {
    if (in->r->notes.n == 0)
        return;
    html_add(h, "<h3>Notes to the readouts</h3><ul>");
    for (int k = 0; k < in->r->notes.n; k++)
        html_text(h, "<li>", in->r->notes.text[k], "</li>");
    html_add(h, "</ul>\n");
}

static void add_pictures(html *h, const report_input *in) {
    html_add(h,
             "<h2>Pictures</h2>\n<p class=\"small lead\">Directions in the patient: R right, L left, A front "
             "(anterior), P back "
             "(posterior), S head (superior), I feet (inferior). Parallel projection; the scale bar holds in the whole "
             "picture.</p>\n");
    if (in->n_picture == 0) {
        html_add(h, "<p class=\"none\">No pictures were drawn");
        if (in->no_picture)
            html_text(h, ": ", in->no_picture, "");
        html_add(h, ". The numbers do not depend on them.</p>\n");
    }
    for (int k = 0; k < in->n_picture; k++) {
        char *path = file_join(in->figure_folder, in->picture[k].file);
        html_text(h, "<figure><img alt=\"", in->picture[k].caption, "\" src=\"");
        html_png(h, path ? path : "");
        html_add(h, "\"><figcaption>Figure %d. ", k + 1);
        html_text(h, "", in->picture[k].caption, "</figcaption></figure>\n");
        free(path);
    }
}

int report_write(const char *path, const report_input *in) {
    html h = {0};
    add_head(&h, in);
    add_first(&h, in);
    report_add_unsteady(&h, in);
    add_warnings(&h, in);
    report_add_flags(&h, in);
    report_add_brief(&h, in);
    report_add_gradients(&h, in);
    report_add_cycle(&h, in);
    report_add_readouts(&h, in);
    add_notes(&h, in);
    add_pictures(&h, in);
    report_add_lumen(&h, in);
    report_add_quality(&h, in);
    report_add_run(&h, in);
    report_add_settings(&h, in);
    report_add_definitions(&h, in);
    html_add(&h, "<p class=\"small last\">A research result, not a diagnosis.</p>\n</body></html>\n");
    int rc = h.rc;
    if (rc == OK)
        rc = file_write(path, h.text, h.n);
    html_free(&h);
    return rc;
}
