/* See view_page.h. */
#include "post/report/view_page.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "post/picture/picture.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Made by CMake; empty texts where the libraries were not there. */
extern const char view_html[], view_vtk_js[], view_uplot_js[], view_uplot_css[];

bool view_page_available(void) {
    return view_vtk_js[0] != '\0';
}

static int add_base64(cJSON *to, const char *key, const void *data, size_t size) {
    html h = {0};
    cJSON *item = NULL;
    html_base64(&h, data, size);
    const int rc = h.rc;
    if (rc == OK)
        item = cJSON_CreateString(h.text ? h.text : "");
    html_free(&h);
    if (rc != OK || !item)
        return rc != OK ? rc : fail_memory("the view", (double)size);
    if (key)
        cJSON_AddItemToObject(to, key, item);
    else
        cJSON_AddItemToArray(to, item);
    return OK;
}

enum { STEPS = 65534, NOTHING = 65535 };

/* n values in 16 bits each: 0 to STEPS from `low` to `high`, NOTHING where there is none. */
static int add_values(cJSON *to, size_t n, size_t stride, const double *value, double low, double high) {
    uint16_t *narrow = malloc((n + 1) * sizeof *narrow);
    const double step = high > low ? STEPS / (high - low) : 0;
    if (!narrow)
        return fail_memory("the view", 2.0 * (double)n);
    for (size_t k = 0; k < n; k++) {
        const double x = value[k * stride];
        narrow[k] = isfinite(x) ? (uint16_t)lround(fmin(fmax((x - low) * step, 0), STEPS)) : NOTHING;
    }
    const int rc = add_base64(to, NULL, narrow, n * sizeof *narrow);
    free(narrow);
    return rc;
}

static void range_of(size_t n, const double *value, double range[2]) {
    for (size_t k = 0; k < n; k++)
        if (isfinite(value[k])) {
            range[0] = fmin(range[0], value[k]);
            range[1] = fmax(range[1], value[k]);
        }
}

static void add_range(cJSON *to, const double range[2]) {
    const double shown[2] = {range[1] >= range[0] ? range[0] : 0, range[1] >= range[0] ? range[1] : 0};
    json_numbers(to, "range", 2, shown);
}

static int add_arrays(cJSON *to, const view_wall *shown) {
    const size_t n_point = (size_t)shown->shape->n_point;
    cJSON *list = cJSON_AddArrayToObject(to, "arrays");
    int rc = OK;
    for (int k = 0; k < shown->n_array; k++) {
        const view_array *a = &shown->array[k];
        double range[2] = {INFINITY, -INFINITY};
        cJSON *o = cJSON_CreateObject();
        cJSON_AddItemToArray(list, o);
        cJSON_AddStringToObject(o, "name", a->name);
        cJSON_AddStringToObject(o, "title", a->title);
        cJSON_AddStringToObject(o, "unit", a->unit);
        cJSON_AddBoolToObject(o, "above", a->above);
        json_number(o, "low", a->low);
        json_number(o, "high", a->high);
        json_number(o, "intervals", a->intervals);
        json_number(o, "off", a->off);
        json_number(o, "part", a->off_part);
        if (a->time_s)
            json_numbers(o, "times", a->n, a->time_s);
        for (int i = 0; i < a->n; i++)
            range_of(n_point, a->value[i], range);
        add_range(o, range);
        cJSON *values = cJSON_AddArrayToObject(o, "value");
        for (int i = 0; i < a->n; i++)
            TRY(add_values(values, n_point, 1, a->value[i], range[0], range[1]));
    }
cleanup:
    return rc;
}

static int add_shape(cJSON *to, const view_wall *shown) {
    const surface *s = shown->shape;
    double low[3], high[3];
    int rc;
    surface_bounds(s, low, high);
    cJSON *axes = cJSON_AddArrayToObject(to, "points");
    json_numbers(to, "low", 3, low);
    json_numbers(to, "high", 3, high);
    for (int a = 0; a < 3; a++)
        TRY(add_values(axes, (size_t)s->n_point, 3, s->point_mm + a, low[a], high[a]));
    TRY(add_base64(to, "triangles", s->triangle, 12 * (size_t)s->n_triangle));
    if (shown->n_triangle_whole > 0) {
        json_number(to, "whole", (double)shown->n_triangle_whole);
        json_number(to, "off", shown->off_mm);
    }
cleanup:
    return rc;
}

static int add_lines(cJSON *to, const streamlines *l) {
    cJSON *o = cJSON_AddObjectToObject(to, "lines");
    double low, high;
    int intervals;
    int rc;
    TRY(add_base64(o, "points", l->point_mm, 12 * (size_t)l->n_point));
    TRY(add_base64(o, "speed", l->speed_m_s, 4 * (size_t)l->n_point));
    TRY(add_base64(o, "time", l->time_s, 4 * (size_t)l->n_point));
    TRY(add_base64(o, "first", l->first, 4 * ((size_t)l->n + 1)));
    picture_range(0, 100 * l->fastest_m_s, &low, &high, &intervals);
    json_number(o, "high", high / 100);
    json_number(o, "intervals", intervals);
    json_number(o, "longest", l->longest_s);
cleanup:
    return rc;
}

