/* SPDX-License-Identifier: Apache-2.0 */
#include "data/phantom/phantom_patient.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/cli/word_list.h"
#include "data/phantom/pulse.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double VOLUME_POINTS = 3e6;

/* A text file in memory; errors of the stream are checked when the file is written. */
typedef struct {
    FILE *file;
    char *text;
    size_t used;
    bool ras; /* true: points are converted from LPS to RAS */
} page;

static int page_open(page *g, bool ras) {
    memset(g, 0, sizeof *g);
    g->ras = ras;
    g->file = open_memstream(&g->text, &g->used);
    return g->file ? OK : fail_memory("a text file", 0);
}

/* Close the text and write it to folder/name. */
static int page_write(page *g, const char *folder, const char *name) {
    const bool full = ferror(g->file) != 0;
    char *path = file_join(folder, name);
    int rc = fclose(g->file) != 0 || full || !path ? fail_memory("a text file", (double)g->used)
                                                   : file_write(path, g->text, g->used);
    free(path);
    free(g->text);
    return rc;
}

static void page_point(page *g, const double lps[3], int digits) {
    const double sign = g->ras ? -1 : 1;
    fprintf(g->file, "[%.*f, %.*f, %.*f]", digits, sign * lps[0] + 0.0, digits, sign * lps[1] + 0.0, digits, lps[2]);
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
    fprintf(g->file, "openings:\n");
    for (int i = 0; i < p->n_opening; i++) {
        const phantom_opening *o = &p->opening[i];
        char lower[PHANTOM_NAME_MAX];
        flow_name(o->name, lower);
        fprintf(g->file, "  - {name: %s, role: %s, point: ", o->name, o->inlet ? "inlet" : "outlet");
        page_point(g, o->point_mm, 4);
        fprintf(g->file, ", normal: ");
        page_point(g, o->normal, 6);
        if (!o->inlet)
            fprintf(g->file, ", pressure: 0 mmHg}\n");
        else if (pulsatile)
            fprintf(g->file, ", flow: {waveform: flow/%s.csv}}\n", lower);
        else
            fprintf(g->file, ", flow: %g L/min}   # over the cycle: {waveform: flow/%s.csv}\n", o->flow_l_min, lower);
    }
}

static void case_sections(page *g, const phantom *p) {
    bool any = false;
    for (int i = 0; i < p->n_branch; i++) {
        const phantom_branch *b = &p->branch[i];
        if (branch_is_opening(p, b))
            continue;
        if (!any)
            fprintf(g->file, "sections:\n");
        any = true;
        fprintf(g->file, "  - {name: %s, point: ", b->name);
        page_point(g, b->middle_mm, 4);
        fprintf(g->file, ", normal: ");
        page_point(g, b->direction, 6);
        fprintf(g->file, "}\n");
    }
}

/* Write the readouts: pressure drops from the first inlet to PV and the outlets; the portal pressure gradient if there
 * is a portal vein. */
static void case_readouts(page *g, const phantom *p) {
    const char *from = "";
    for (int i = 0; i < p->n_opening && !*from; i++)
        if (p->opening[i].inlet && strncmp(p->opening[i].name, "IVC", 3) != 0)
            from = p->opening[i].name;
    fprintf(g->file, "readouts:\n");
    for (int i = 0; i < p->n_branch; i++)
        if (strcmp(p->branch[i].name, "PV") == 0 && !branch_is_opening(p, &p->branch[i]))
            fprintf(g->file, "  - {pressure_drop: {from: %s, to: PV}}\n", from);
    for (int i = 0; i < p->n_opening; i++)
        if (!p->opening[i].inlet)
            fprintf(g->file, "  - {pressure_drop: {from: %s, to: %s}}\n", from, p->opening[i].name);
    if (p->kind == PHANTOM_HEPATIC_PORTAL)
        fprintf(g->file, "  - ppg: {portal: PV, cava: IVCout}\n");
    else if (strcmp(from, "SMV") == 0)
        fprintf(g->file, "  - ppg: {portal: PV, liver: {model: resistance, value: 4.0 mmHg min/L}}\n");
}

