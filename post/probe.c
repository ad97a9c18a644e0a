/* See probe.h. */
#include "post/probe.h"
#include "post/box_fields.h"
#include "post/sampler.h"
#include "post/vec.h"
#include "common/file.h"
#include "common/status.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const size_t POINTS_BYTES = (size_t)1 << 30;

typedef struct {
    size_t n, max;
    double *mm; /* [n][3] as written */
} points;

static int add_point(points *p, const double mm[3]) {
    if (p->n == p->max) {
        size_t larger = 2 * p->max + 1024;
        double *array = realloc(p->mm, 3 * larger * sizeof *array);
        if (!array)
            return fail_memory("the points", 24.0 * (double)larger);
        p->mm = array;
        p->max = larger;
    }
    memcpy(p->mm + 3 * p->n++, mm, 3 * sizeof *mm);
    return OK;
}

static const char *skip_blank(const char *p) {
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* x, y, z of a line; 0 when it is not three numbers */
static int parse_line(const char *line, double mm[3]) {
    for (int a = 0; a < 3; a++) {
        char *end;
        line = skip_blank(line);
        if (isalpha((unsigned char)*line)) /* no inf, nan or 0x */
            return 0;
        mm[a] = strtod(line, &end);
        if (end == line || !isfinite(mm[a]))
            return 0;
        line = skip_blank(end);
        if (*line != (a < 2 ? ',' : '\0'))
            return 0;
        line++;
    }
    return 1;
}

static int read_points(const char *path, points *p) {
    char *text = NULL, *line, *next;
    int rc, number = 0, seen = 0;
    TRY(file_read(path, POINTS_BYTES, &text, NULL));
    line = text && strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text; /* UTF-8 as spreadsheets start it */
    for (; line && *line; line = next) {
        double mm[3];
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        size_t n = strlen(line);
        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = '\0';
        if (n == 0 || line[0] == '#')
            continue;
        int header = !seen && isalpha((unsigned char)*skip_blank(line));
        seen = 1;
        if (header)
            continue;
        if (!parse_line(line, mm)) {
            rc = fail(ERR_INPUT, "%s:%d: '%.40s' is not a point: three numbers x,y,z in mm are expected", path, number,
                      line);
            goto cleanup;
        }
        TRY(add_point(p, mm));
    }
    if (p->n == 0)
        rc = fail(ERR_INPUT, "'%s' holds no point: lines of x,y,z in mm are expected", path);
cleanup:
    free(text);
    return rc;
}

/* Solid fraction between the cells; 1 where no cell is stored. */
static double solid_at(const sampler *s, const double mm[3]) {
    const lattice *l = s->lattice;
    double t[3], sum = 0;
    int base[3];
    for (int a = 0; a < 3; a++) {
        double x = (mm[a] - l->origin_mm[a]) / l->spacing_mm;
        if (!(x > -1 && x < l->dims[a]))
            return 1;
        base[a] = (int)floor(x);
        t[a] = x - base[a];
    }
    for (int k = 0; k < 8; k++) {
        int d[3] = {k & 1, k >> 1 & 1, k >> 2};
        int64_t c = lattice_rows_find(&s->rows, base[0] + d[0], base[1] + d[1], base[2] + d[2]);
        double w = 1;
        for (int a = 0; a < 3; a++)
            w *= d[a] ? t[a] : 1 - t[a];
        sum += w * (c < 0 ? 1 : l->solid[c] / (double)LATTICE_SUBCELL_COUNT);
    }
    return sum;
}

static void write_point(const sampler *s, const fields *f, const double given[3], enum probe_frame frame, FILE *to) {
    double sign = frame == PROBE_RAS ? -1 : 1, mm[3] = {sign * given[0], sign * given[1], given[2]}, u[3];
    sampler_stencil st;
    fprintf(to, "%.9g,%.9g,%.9g,", given[0], given[1], given[2]);
    if (!(solid_at(s, mm) < 0.5) || !sampler_find(s, SAMPLER_FLOW, mm, NULL, &st)) {
        fprintf(to, "0,,,,,\n");
        return;
    }
    for (int a = 0; a < 3; a++)
        u[a] = (a < 2 ? sign : 1) * sampler_apply(&st, f->velocity_m_s, 3, a);
    fprintf(to, "1,%.6g,%.6g,%.6g,%.6g,%.6g\n", u[0], u[1], u[2], vec_length(u),
            sampler_apply(&st, f->pressure_pa, 1, 0));
}

int probe_write(const char *fields_path, const char *points_path, enum probe_frame frame, FILE *to) {
    points p = {0};
    lattice l = {0};
    fields f = {0};
    sampler s = {0};
    int rc;
    TRY(read_points(points_path, &p));
    TRY(box_fields_read(fields_path, &l, &f));
    TRY(sampler_create(&s, &l, &f));
    fprintf(to, "x_mm,y_mm,z_mm,inside,velocity_x_m_s,velocity_y_m_s,velocity_z_m_s,speed_m_s,pressure_pa\n");
    for (size_t k = 0; k < p.n; k++)
        write_point(&s, &f, p.mm + 3 * k, frame, to);
    if (ferror(to))
        rc = fail(ERR_OUTPUT, "the values could not be written");
cleanup:
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    free(p.mm);
    return rc;
}
