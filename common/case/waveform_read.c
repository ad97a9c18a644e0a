/* See waveform.h: the CSV file. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/case/waveform.h"
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MAX = 100000 };
static const double flow_limit_ml_s = 100e3 / 60;      /* 100 L/min, as the key flow */
static const double period_limits_s[2] = {1e-3, 1000}; /* as the key period */
static const size_t file_limit = 8000000;

typedef struct {
    const char *path;
    int n, line;
    bool header;
    double *time_s, *flow_ml_s; /* [SAMPLE_MAX] */
} samples;

static char *trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

static int number(const samples *s, const char *text, const char *what, double *value) {
    char reason[UNITS_REASON_MAX];
    if (units_check(text, UNIT_NONE, value, reason) == OK)
        return OK;
    return fail(ERR_INPUT, "%s:%d: '%.40s' is not a number (%s; the decimal sign is '.')", s->path, s->line, text,
                what);
}

static int check_header(samples *s, char *line) {
    char *comma = strchr(line, ',');
    if (comma) {
        *comma = '\0';
        s->header = strcmp(trim(line), "t_s") == 0 && strcmp(trim(comma + 1), "flow_ml_s") == 0;
    }
    if (!s->header)
        return fail(ERR_INPUT, "%s:%d: the first line must be the header 't_s,flow_ml_s'", s->path, s->line);
    return OK;
}

static int take_line(samples *s, char *line) {
    line = trim(line);
    if (line[0] == '\0' || line[0] == '#')
        return OK;
    if (!s->header)
        return check_header(s, line);
    char *comma = strchr(line, ',');
    if (!comma || strchr(comma + 1, ','))
        return fail(ERR_INPUT, "%s:%d: two numbers with one ',' between them are needed (t_s,flow_ml_s)", s->path,
                    s->line);
    if (s->n == SAMPLE_MAX)
        return fail(ERR_INPUT, "%s:%d: a waveform has at most %d rows", s->path, s->line, SAMPLE_MAX);
    *comma = '\0';
    int rc = number(s, trim(line), "t_s", &s->time_s[s->n]);
    if (rc == OK)
        rc = number(s, trim(comma + 1), "flow_ml_s", &s->flow_ml_s[s->n]);
    if (rc != OK)
        return rc;
    double t = s->time_s[s->n];
    if (s->n == 0 ? t != 0 : !(t > s->time_s[s->n - 1]))
        return fail(ERR_INPUT, "%s:%d: t_s is %g, %s %g", s->path, s->line, t,
                    s->n == 0 ? "the first must be" : "it must be above the one before,",
                    s->n == 0 ? 0 : s->time_s[s->n - 1]);
    s->n++;
    return OK;
}

static int take_text(samples *s, char *text, size_t size) {
    if (strlen(text) != size)
        return fail(ERR_INPUT, "%s: this is not a text file", s->path);
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) /* byte order mark */
        text += 3;
    while (text) {
        char *end = strchr(text, '\n');
        if (end)
            *end++ = '\0';
        s->line++;
        int rc = take_line(s, text);
        if (rc != OK)
            return rc;
        text = end;
    }
    return OK;
}

static int build(samples *s, waveform *w) {
    if (s->n < 3)
        return fail(ERR_INPUT, "%s: a waveform needs at least 3 rows, this one has %d", s->path, s->n);
    double peak = 0, last = s->time_s[s->n - 1];
    for (int i = 0; i < s->n; i++)
        peak = fmax(peak, fabs(s->flow_ml_s[i]));
    bool closed = fabs(s->flow_ml_s[s->n - 1] - s->flow_ml_s[0]) <= 1e-9 * peak;
    double period = closed ? last : last + (last - s->time_s[s->n - 2]);
    if (peak > flow_limit_ml_s)
        return fail(ERR_INPUT, "%s: a flow of %.4g mL/s is above %.0f mL/s (100 L/min); is the unit right (mL/s)?",
                    s->path, peak, flow_limit_ml_s);
    if (period < period_limits_s[0] || period > period_limits_s[1])
        return fail(ERR_INPUT, "%s: its period of %.4g s is outside %g to %g s; is the unit right (s)?", s->path,
                    period, period_limits_s[0], period_limits_s[1]);
    for (int i = 0; i < s->n; i++)
        s->flow_ml_s[i] *= 1e-6;
    return waveform_create(w, s->n - closed, s->time_s, s->flow_ml_s, period);
}

int waveform_read(const char *path, waveform *w) {
    samples s = {.path = path};
    char *text = NULL;
    size_t size;
    int rc;
    memset(w, 0, sizeof *w);
    TRY(file_read(path, file_limit, &text, &size));
    s.time_s = malloc(SAMPLE_MAX * sizeof *s.time_s);
    s.flow_ml_s = malloc(SAMPLE_MAX * sizeof *s.flow_ml_s);
    if (!s.time_s || !s.flow_ml_s) {
        rc = fail_memory("a waveform", 16.0 * SAMPLE_MAX);
        goto cleanup;
    }
    TRY(take_text(&s, text, size));
    TRY(build(&s, w));
cleanup:
    free(text);
    free(s.time_s);
    free(s.flow_ml_s);
    return rc;
}