static void case_image(page *g, const phantom *p, const char *image) {
    fprintf(g->file, "image: {path: %s}\nsegment:\n  method: level-set\n  seeds:\n", image);
    for (int i = 0; i < p->n_branch; i++) {
        fprintf(g->file, "    - ");
        page_point(g, p->branch[i].middle_mm, 2);
        fprintf(g->file, "   # %s\n", p->branch[i].name);
    }
}

/* Write the exact shape instead of an image, in the paper's box or a box 2 mm larger than the lumen. */
static void case_shape(page *g, const phantom *p) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        const double more = p->dims[0] > 0 ? 0 : 2 * p->scale;
        low[k] = p->low_mm[k] - more;
        high[k] = p->high_mm[k] + more;
    }
    fprintf(g->file, "  box: {low: ");
    page_point(g, low, 4);
    fprintf(g->file, ", high: ");
    page_point(g, high, 4);
    fprintf(g->file, "}\n  shape:\n    type: %s\n    segments:\n", p->shape.n_ellipsoid > 0 ? "chamber" : "tree");
    for (int i = 0; i < p->shape.n_segment; i++) {
        const shape_segment *s = &p->segment[i];
        fprintf(g->file, "      - {from: ");
        page_point(g, s->a, 5);
        fprintf(g->file, ", to: ");
        page_point(g, s->b, 5);
        fprintf(g->file, ", radius_from: %.5f mm, radius_to: %.5f mm}\n", s->radius_a, s->radius_b);
    }
    for (int i = 0; i < p->shape.n_ellipsoid; i++) {
        fprintf(g->file, "    ellipsoids:\n      - {centre: ");
        page_point(g, p->ellipsoid[i].centre, 5);
        fprintf(g->file, ", half_axes: [%.5f mm, %.5f mm, %.5f mm]}\n", p->ellipsoid[i].half[0],
                p->ellipsoid[i].half[1], p->ellipsoid[i].half[2]);
    }
}

/* Write the resolution. For the kind "random" the resolution is omitted, so that mesh chooses it. */
static void case_mesh(page *g, const phantom *p, const patient_settings *settings) {
    if (settings->image && settings->cells_per_diameter == 0 && p->kind == PHANTOM_RANDOM)
        return;
    fprintf(g->file, "mesh:\n");
    if (settings->cells_per_diameter == 0 && p->dims[0] > 0)
        fprintf(g->file, "  spacing: %g mm\n", p->spacing_mm);
    else if (settings->cells_per_diameter > 0 || p->kind != PHANTOM_RANDOM)
        fprintf(g->file, "  cells_per_diameter: %g\n",
                settings->cells_per_diameter > 0 ? settings->cells_per_diameter : 16);
    /* an unknown model needs a grid sequence, which an exact shape has only on request */
    if (!settings->image && settings->blood == VISCOSITY_UNKNOWN)
        fprintf(g->file, "  grid_levels: 3\n");
}

static void case_blood(page *g, int model) {
    const char *name;
    const int size = word_list_get(VISCOSITY_MODELS, model, &name);
    fprintf(g->file, "blood: {density: 1060 kg/m3, ");
    if (model == VISCOSITY_NEWTONIAN)
        fprintf(g->file, "viscosity: 3.5 mPa s}\n");
    else
        fprintf(g->file, "model: %.*s}\n", size, name);
}

int patient_write_case(const phantom *p, const patient_settings *settings, const char *folder) {
    page g;
    const int rc = page_open(&g, settings->image != NULL);
    if (rc != OK)
        return rc;
    fprintf(g.file, "# A synthetic patient, written by: phantom --kind %s", phantom_name(p->kind));
    if (p->kind == PHANTOM_RANDOM)
        fprintf(g.file, " --seed %llu", (unsigned long long)p->seed);
    fprintf(g.file, ". Points in mm.\n");
    fprintf(g.file, "name: %s-phantom\nspace: %s\n", phantom_name(p->kind), g.ras ? "RAS" : "LPS");
    if (settings->image)
        case_image(&g, p, settings->image);
    case_openings(&g, p, settings->pulsatile);
    case_sections(&g, p);
    case_blood(&g, settings->blood);
    case_mesh(&g, p, settings);
    if (!settings->image)
        case_shape(&g, p);
    fprintf(g.file, "solve: {mode: %s}\n", settings->pulsatile ? "pulsatile" : "steady");
    case_readouts(&g, p);
    return page_write(&g, folder, "case.yaml");
}

