/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/inspect/vessel_ends.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_text(const cJSON *from, const char *key, char out[ENDS_WORD]) {
    const char *text = json_get_text(from, key);
    snprintf(out, ENDS_WORD, "%s", text ? text : "");
}

static void read_point(const cJSON *list, double out[3]) {
    for (int a = 0; a < 3; a++) {
        const cJSON *x = cJSON_GetArrayItem(list, a);
        out[a] = cJSON_IsNumber(x) ? x->valuedouble : 0;
    }
}

static int read_ends(const cJSON *from, const char *key, vessel_end end[ENDS_MAX]) {
    const cJSON *item;
    int n = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(from, key)) {
        if (n == ENDS_MAX)
            break;
        vessel_end *e = &end[n++];
        read_point(cJSON_GetObjectItem(item, "point"), e->point);
        read_point(cJSON_GetObjectItem(item, "normal"), e->normal);
        e->radius_mm = json_get_number(item, "radius_mm");
        e->reach_mm = json_get_number(item, "reach_mm");
        read_text(item, "at", e->at);
        read_text(item, "name", e->name);
    }
    return n;
}

static void read_vessel(const cJSON *from, found_vessel *v) {
    const cJSON *item;
    v->length_mm = json_get_number(from, "length_mm");
    v->radius_mm = json_get_number(from, "radius_mm");
    v->n_end = read_ends(from, "ends", v->end);
    v->n_hole = read_ends(from, "holes", v->hole);
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(from, "seeds")) {
        if (v->n_seed < ENDS_MAX)
            read_point(item, v->seed[v->n_seed++]);
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(from, "contacts")) {
        if (v->n_contact < ENDS_MAX)
            read_point(item, v->contact[v->n_contact++]);
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(from, "branches")) {
        const cJSON *place;
        if (v->n_branch == ENDS_MAX)
            break;
        struct found_branch *b = &v->branch[v->n_branch++];
        cJSON_ArrayForEach(place, item) {
            if (b->n < ENDS_LINE)
                read_point(place, b->at[b->n++]);
        }
    }
}

static void read_result(const cJSON *from, vessel_ends *out) {
    const cJSON *item;
    out->hollow = cJSON_IsTrue(cJSON_GetObjectItem(from, "hollow"));
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(from, "labels")) {
        if (out->n_label == ENDS_LABELS)
            break;
        out->label[out->n_label].value = (int)json_get_number(item, "value");
        out->label[out->n_label].volume_ml = json_get_number(item, "volume_ml");
        out->label[out->n_label].chosen = cJSON_IsTrue(cJSON_GetObjectItem(item, "taken"));
        read_text(item, "name", out->label[out->n_label++].name);
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(from, "vessels")) {
        char look[ENDS_WORD];
        read_text(item, "looks_like", look);
        if (strcmp(look, "bone") == 0) {
            out->n_bone++;
        } else if (out->n_vessel < ENDS_VESSELS) {
            out->vessel[out->n_vessel].edge = strcmp(look, "edge") == 0;
            read_vessel(item, &out->vessel[out->n_vessel++]);
        }
    }
}

static void scale_place(double p[3], double factor, double turn) {
    for (int a = 0; a < 3; a++)
        p[a] = p[a] * (a < 2 ? factor * turn : factor) + 0.0; /* + 0.0 turns -0 into 0 */
}

void vessel_ends_scale(vessel_ends *r, double factor, double turn) {
    for (int k = 0; k < r->n_vessel; k++) {
        found_vessel *v = &r->vessel[k];
        v->length_mm *= factor;
        v->radius_mm *= factor;
        for (int i = 0; i < v->n_end + v->n_hole; i++) {
            vessel_end *e = i < v->n_end ? &v->end[i] : &v->hole[i - v->n_end];
            scale_place(e->point, factor, turn);
            scale_place(e->normal, 1, turn);
            e->radius_mm *= factor;
            e->reach_mm *= factor;
        }
        for (int i = 0; i < v->n_seed; i++)
            scale_place(v->seed[i], factor, turn);
        for (int i = 0; i < v->n_contact; i++)
            scale_place(v->contact[i], factor, turn);
        for (int i = 0; i < v->n_branch; i++)
            for (int j = 0; j < v->branch[i].n; j++)
                scale_place(v->branch[i].at[j], factor, turn);
    }
}

int vessel_ends_find(const char *bin, const char *path, const char *series, const char *unit, vessel_ends *out) {
    const char *folder = getenv("TMPDIR");
    char program[PATIENT_PATH_MAX], file[PATIENT_PATH_MAX];
    const char *option = series ? "--series" : unit ? "--unit" : NULL;
    const char *argv[] = {program, "ends", "--of", path, option, series ? series : unit, NULL};
    process_result r;
    cJSON *json = NULL;
    int rc = OK, f = -1;
    memset(out, 0, sizeof *out);
    snprintf(file, sizeof file, "%s/portaflow-ends-XXXXXX", folder != NULL && *folder ? folder : "/tmp");
    if (patient_path(program, bin, "segment") != OK || access(program, X_OK) != 0 || (f = mkstemp(file)) < 0) {
        status_clear();
        return OK;
    }
    close(f);
    TRY(process_capture(argv, file, &r));
    if (r.exit_code == 0 && json_read(file, &json) == OK)
        read_result(json, out);
    status_clear();
cleanup:
    cJSON_Delete(json);
    unlink(file);
    process_die_if_interrupted();
    return rc;
}
