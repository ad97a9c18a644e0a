/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/setup/setup_page.h"
#include "pipeline/setup/liver_contact.h"
#include "common/base/file.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/record/json.h"
#include "common/waveform/typical_flows.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

extern const char setup_html[]; /* text of setup.html, which CMake compiles in */

static const double VOXELS_MAX = 24e6, VOXELS_16_BIT_MAX = 12e6;

/* The image as the page stores it. */
typedef struct {
    volume v;    /* geometry of the page's image, and means over blocks of voxels */
    int step[3]; /* voxels of the file per voxel of the page's image, along each axis */
    double min, max, low, high;
    int bytes; /* bytes per value in the page */
} shrunk_image;

static int average_blocks(const volume *from, const int step[3], volume *to) {
    double origin[3], spacing[3], middle[3];
    int dims[3];
    for (int a = 0; a < 3; a++) {
        dims[a] = from->dims[a] / step[a];
        spacing[a] = from->spacing_mm[a] * step[a];
        middle[a] = 0.5 * (step[a] - 1);
    }
    volume_to_lps(from, middle, origin);
    const int rc = volume_create(to, dims, spacing, origin, from->direction);
    const double part = 1.0 / ((double)step[0] * step[1] * step[2]);
    for (int k = 0; rc == OK && k < dims[2] * step[2]; k++)
        for (int j = 0; j < dims[1] * step[1]; j++)
            for (int i = 0; i < dims[0] * step[0]; i++)
                to->value[volume_index(to, i / step[0], j / step[1], k / step[2])] +=
                    (float)(part * (double)from->value[volume_index(from, i, j, k)]);
    return rc;
}

/* Finds the range of the values, and their 0.5 and 99.5 % quantiles, which set the initial window. */
static int find_range(shrunk_image *s) {
    const size_t n = volume_size(&s->v), every = n / 200000 + 1;
    float *sample = malloc((n / every + 1) * sizeof *sample);
    size_t m = 0;
    if (!sample || !s->v.value) {
        free(sample);
        return fail_memory("the image's range", 4.0 * (double)n / (double)every);
    }
    s->min = INFINITY;
    s->max = -INFINITY;
    for (size_t k = 0; k < n; k++) {
        const double value = (double)s->v.value[k];
        if (!isfinite(value))
            continue;
        s->min = fmin(s->min, value);
        s->max = fmax(s->max, value);
        if (k % every == 0)
            sample[m++] = s->v.value[k];
    }
    qsort(sample, m, sizeof *sample, order_float);
    s->low = m ? (double)sample[m / 200] : 0;
    s->high = m ? (double)sample[m - 1 - m / 200] : 1;
    if (!(s->max > s->min)) {
        s->min = m ? s->min : 0;
        s->max = s->min + 1;
    }
    if (!(s->high > s->low)) {
        s->low = s->min;
        s->high = s->max;
    }
    free(sample);
    return OK;
}

static int shrink_image(const volume *image, shrunk_image *s) {
    double count = (double)volume_size(image);
    int rc;
    for (int a = 0; a < 3; a++)
        s->step[a] = 1;
    while (count > VOXELS_MAX) {
        int longest = 0;
        for (int a = 1; a < 3; a++)
            longest = image->dims[a] / s->step[a] > image->dims[longest] / s->step[longest] ? a : longest;
        s->step[longest]++;
        count = 1;
        for (int a = 0; a < 3; a++) {
            const int cells = image->dims[a] / s->step[a];
            count *= cells;
        }
    }
    s->bytes = count > VOXELS_16_BIT_MAX ? 1 : 2;
    TRY(average_blocks(image, s->step, &s->v));
    TRY(find_range(s));
cleanup:
    return rc;
}

/* Chooses zero and unit of the stored values. An image of 8 bits stores only the range of the initial window, and clips
 * half a percent at each end. */
static void stored_range(const shrunk_image *s, double *zero, double *unit) {
    const double low = s->bytes == 1 ? s->low : s->min, high = s->bytes == 1 ? s->high : s->max;
    *zero = low;
    *unit = (high - low) / (s->bytes == 1 ? 255 : 65535);
}

