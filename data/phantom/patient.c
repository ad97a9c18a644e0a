/* See patient.h. */
#include "data/phantom/patient.h"
#include "common/file.h"
#include "common/status.h"
#include "data/phantom/pulse.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, VOLUME_POINTS = 3e6;

/* A text that grows; `full` when memory ran out. */
typedef struct {
    char *text;
    size_t used, size;
    bool full, ras; /* ras: points are turned from LPS */
} page;

static void page_add(page *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void page_add(page *g, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (g->full || length < 0)
        return;
    if (g->used + (size_t)length + 1 > g->size) {
        const size_t size = 2 * (g->used + (size_t)length + 1);
        char *text = realloc(g->text, size);
        g->full = !text;
        if (!text)
            return;
        g->text = text;
        g->size = size;
    }
    va_start(list, format);
    g->used += (size_t)vsnprintf(g->text + g->used, g->size - g->used, format, list);
    va_end(list);
}

static int page_write(page *g, const char *folder, const char *name) {
    char *path = file_join(folder, name);
    int rc = !path || g->full ? fail_memory("a text file", (double)g->size) : file_write(path, g->text, g->used);
    free(path);
    free(g->text);
    memset(g, 0, sizeof *g);
    return rc;
}

static void page_point(page *g, const double lps[3], int digits) {
    const double sign = g->ras ? -1 : 1;
    page_add(g, "[%.*f, %.*f, %.*f]", digits, sign * lps[0] + 0.0, digits, sign * lps[1] + 0.0, digits, lps[2]);
}

static bool branch_is_opening(const phantom *p, const phantom_branch *b) {
    for (int i = 0; i < p->n_opening; i++)
        if (strcmp(p->opening[i].name, b->name) == 0)
            return true;
    return false;
}

static void flow_name(const char *name, char *lower) {
    for (; *name; name++)
        *lower++ = (char)tolower((unsigned char)*name);
    *lower = '\0';
}

static void case_openings(page *g, const phantom *p, bool pulsatile) {
    page_add(g, "openings:\n");
    for (int i = 0; i < p->n_opening; i++) {
        const phantom_opening *o = &p->opening[i];
        char lower[PHANTOM_NAME_MAX];
        flow_name(o->name, lower);
        page_add(g, "  - {name: %s, role: %s, point: ", o->name, o->inlet ? "inlet" : "outlet");
        page_point(g, o->point_mm, 4);
        page_add(g, ", normal: ");
        page_point(g, o->normal, 6);
        if (!o->inlet)
            page_add(g, ", pressure: 0 mmHg}\n");
        else if (pulsatile)
            page_add(g, ", flow: {waveform: flow/%s.csv}}\n", lower);
        else
            page_add(g, ", flow: %g L/min}   # over the cycle: {waveform: flow/%s.csv}\n", o->flow_l_min, lower);
    }
}

static void case_sections(page *g, const phantom *p) {
    bool any = false;
    for (int i = 0; i < p->n_branch; i++) {
        const phantom_branch *b = &p->branch[i];
        if (branch_is_opening(p, b))
            continue;
        if (!any)
            page_add(g, "sections:\n");
        any = true;
        page_add(g, "  - {name: %s, point: ", b->name);
        page_point(g, b->middle_mm, 4);
        page_add(g, ", normal: ");
        page_point(g, b->direction, 6);
        page_add(g, "}\n");
    }
}

/* From the first inlet to the sections of note and the outlets; the portal pressure gradient where there is one. */
static void case_readouts(page *g, const phantom *p) {
    const char *from = NULL;
    for (int i = 0; i < p->n_opening && !from; i++)
        if (p->opening[i].inlet && strncmp(p->opening[i].name, "IVC", 3) != 0)
            from = p->opening[i].name;
    page_add(g, "readouts:\n");
    for (int i = 0; i < p->n_branch; i++)
        if (strcmp(p->branch[i].name, "PV") == 0 && !branch_is_opening(p, &p->branch[i]))
            page_add(g, "  - {pressure_drop: {from: %s, to: PV}}\n", from);
    for (int i = 0; i < p->n_opening; i++)
        if (!p->opening[i].inlet)
            page_add(g, "  - {pressure_drop: {from: %s, to: %s}}\n", from, p->opening[i].name);
    if (p->kind == PHANTOM_HEPATIC_PORTAL)
        page_add(g, "  - ppg: {portal: PV, cava: IVCout}\n");
    else if (strcmp(from, "SMV") == 0)
        page_add(g, "  - ppg: {portal: PV, liver: {model: resistance, value: 4.0 mmHg min/L}}\n");
}

static void case_image(page *g, const phantom *p, const char *image) {
    page_add(g, "image: {path: %s}\nsegment:\n  method: level-set\n  seeds:\n", image);
    for (int i = 0; i < p->n_branch; i++) {
        page_add(g, "    - ");
        page_point(g, p->branch[i].middle_mm, 2);
        page_add(g, "   # %s\n", p->branch[i].name);
    }
}

/* The lumen itself in place of an image, in the paper's box or one 2 mm wider than the lumen. */
static void case_shape(page *g, const phantom *p) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        const double more = p->dims[0] > 0 ? 0 : 2 * p->scale;
        low[k] = p->low_mm[k] - more;
        high[k] = p->high_mm[k] + more;
    }
    page_add(g, "  box: {low: ");
    page_point(g, low, 4);
    page_add(g, ", high: ");
    page_point(g, high, 4);
    page_add(g, "}\n  shape:\n    type: %s\n    segments:\n", p->shape.n_ellipsoid > 0 ? "chamber" : "tree");
    for (int i = 0; i < p->shape.n_segment; i++) {
        const shape_segment *s = &p->segment[i];
        page_add(g, "      - {from: ");
        page_point(g, s->a, 5);
        page_add(g, ", to: ");
        page_point(g, s->b, 5);
        page_add(g, ", radius_from: %.5f mm, radius_to: %.5f mm}\n", s->radius_a, s->radius_b);
    }
    for (int i = 0; i < p->shape.n_ellipsoid; i++) {
        page_add(g, "    ellipsoids:\n      - {centre: ");
        page_point(g, p->ellipsoid[i].centre, 5);
        page_add(g, ", half_axes: [%.5f mm, %.5f mm, %.5f mm]}\n", p->ellipsoid[i].half[0], p->ellipsoid[i].half[1],
                 p->ellipsoid[i].half[2]);
    }
}

