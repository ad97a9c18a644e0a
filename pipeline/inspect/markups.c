/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/inspect/markups.h"
#include "common/base/csv.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const size_t FILE_SIZE_MAX = 10000000;
static const double COORDINATE_MAX_MM = 1e5;

bool markups_is(const char *path) {
    return file_ends_with(path, ".mrk.json") || file_ends_with(path, ".fcsv");
}

bool markups_is_seed(const char *name) {
    return strncasecmp(name, "seed", 4) == 0;
}

/* Frame named by `word`: 1 LPS, 0 RAS, -1 unknown. Old files have numbers instead of names. */
static int frame_of(const char *word) {
    if (word && (strcmp(word, "LPS") == 0 || strcmp(word, "1") == 0))
        return 1;
    return word && (strcmp(word, "RAS") == 0 || strcmp(word, "0") == 0) ? 0 : -1;
}

static int add_point(const char *path, const char *label, const double at[3], int lps, markups *to) {
    for (int a = 0; a < 3; a++)
        if (!(fabs(at[a]) < COORDINATE_MAX_MM))
            return fail(ERR_INPUT,
                        "'%s': coordinate %g of the point '%.40s' is not within +-%g mm; correct or delete it", path,
                        at[a], label, COORDINATE_MAX_MM);
    if (to->n == MARKUPS_MAX)
        return fail(ERR_INPUT, "'%s' is skipped: the files hold more than %d points, too many for openings and seeds",
                    path, MARKUPS_MAX);
    char *name = to->point[to->n].name;
    snprintf(name, MARKUPS_NAME, "%s%.60s", isalnum((unsigned char)label[0]) ? "" : "p", label);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-.", *c))
            *c = '_';
    for (int a = 0; a < 3; a++)
        to->point[to->n].ras_mm[a] = lps && a < 2 ? -at[a] : at[a];
    to->n++;
    return OK;
}

static int fail_no_frame(const char *path) {
    return fail(ERR_INPUT, "'%s' does not state whether its points are LPS or RAS; save it again with 3D Slicer", path);
}

/* Adds one list of {"markups": [{"coordinateSystem": "LPS", "controlPoints": [{"label": .., "position": [..]},
 * ..]}]}. */
static int add_list(const char *path, const cJSON *list, markups *to) {
    const int lps = frame_of(json_get_text(list, "coordinateSystem"));
    const char *unit = json_get_text(list, "coordinateUnits");
    const cJSON *one;
    const char *type = json_get_text(list, "type");
    int rc = OK;
    if (type && strcmp(type, "Fiducial") != 0)
        return fail(ERR_INPUT, "'%s' is skipped: it is a %.20s of 3D Slicer, not a list of points", path, type);
    if (lps < 0)
        return fail_no_frame(path);
    if (unit && strcmp(unit, "mm") != 0)
        return fail(ERR_INPUT, "'%s': its coordinates are in '%.20s', not in mm; save it in mm", path, unit);
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(list, "controlPoints")) {
        const char *status = json_get_text(one, "positionStatus");
        const char *label = json_get_text(one, "label");
        const cJSON *position = cJSON_GetObjectItemCaseSensitive(one, "position");
        double at[3];
        if (status && strcmp(status, "defined") != 0)
            continue;
        for (int a = 0; a < 3; a++)
            at[a] = cJSON_GetNumberValue(cJSON_GetArrayItem(position, a));
        TRY(add_point(path, label ? label : "point", at, lps, to));
    }
cleanup:
    return rc;
}

static int add_json(const char *path, markups *to) {
    cJSON *root = NULL;
    const cJSON *list;
    int rc;
    TRY(json_read(path, &root));
    cJSON_ArrayForEach(list, cJSON_GetObjectItemCaseSensitive(root, "markups")) {
        TRY(add_list(path, list, to));
    }
cleanup:
    cJSON_Delete(root);
    return rc;
}

/* Adds the points of a file with "# CoordinateSystem = LPS", "# columns =
 * id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID", and one line per point. */
static int add_fcsv(const char *path, markups *to) {
    static const char frame[] = "CoordinateSystem = ", columns[] = "columns = id,x,y,z,";
    enum { X = 1, LABEL = 11 };
    csv c;
    int lps = -1, rc;
    bool known = false;
    TRY(csv_open(&c, path, FILE_SIZE_MAX));
    while (csv_next(&c)) {
        double at[3];
        if (c.n == 0) {
            if (strncmp(c.field[0], frame, sizeof frame - 1) == 0)
                lps = frame_of(c.field[0] + sizeof frame - 1);
            known = known || strncmp(c.field[0], columns, sizeof columns - 1) == 0;
            continue;
        }
        if (lps < 0)
            GIVE_UP(fail_no_frame(path));
        if (!known || c.n <= LABEL || !c.whole)
            GIVE_UP(fail(ERR_INPUT, "%s:%d: not a point of 3D Slicer: 'id,x,y,z,..' with 12 or more fields is needed",
                         path, c.line));
        for (int a = 0; a < 3; a++)
            TRY(csv_finite(&c, X + a, &at[a]));
        TRY(add_point(path, c.field[LABEL], at, lps, to));
    }
cleanup:
    csv_close(&c);
    return rc;
}

int markups_add(const char *path, markups *to) {
    const int before = to->n;
    const int rc = file_ends_with(path, ".fcsv") ? add_fcsv(path, to) : add_json(path, to);
    if (rc != OK)
        to->n = before;
    return rc;
}