int patient_write_flow(const phantom *p, const char *folder) {
    int rc = OK;
    char *flow = file_join(folder, "flow");
    if (!flow)
        return fail_memory("a path", 0);
    TRY(file_create_folder(flow));
    for (int i = 0; i < p->n_opening; i++) {
        const phantom_opening *o = &p->opening[i];
        char lower[PHANTOM_NAME_MAX], name[PHANTOM_NAME_MAX + 8];
        if (!o->inlet)
            continue;
        flow_name(o->name, lower);
        snprintf(name, sizeof name, "%s.csv", lower);
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
    fprintf(g->file, "%s,%.4f,%.4f,%.4f,%.4f\n", branch, point[0], point[1], point[2], radius_mm);
}

/* Volume of the lumen between the openings, mm3, estimated from VOLUME_POINTS sample points in its bounding box. */
static double lumen_volume(const phantom *p) {
    double box = 1;
    for (int k = 0; k < 3; k++)
        box *= p->high_mm[k] - p->low_mm[k];
    return phantom_volume_mm3(p, cbrt(box / VOLUME_POINTS));
}

/* Writes the parameters of a random phantom, its smallest radius, and the volume of all segments. The volume counts
 * overlaps twice; it predicts the number of cells. */
static void truth_features(page *g, const phantom *p) {
    const phantom_features *f = &p->features;
    double narrowest = p->segment[0].radius_b, volume = 0;
    for (int k = 0; k < p->shape.n_segment; k++) {
        const shape_segment *s = &p->segment[k];
        const double a = s->radius_a, b = s->radius_b;
        narrowest = fmin(narrowest, fmin(a, b));
        volume += M_PI / 3 * (a * a + a * b + b * b) * vec_distance(s->a, s->b);
    }
    fprintf(g->file, "narrowest_radius,%.6g,mm\ndrawn_volume,%.5g,mm3\n", narrowest, volume);
    fprintf(g->file, "junctions,%d,1\nstenoses,%d,1\nstenosis,%.4g,percent of the area\naneurysms,%d,1\n",
            f->n_junction, f->n_stenosis, f->stenosis_percent, f->n_aneurysm);
    fprintf(g->file, "throat_reynolds,%.4g,1\n", f->reynolds);
}

int patient_write_truth(const phantom *p, bool volume, const char *folder) {
    int rc = OK;
    page g;
    char *truth = file_join(folder, "truth");
    if (!truth)
        return fail_memory("a path", 0);
    TRY(file_create_folder(truth));
    TRY(page_open(&g, false));
    fprintf(g.file, "branch,x_lps_mm,y_lps_mm,z_lps_mm,radius_mm\n");
    for (int i = 0; i < p->n_branch; i++) {
        const phantom_branch *b = &p->branch[i];
        for (int j = b->first; j < b->first + b->count; j++)
            centreline_point(&g, b->name, p->segment[j].a, p->segment[j].radius_a);
        const shape_segment *last = &p->segment[b->first + b->count - 1];
        centreline_point(&g, b->name, last->b, last->radius_b);
    }
    TRY(page_write(&g, truth, "centreline.csv"));
    TRY(page_open(&g, false));
    fprintf(g.file, "name,value,unit\n");
    if (volume)
        fprintf(g.file, "lumen_volume,%.5g,mm3\n", lumen_volume(p));
    if (p->kind == PHANTOM_RANDOM)
        truth_features(&g, p);
    for (int i = 0; i < p->n_opening; i++) {
        const double radius = p->opening[i].radius_mm;
        fprintf(g.file, "%s_radius,%.6g,mm\n%s_area,%.6g,mm2\n", p->opening[i].name, radius, p->opening[i].name,
                M_PI * radius * radius);
    }
    TRY(page_write(&g, truth, "truth.csv"));
cleanup:
    free(truth);
    return rc;
}