static uint8_t *stored_values(const shrunk_image *s, size_t *size) {
    const size_t n = volume_size(&s->v);
    const int most = s->bytes == 1 ? 255 : 65535;
    double zero, unit;
    stored_range(s, &zero, &unit);
    uint8_t *to = malloc(n * (size_t)s->bytes + 1);
    for (size_t k = 0; to && k < n; k++) {
        const double level = ((double)s->v.value[k] - zero) / unit;
        const int value = isfinite(level) ? (int)lround(fmin(fmax(level, 0), most)) : 0;
        to[k * (size_t)s->bytes] = (uint8_t)(value & 255);
        if (s->bytes == 2)
            to[2 * k + 1] = (uint8_t)(value >> 8);
    }
    *size = n * (size_t)s->bytes;
    return to;
}

/* The lumen on the page's grid: 1 if the middle voxel of a block is inside. */
static uint8_t *stored_lumen(const shrunk_image *s, const volume *lumen, size_t *size) {
    const size_t n = volume_size(&s->v);
    uint8_t *to = malloc(n + 1);
    for (size_t k = 0; to && k < n; k++) {
        int at[3] = {(int)(k % (size_t)s->v.dims[0]), (int)(k / (size_t)s->v.dims[0] % (size_t)s->v.dims[1]),
                     (int)(k / (size_t)s->v.dims[0] / (size_t)s->v.dims[1])};
        for (int a = 0; a < 3; a++)
            at[a] = at[a] * s->step[a] + s->step[a] / 2;
        to[k] = lumen->value[volume_index(lumen, at[0], at[1], at[2])] > 0;
    }
    *size = n;
    return to;
}

static void put_base64(FILE *to, const uint8_t *p, size_t size) {
    static const char code[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        const uint32_t bits =
            (uint32_t)p[k] << 16 | (k + 1 < size ? (uint32_t)p[k + 1] << 8 : 0) | (k + 2 < size ? p[k + 2] : 0);
        fputc(code[bits >> 18], to);
        fputc(code[bits >> 12 & 63], to);
        fputc(k + 1 < size ? code[bits >> 6 & 63] : '=', to);
        fputc(k + 2 < size ? code[bits & 63] : '=', to);
    }
}

static int put_packed(FILE *to, const uint8_t *data, size_t size) {
    z_stream z = {0};
    uint8_t *packed = NULL;
    int rc = OK;
    if (!data)
        return fail_memory("the page", (double)size);
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return fail_memory("the page", 300000);
    const size_t room = deflateBound(&z, (uLong)size);
    packed = malloc(room);
    if (packed) {
        z.next_in = (Bytef *)(uintptr_t)data;
        z.avail_in = (uInt)size;
        z.next_out = packed;
        z.avail_out = (uInt)room;
        rc = deflate(&z, Z_FINISH) == Z_STREAM_END
                 ? OK
                 : fail(ERR_INTERNAL, "the image could not be packed into setup.html (error in the program)");
        if (rc == OK)
            put_base64(to, packed, z.total_out);
    } else
        rc = fail_memory("the page", (double)room);
    deflateEnd(&z);
    free(packed);
    return rc;
}

static cJSON *point_of(const struct setup_point *p) {
    const bool inlet = p->role && strcmp(p->role, "inlet") == 0;
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "kind", p->kind);
    json_add_numbers(item, "lps", 3, p->lps_mm);
    if (p->name)
        cJSON_AddStringToObject(item, "name", p->name);
    if (p->role) {
        cJSON_AddStringToObject(item, "role", p->role);
        cJSON_AddStringToObject(item, "what", p->what ? p->what : inlet ? "flow" : "pressure");
        cJSON_AddStringToObject(item, "value", p->what ? p->value : inlet ? "" : "0");
        cJSON_AddStringToObject(item, "unit", p->what ? p->unit : inlet ? "L/min" : "mmHg");
    }
    if (p->plus)
        cJSON_AddStringToObject(item, "plus", p->plus);
    if (p->more)
        cJSON_AddStringToObject(item, "more", p->more);
    if (p->radius_mm > 0) {
        json_add_numbers(item, "centre", 3, p->centre_mm);
        json_add_numbers(item, "normal", 3, p->normal);
        json_add_number(item, "radius", p->radius_mm);
    }
    return item;
}

/* Writes the centerlines in LPS, each as [x, y, z, x, y, z, ..], and for each of their points whether it is in the
 * liver. */
static void put_lines(cJSON *o, const found_vessel *v, const volume *liver) {
    cJSON *lines = cJSON_AddArrayToObject(o, "lines"), *all_flags = cJSON_AddArrayToObject(o, "inLiver");
    for (int k = 0; v && k < v->n_branch; k++) {
        cJSON *line = cJSON_CreateArray(), *flags = cJSON_CreateArray();
        for (int i = 0; i < v->branch[k].n; i++) {
            const double *ras = v->branch[k].at[i], lps[3] = {-ras[0], -ras[1], ras[2]};
            for (int a = 0; a < 3; a++)
                cJSON_AddItemToArray(line, cJSON_CreateNumber(lps[a]));
            cJSON_AddItemToArray(flags, cJSON_CreateNumber(liver && liver_contact_at(liver, lps)));
        }
        cJSON_AddItemToArray(lines, line);
        cJSON_AddItemToArray(all_flags, flags);
    }
}

