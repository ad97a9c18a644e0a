/* SPDX-License-Identifier: Apache-2.0 */
#include "post/plot.h"
#include "common/base/csv.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "common/draw/vtk_draw.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES_MAX = 32, FIELDS = 4, COLOURS = 8, FILE_LIMIT = 20000000 };
static const char header[] = "series,style,x,y";

void plot_free(plot_data *d) {
    for (int k = 0; k < d->n_curve; k++) {
        free(d->curve[k].name);
        free(d->curve[k].x);
        free(d->curve[k].y);
    }
    free(d->curve);
    memset(d, 0, sizeof *d);
}

/* Find the curve of this name, or add it; NULL: no memory or too many. */
static struct plot_curve *find_curve(plot_data *d, const char *name, int points, int colour) {
    for (int k = 0; k < d->n_curve; k++)
        if (strcmp(d->curve[k].name, name) == 0)
            return &d->curve[k];
    if (d->n_curve == CURVES_MAX)
        return NULL;
    struct plot_curve *larger = realloc(d->curve, (size_t)(d->n_curve + 1) * sizeof *larger);
    char *copy = larger ? strdup(name) : NULL;
    if (larger)
        d->curve = larger;
    if (!copy)
        return NULL;
    d->curve[d->n_curve] = (struct plot_curve){.name = copy, .points = points, .colour = colour};
    return &d->curve[d->n_curve++];
}

/* Doubles the array if it is full, so that number n fits. */
static int make_room(double **array, int n) {
    if ((n & (n - 1)) != 0) /* the capacity doubles when n is a power of two, so for all other n there is room */
        return OK;
    size_t room = n ? 2 * (size_t)n : 1;
    double *larger = realloc(*array, room * sizeof *larger);
    if (!larger)
        return fail_memory("a curve", 8.0 * (double)room);
    *array = larger;
    return OK;
}

static int add_point(struct plot_curve *c, double x, double y) {
    int rc = OK;
    TRY(make_room(&c->x, c->n));
    TRY(make_room(&c->y, c->n));
    c->x[c->n] = x;
    c->y[c->n++] = y;
cleanup:
    return rc;
}

/* Parses a style: "line" or "points", optionally with a colour as in "points 2". */
static int parse_style(const char *text, int *points, int *colour) {
    *points = strncmp(text, "points", 6) == 0;
    *colour = 0;
    if (!*points && strncmp(text, "line", 4) != 0)
        return 0;
    text += *points ? 6 : 4;
    if (text[0] == ' ' && text[1] >= '1' && text[1] < '1' + COLOURS) {
        *colour = text[1] - '0';
        text += 2;
    }
    return *text == '\0';
}

static int read_row(plot_data *d, const csv *row) {
    double x, y;
    int points, colour, rc = OK;
    if (row->n != FIELDS)
        return fail(ERR_INPUT, "%s:%d: a row has %d fields, but it needs: %s", row->path, row->line, FIELDS, header);
    if (!parse_style(row->field[1], &points, &colour))
        return fail(ERR_INPUT, "%s:%d: the style '%.60s' is neither line nor points (a colour, 1 to %d, may follow)",
                    row->path, row->line, row->field[1], COLOURS);
    /* "nan" makes a gap in the curve, an empty field is an error */
    TRY(*row->field[2] ? csv_number(row, 2, &x) : csv_finite(row, 2, &x));
    TRY(*row->field[3] ? csv_number(row, 3, &y) : csv_finite(row, 3, &y));
    struct plot_curve *c = find_curve(d, row->field[0], points, colour);
    if (!c)
        return d->n_curve == CURVES_MAX ? fail(ERR_INPUT, "%s:%d: the file has more than %d series; remove some",
                                               row->path, row->line, CURVES_MAX)
                                        : fail_memory("a curve", sizeof *c);
    TRY(add_point(c, x, y));
cleanup:
    return rc;
}

/* True if the row is the header. */
static bool is_header(const csv *c) {
    static const char *const name[FIELDS] = {"series", "style", "x", "y"};
    bool same = c->n == FIELDS;
    for (int k = 0; k < FIELDS && same; k++)
        same = strcmp(c->field[k], name[k]) == 0;
    return same;
}

int plot_read(const char *path, plot_data *d) {
    csv c = {0};
    int rc = OK;
    memset(d, 0, sizeof *d);
    TRY(csv_open(&c, path, FILE_LIMIT));
    if (!csv_next(&c) || !is_header(&c))
        GIVE_UP(fail(ERR_INPUT, "%s:1: the first line must be '%s'", path, header));
    while (csv_next(&c))
        if (c.n > 0)
            TRY(read_row(d, &c));
cleanup:
    csv_close(&c);
    if (rc != OK)
        plot_free(d);
    return rc;
}

static int draw_plot(const char *path, const vtk_plot_settings *s, const plot_data *d) {
    vtk_plot_curve curve[CURVES_MAX];
    for (int k = 0; k < d->n_curve; k++)
        curve[k] = (vtk_plot_curve){.name = d->curve[k].name,
                                    .points = d->curve[k].points,
                                    .n = d->curve[k].n,
                                    .x = d->curve[k].x,
                                    .y = d->curve[k].y,
                                    .colour = d->curve[k].colour};
    return vtk_plot_write(path, s, d->n_curve, curve);
}

int plot_main(int argc, char **argv) {
    const char *data = NULL, *out = NULL;
    vtk_plot_settings s = {.title = "", .x_label = "x", .y_label = "y", .width = 1000, .height = 700};
    bool logarithmic = false, logarithmic_x = false, plane = false, done = false;
    plot_data d = {0};
    const options_entry table[] = {
        {"data", 0, OPTION_TEXT, &data, "FILE", "CSV with the columns series,style,x,y; style is line or points",
         .required = true},
        {"out", 0, OPTION_TEXT, &out, "FILE", "the PNG", .required = true},
        {"title", 0, OPTION_TEXT, &s.title, "TEXT", "above the picture", .required = false},
        {"x", 0, OPTION_TEXT, &s.x_label, "TEXT", "name and unit of the x axis", .required = false},
        {"y", 0, OPTION_TEXT, &s.y_label, "TEXT", "name and unit of the y axis", .required = false},
        {"log", 0, OPTION_FLAG, &logarithmic, NULL, "both axes logarithmic", .required = false},
        {"log-x", 0, OPTION_FLAG, &logarithmic_x, NULL, "the x axis logarithmic", .required = false},
        {"plane", 0, OPTION_FLAG, &plane, NULL, "curves in a plane: one scale for both axes, no legend",
         .required = false},
        {"width", 0, OPTION_INT, &s.width, "N", "pixels", .low = 200, .high = 8000},
        {"height", 0, OPTION_INT, &s.height, "N", "pixels", .low = 200, .high = 8000},
        {0}};
    const options_program program = {
        "post plot", "--data FILE --out FILE.png [options]", "Curves from a CSV file as a picture.", table,
        "post plot --data profile.csv --x 'r (mm)' --y 'velocity (m/s)' --out profile.png"};
    int rc = OK;
    TRY(options_parse(&program, argc, argv, NULL, 0, NULL, &done));
    if (done)
        goto cleanup;
    message_init("post", options_verbose());
    s.log_x = logarithmic || logarithmic_x;
    s.log_y = logarithmic;
    s.plane = plane;
    if (plane && s.log_x)
        GIVE_UP(fail(ERR_USAGE, "--plane and --log%s cannot be combined; remove one of them", logarithmic ? "" : "-x"));
    TRY(plot_read(data, &d));
    TRY(draw_plot(out, &s, &d));
cleanup:
    plot_free(&d);
    return rc;
}