/* Pressure along the vessel. */
static void add_curves(cJSON *to, const report_input *in) {
    cJSON *o = cJSON_AddObjectToObject(to, "curves");
    json_number(o, "off", readouts_off_pressure(in->r));
    cJSON_AddStringToObject(
        o, "title", in->r->pulsatile ? "Pressure along the vessel, mean of the cycle" : "Pressure along the vessel");
    cJSON_AddStringToObject(o, "x", "mm");
    cJSON_AddStringToObject(o, "y", "Pa");
    cJSON *list = cJSON_AddArrayToObject(o, "series");
    for (int k = 0; k < in->n_course; k++) {
        const course *c = &in->course[k];
        char name[2 * LATTICE_NAME_MAX + 8];
        cJSON *one = cJSON_CreateObject(), *x = cJSON_CreateArray(), *y = cJSON_CreateArray();
        snprintf(name, sizeof name, "%s to %s", in->l->opening[c->from].name, in->l->opening[c->to].name);
        cJSON_AddStringToObject(one, "name", name);
        for (int j = 0; j < c->n; j++) {
            cJSON_AddItemToArray(x, cJSON_CreateNumber(json_round(c->station[j].distance_mm)));
            cJSON_AddItemToArray(y, cJSON_CreateNumber(json_round(c->station[j].pressure_pa)));
        }
        cJSON_AddItemToObject(one, "x", x);
        cJSON_AddItemToObject(one, "y", y);
        if (c->n > 1)
            cJSON_AddItemToArray(list, one);
        else
            cJSON_Delete(one);
    }
}

static void add_openings(cJSON *to, const lattice *l) {
    cJSON *list = cJSON_AddArrayToObject(to, "openings");
    for (int k = 0; k < l->n_opening; k++) {
        cJSON *o = cJSON_CreateObject();
        double at[3];
        for (int a = 0; a < 3; a++)
            at[a] = l->opening[k].centre_mm[a] + 1.5 * l->opening[k].radius_mm * l->opening[k].normal[a];
        cJSON_AddStringToObject(o, "name", l->opening[k].name);
        json_numbers(o, "at", 3, at);
        cJSON_AddItemToArray(list, o);
    }
}

/* JSON within a script element: no '<' of a name ends it. */
static void put_json(html *h, const cJSON *o) {
    char *text = h->rc == OK ? cJSON_PrintUnformatted(o) : NULL;
    if (!text && h->rc == OK)
        h->rc = fail_memory("the view", 1e6);
    for (char *from = text, *mark; from; from = mark ? mark + 1 : NULL) {
        mark = strchr(from, '<');
        if (mark)
            *mark = '\0';
        html_add(h, "%s%s", from, mark ? "\\u003c" : "");
    }
    cJSON_free(text);
}

static void put_figures(html *h, const report_input *in) {
    html_add(h, "[");
    for (int k = 0; k < in->n_picture && h->rc == OK; k++) {
        char *path = file_join(in->figure_folder, in->picture[k].file), *data = NULL;
        size_t size = 0;
        h->rc = path ? file_read(path, 64000000, &data, &size) : fail_memory("a path", 256);
        html_add(h, "%s\"", k ? "," : "");
        html_base64(h, data, data ? size : 0);
        html_add(h, "\"");
        free(path);
        free(data);
    }
    html_add(h, "]");
}

static void put_page(html *h, const report_input *in, const cJSON *data) {
    static const struct {
        const char *mark, *text;
    } library[] = {{"@VTK@", view_vtk_js}, {"@UPLOT@", view_uplot_js}, {"@UPLOTCSS@", view_uplot_css}};
    const char *from = view_html;
    for (const char *mark; (mark = strchr(from, '@'));) {
        html_add(h, "%.*s", (int)(mark - from), from);
        from = mark + 1;
        bool found = false;
        for (int k = 0; k < 3 && !found; k++)
            if (strncmp(mark, library[k].mark, strlen(library[k].mark)) == 0) {
                html_add(h, "%s", library[k].text);
                from = mark + strlen(library[k].mark);
                found = true;
            }
        if (strncmp(mark, "@DATA@", 6) == 0) {
            put_json(h, data);
            from = mark + 6;
        } else if (strncmp(mark, "@FIGURES@", 9) == 0) {
            put_figures(h, in);
            from = mark + 9;
        } else if (!found)
            html_add(h, "@");
    }
    html_add(h, "%s", from);
}

int view_page_write(const char *path, const report_input *in, const view_wall *shown, const streamlines *lines) {
    cJSON *data = cJSON_CreateObject();
    html h = {0};
    int rc = data ? OK : fail_memory("the view", 1e6);
    TRY(rc);
    cJSON_AddStringToObject(data, "name", in->r->case_name);
    const char *unusable = solution_unusable(in->r->solution);
    if (unusable)
        cJSON_AddStringToObject(data, "unusable", unusable);
    cJSON_AddBoolToObject(data, "ladder", report_lattices(in, NULL) > 1);
    TRY(add_shape(data, shown));
    TRY(add_arrays(data, shown));
    TRY(add_lines(data, lines));
    add_curves(data, in);
    add_openings(data, in->l);
    put_page(&h, in, data);
    TRY(h.rc);
    TRY(file_write(path, h.text, h.n));
cleanup:
    html_free(&h);
    cJSON_Delete(data);
    return rc;
}