static void add_lps(cJSON *list, const double ras[3]) {
    const double lps[3] = {-ras[0], -ras[1], ras[2]};
    cJSON_AddItemToArray(list, cJSON_CreateDoubleArray(lps, 3));
}

/* Writes the vessels, each with its ends and its contacts with other vessels in LPS, and its centerlines. */
static void put_vessels(cJSON *o, const setup_page *p) {
    cJSON *list = cJSON_AddArrayToObject(o, "vessels");
    for (int k = 0; k < p->n_vessel; k++) {
        const found_vessel *v = &p->vessel[k];
        cJSON *one = cJSON_CreateObject(), *ends = cJSON_AddArrayToObject(one, "ends"),
              *contacts = cJSON_AddArrayToObject(one, "contacts");
        for (int i = 0; i < v->n_end; i++)
            add_lps(ends, v->end[i].point);
        for (int i = 0; i < v->n_contact; i++)
            add_lps(contacts, v->contact[i]);
        put_lines(one, v, NULL);
        cJSON_AddItemToArray(list, one);
    }
}

/* Writes the liver of the first portal pressure gradient in the case, for editing. */
static void put_liver(cJSON *o, const case_file *c) {
    for (int k = 0; c && k < c->n_readout; k++) {
        const case_readout *r = &c->readout[k];
        if (r->kind != READOUT_PPG)
            continue;
        cJSON *liver = cJSON_AddObjectToObject(o, "liver");
        cJSON_AddStringToObject(liver, "portal", r->portal);
        if (isfinite(r->liver_resistance)) {
            json_add_number(liver, "value", json_round(r->liver_resistance / UNITS_PA_S_M3_PER_MMHG_MIN_L));
            json_add_number(liver, "percent", json_round(100 * r->liver_error / r->liver_resistance));
        }
        return;
    }
}

/* Writes the sections on branches as text of case.yaml. They have no point on the page, and the page keeps them
 * unchanged. */
static void put_branch_sections(cJSON *o, const case_file *c) {
    cJSON *list = cJSON_AddArrayToObject(o, "branchSections");
    for (int k = 0; c && k < c->n_section; k++) {
        const case_section *s = &c->section[k];
        char text[256];
        const bool share = isfinite(s->at_part);
        if (!s->branch)
            continue;
        snprintf(text, sizeof text, "  - {name: %s, branch: %s, at: %.6g %s}\n", s->name, s->branch,
                 share ? 100 * s->at_part : s->at_mm, share ? "%" : "mm");
        cJSON_AddItemToArray(list, cJSON_CreateString(text));
    }
}

/* Writes the requested readouts, one sentence each. */
static void put_readouts(cJSON *o, const case_file *c) {
    cJSON *list = cJSON_AddArrayToObject(o, "asked");
    for (int k = 0; c && k < c->n_readout; k++) {
        const case_readout *r = &c->readout[k];
        char text[400];
        if (r->kind == READOUT_PPG)
            snprintf(text, sizeof text, "portal pressure gradient: portal vein at %s, %s%s; the liver %s", r->portal,
                     r->cava ? "cava at " : "cava not in the model", r->cava ? r->cava : "",
                     case_stage_is_assumed(r)        ? "a resistance by the lobule law, of an assumed stage"
                     : r->liver_lobules              ? "a resistance by the lobule law"
                     : isfinite(r->liver_resistance) ? "a given resistance"
                                                     : "not modelled: no value is computed");
        else
            snprintf(text, sizeof text, "pressure drop from %s to %s", r->from, r->to);
        cJSON_AddItemToArray(list, cJSON_CreateString(text));
    }
}

static void put_typical_flows(cJSON *o) {
    cJSON *list = cJSON_AddArrayToObject(o, "typical");
    int n;
    const typical_flow *flow = typical_flows(&n);
    for (int k = 0; k < n; k++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "vessel", flow[k].vessel);
        json_add_number(one, "flow", flow[k].l_min);
        json_add_number(one, "percent", flow[k].percent);
        cJSON_AddStringToObject(one, "source", flow[k].source);
        cJSON_AddItemToArray(list, one);
    }
}