int patient_write_case(const phantom *p, const patient_settings *settings, const char *folder) {
    page g = {.ras = settings->image != NULL};
    page_add(&g, "# A synthetic patient, made by: phantom --kind %s. Points in mm.\n", phantom_name(p->kind));
    page_add(&g, "name: %s-phantom\nspace: %s\n", phantom_name(p->kind), g.ras ? "RAS" : "LPS");
    if (settings->image)
        case_image(&g, p, settings->image);
    case_openings(&g, p, settings->pulsatile);
    case_sections(&g, p);
    page_add(&g, "blood: {density: 1060 kg/m3, viscosity: 3.5 mPa s}\nmesh:\n");
    if (settings->cells_across == 0 && p->dims[0] > 0)
        page_add(&g, "  spacing: %g mm\n", p->spacing_mm);
    else
        page_add(&g, "  cells_across: %g\n", settings->cells_across > 0 ? settings->cells_across : 16);
    if (!settings->image)
        case_shape(&g, p);
    page_add(&g, "solve: {mode: %s}\n", settings->pulsatile ? "pulsatile" : "steady");
    case_readouts(&g, p);
    return page_write(&g, folder, "case.yaml");
}

int patient_write_flow(const phantom *p, const char *folder) {
    int rc = OK;
    char *flow = file_join(folder, "flow");
    if (!flow)
        return fail_memory("a path", 0);
    TRY(file_make_folder(flow));
    for (int i = 0; i < p->n_opening; i++) {
        const phantom_opening *o = &p->opening[i];
        char name[PHANTOM_NAME_MAX + 8];
        if (!o->inlet)
            continue;
        flow_name(o->name, name);
        strcat(name, ".csv");
        char *path = file_join(flow, name);
        if (!path)
            rc = fail_memory("a path", 0);
        else
            rc = pulse_write(p->kind == PHANTOM_CAROTID ? PULSE_ARTERIAL : PULSE_VENOUS, o->flow_l_min * 1000 / 60,
                             path);
        free(path);
        if (rc != OK)
            break;
    }
cleanup:
    free(flow);
    return rc;
}

static void centreline_point(page *g, const char *branch, const double point[3], double radius_mm) {
    page_add(g, "%s,%.4f,%.4f,%.4f,%.4f\n", branch, point[0], point[1], point[2], radius_mm);
}

int patient_write_truth(const phantom *p, const char *folder) {
    int rc = OK;
    page g = {0};
    double box = 1;
    char *truth = file_join(folder, "truth");
    if (!truth)
        return fail_memory("a path", 0);
    TRY(file_make_folder(truth));
    page_add(&g, "branch,x_lps_mm,y_lps_mm,z_lps_mm,radius_mm\n");
    for (int i = 0; i < p->n_branch; i++) {
        const phantom_branch *b = &p->branch[i];
        for (int j = b->first; j < b->first + b->count; j++)
            centreline_point(&g, b->name, p->segment[j].a, p->segment[j].radius_a);
        const shape_segment *last = &p->segment[b->first + b->count - 1];
        centreline_point(&g, b->name, last->b, last->radius_b);
    }
    TRY(page_write(&g, truth, "centreline.csv"));
    for (int k = 0; k < 3; k++)
        box *= p->high_mm[k] - p->low_mm[k];
    page_add(&g, "name,value,unit\nlumen_volume,%.5g,mm3\n", phantom_volume_mm3(p, cbrt(box / VOLUME_POINTS)));
    for (int i = 0; i < p->n_opening; i++) {
        const double radius = p->opening[i].radius_mm;
        page_add(&g, "%s_radius,%.6g,mm\n%s_area,%.6g,mm2\n", p->opening[i].name, radius, p->opening[i].name,
                 PI * radius * radius);
    }
    TRY(page_write(&g, truth, "truth.csv"));
cleanup:
    free(truth);
    return rc;
}
