/* See post.h: what view.html shows. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "post/post.h"
#include "post/report/view.h"
#include "post/view_small.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 160, ARRAYS = VIEW_ARRAYS, TRIANGLES = 200000 };

typedef struct {
    int n;
    view_array array[ARRAYS];
    const double *one[ARRAYS]; /* where a quantity without instants lies */
    const double **instant;    /* [shown.n] */
    double *time_s;
} chosen;

/* from `low` or the lowest value to a nice number at the 99th percentile */
static int add(chosen *c, const post_work *p, const char *name, const char *title, const char *unit, bool from_zero,
               const double *value) {
    wall_statistics stats;
    double low = INFINITY, high = -INFINITY;
    view_array *a = &c->array[c->n];
    const int rc = wall_measure(&p->w, value, &stats);
    for (int64_t k = 0; k < p->w.shape.n_point; k++)
        if (isfinite(value[k])) {
            low = fmin(low, value[k]);
            high = fmax(high, value[k]);
        }
    c->one[c->n] = value;
    *a = (view_array){.name = name, .title = title, .unit = unit, .n = 1, .value = &c->one[c->n]};
    if (from_zero && isfinite(stats.p99))
        picture_range(0, fmax(stats.p99, 1e-9), &a->low, &a->high, &a->intervals);
    else
        picture_range(low, high, &a->low, &a->high, &a->intervals);
    a->above = high > a->high * (1 + 1e-9);
    if (strcmp(name, "pressure") == 0)
        a->off = readouts_off_pressure(&p->r);
    else if (strcmp(unit, "Pa") == 0)
        a->off_part = readouts_off_wss(&p->r);
    c->n++;
    return rc;
}

static int choose(const post_work *p, chosen *c) {
    int rc;
    if (p->tawss) {
        TRY(add(c, p, "tawss", "TAWSS", "Pa", true, p->tawss));
        TRY(add(c, p, "osi", "Oscillatory shear index", "1", true, p->osi));
    } else
        TRY(add(c, p, "wss", "Wall shear stress", "Pa", true, p->wss_magnitude));
    TRY(add(c, p, "pressure", "Pressure", "Pa", false, p->pressure));
    if (p->shown.n > 0) {
        c->instant = calloc((size_t)p->shown.n, sizeof *c->instant);
        c->time_s = calloc((size_t)p->shown.n, sizeof *c->time_s);
        if (!c->instant || !c->time_s)
            GIVE_UP(fail_memory("the view", 16.0 * p->shown.n));
        for (int k = 0; k < p->shown.n; k++) {
            c->instant[k] = p->shown.one[k].shear;
            c->time_s[k] = p->shown.one[k].time_s;
        }
        TRY(add(c, p, "wss", "Wall shear stress at the instants", "Pa", true, p->shown.one[0].shear));
        view_array *a = &c->array[c->n - 1];
        a->n = p->shown.n;
        a->value = c->instant;
        a->time_s = c->time_s;
        for (int k = 1; k < p->shown.n; k++) { /* one scale for all of them */
            chosen other = {0};
            TRY(add(&other, p, "wss", "", "Pa", true, p->shown.one[k].shear));
            if (other.array[0].high > a->high) {
                a->high = other.array[0].high;
                a->intervals = other.array[0].intervals;
            }
        }
    }
cleanup:
    return rc;
}

int post_view_write(const char *path, const report_input *in, const post_work *p) {
    chosen c = {0};
    streamlines lines = {0};
    view_small small = {0};
    view_wall shown;
    int rc;
    TRY(choose(p, &c));
    shown = (view_wall){.shape = &p->w.shape, .n_array = c.n, .array = c.array};
    TRY(view_small_make(&shown, TRIANGLES, &small));
    TRY(streamlines_make(&p->s, &p->f, LINES, &lines));
    TRY(view_write(path, in, &shown, &lines));
cleanup:
    free(c.instant);
    free(c.time_s);
    view_small_free(&small);
    streamlines_free(&lines);
    return rc;
}