static cJSON *data_of(const setup_page *p, const shrunk_image *s) {
    cJSON *o = cJSON_CreateObject();
    const double dims[3] = {s->v.dims[0], s->v.dims[1], s->v.dims[2]}, step[3] = {s->step[0], s->step[1], s->step[2]};
    double scale[2];
    stored_range(s, &scale[0], &scale[1]);
    cJSON_AddStringToObject(o, "image", p->image_name);
    cJSON_AddStringToObject(o, "labels", p->labels_name ? p->labels_name : "");
    cJSON_AddStringToObject(o, "series", p->series ? p->series : "");
    cJSON_AddStringToObject(o, "values", p->values ? p->values : "");
    cJSON_AddStringToObject(o, "method", p->labels_name ? "labels" : "level-set");
    json_add_numbers(o, "dims", 3, dims);
    json_add_numbers(o, "step", 3, step);
    json_add_numbers(o, "spacing", 3, s->v.spacing_mm);
    json_add_numbers(o, "origin", 3, s->v.origin_mm);
    json_add_numbers(o, "direction", 9, s->v.direction);
    json_add_numbers(o, "scale", 2, scale);
    cJSON_AddNumberToObject(o, "bytes", s->bytes);
    json_add_number(o, "min", s->min);
    json_add_number(o, "max", s->max);
    json_add_number(o, "low", s->low);
    json_add_number(o, "high", s->high);
    cJSON *items = cJSON_AddArrayToObject(o, "items");
    for (int k = 0; k < p->n_point; k++)
        cJSON_AddItemToArray(items, point_of(&p->point[k]));
    put_lines(o, p->n_vessel > 0 ? p->vessel : NULL, p->liver);
    put_vessels(o, p);
    put_liver(o, p->readouts_of);
    put_readouts(o, p->view_only ? p->readouts_of : NULL);
    put_branch_sections(o, p->readouts_of);
    put_typical_flows(o);
    cJSON_AddStringToObject(o, "name", p->case_name ? p->case_name : "");
    cJSON_AddBoolToObject(o, "portal", p->portal);
    cJSON_AddBoolToObject(o, "look", p->view_only);
    cJSON_AddBoolToObject(o, "placed", p->placed);
    cJSON_AddStringToObject(o, "text", p->text ? p->text : "");
    cJSON_AddStringToObject(o, "frame", p->frame ? p->frame : "RAS");
    return o;
}

/* Writes JSON inside a script element. '<' is escaped: a file name cannot end the element. */
static int put_data(FILE *to, const setup_page *p, const shrunk_image *s) {
    cJSON *o = data_of(p, s);
    char *text = o ? cJSON_PrintUnformatted(o) : NULL;
    for (const char *c = text; c && *c; c++)
        if (*c == '<')
            fputs("\\u003c", to);
        else
            fputc(*c, to);
    const int rc = text ? OK : fail_memory("the page", 65536);
    cJSON_free(text);
    cJSON_Delete(o);
    return rc;
}

static int put_page(FILE *to, const setup_page *p, const shrunk_image *s) {
    const char *from = setup_html;
    uint8_t *bytes = NULL;
    int rc = OK;
    for (const char *mark; (mark = strchr(from, '@'));) {
        size_t size;
        fwrite(from, 1, (size_t)(mark - from), to);
        if (strncmp(mark, "@DATA@", 6) == 0) {
            TRY(put_data(to, p, s));
            from = mark + 6;
        } else if (strncmp(mark, "@PIXELS@", 8) == 0) {
            bytes = stored_values(s, &size);
            TRY(put_packed(to, bytes, size));
            from = mark + 8;
        } else if (strncmp(mark, "@LUMEN@", 7) == 0) {
            if (p->lumen) {
                bytes = stored_lumen(s, p->lumen, &size);
                TRY(put_packed(to, bytes, size));
            }
            from = mark + 7;
        } else {
            fputc('@', to);
            from = mark + 1;
        }
        free(bytes);
        bytes = NULL;
    }
    fputs(from, to);
cleanup:
    free(bytes);
    return rc;
}

int setup_page_write(const char *path, const setup_page *p) {
    shrunk_image s = {.bytes = 1};
    file_text t;
    int rc = file_text_open(&t, "the page");
    if (rc != OK)
        return rc;
    rc = shrink_image(p->image, &s);
    rc = rc == OK ? put_page(t.to, p, &s) : rc;
    volume_free(&s.v);
    return file_text_write(&t, rc, path);
}
