/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/treat/treat_branches.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 400 };

void treat_branches_free(treat_branches *b) {
    centerline_free(&b->line);
    free(b->name);
    free(b->reversed);
    *b = (treat_branches){0};
}

/* Counts the openings that are reached from one end of a branch without passing through the branch. count: [0] inlets,
 * [1] outlets. */
static void count_beyond(const treat_branches *b, int branch, int side, uint8_t *reached, int count[2]) {
    const centerline *c = &b->line;
    memset(reached, 0, (size_t)c->n_node + 1);
    reached[c->branch[branch].node[side]] = 1;
    count[0] = count[1] = 0;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < c->n_branch; k++)
            for (int i = 0; i < 2 && k != branch; i++)
                if (reached[c->branch[k].node[i]] && !reached[c->branch[k].node[1 - i]]) {
                    reached[c->branch[k].node[1 - i]] = 1;
                    more = true;
                }
    }
    for (int k = 0; k < c->n_node; k++)
        if (reached[k] && c->node[k].given >= 0)
            count[b->c->opening[c->node[k].given].role == ROLE_OUTLET]++;
}

static int find_directions(treat_branches *b) {
    uint8_t *reached = malloc((size_t)b->line.n_node + 1);
    b->reversed = calloc((size_t)b->line.n_branch + 1, sizeof *b->reversed);
    for (int k = 0; reached && b->reversed && k < b->line.n_branch; k++) {
        int before[2], beyond[2];
        count_beyond(b, k, 0, reached, before);
        count_beyond(b, k, 1, reached, beyond);
        b->reversed[k] =
            (beyond[0] > 0 && beyond[1] == 0 && before[1] > 0) || (before[1] > 0 && before[0] == 0 && beyond[0] > 0);
    }
    free(reached);
    return reached && b->reversed ? OK : fail_memory("the branches of the vessel", b->line.n_node);
}

int treat_branches_find(const case_file *c, const volume *whole, const volume *phi, const double (*opening_mm)[3],
                        treat_branches *b) {
    const char **name = calloc((size_t)c->n_opening + 1, sizeof *name);
    vessel_table t = {0};
    int rc = OK;
    *b = (treat_branches){.c = c, .whole = whole};
    if (!name)
        return fail_memory("the branches of the vessel", 8.0 * c->n_opening);
    for (int k = 0; k < c->n_opening; k++)
        name[k] = c->opening[k].name;
    TRY(centerline_find(phi, c->n_opening, opening_mm, &b->line));
    TRY(vessel_table_create(&b->line, NAN, NAN, NAN, name, &t));
    b->name = calloc((size_t)b->line.n_branch + 1, sizeof *b->name);
    if (!b->name)
        GIVE_UP(fail_memory("the branches of the vessel", 64.0 * b->line.n_branch));
    for (int k = 0; k < b->line.n_branch; k++)
        memcpy(b->name[k], t.branch[k].name, sizeof b->name[k]);
    TRY(find_directions(b));
cleanup:
    vessel_table_free(&t);
    free(name);
    return rc;
}

/* Index of the branch whose centerline is nearest to the point of the section with this name. Sections that are given
 * by a branch and a distance have no point and are skipped. -1: no such section. */
static int branch_of_section(const treat_branches *b, const char *name) {
    double nearest = INFINITY;
    int found = -1;
    for (int s = 0; s < b->c->n_section; s++) {
        double p[3];
        if (strcmp(b->c->section[s].name, name) != 0 || b->c->section[s].branch)
            continue;
        case_point_lps(b->c, b->c->section[s].point, b->whole, p);
        for (int k = 0; k < b->line.n_branch; k++)
            for (int i = 0; i < b->line.branch[k].n; i++) {
                const double d = vec_distance(p, b->line.branch[k].point[i].at_mm);
                if (d < nearest) {
                    nearest = d;
                    found = k;
                }
            }
    }
    return found;
}

/* The branch that ends at an opening; -1: none. A branch between two openings has both names. */
static int branch_of_opening(const treat_branches *b, const char *name) {
    for (int k = 0; k < b->line.n_branch; k++)
        for (int side = 0; side < 2; side++) {
            const int given = b->line.node[b->line.branch[k].node[side]].given;
            if (given >= 0 && strcmp(b->c->opening[given].name, name) == 0)
                return k;
        }
    return -1;
}

int treat_branches_number(const treat_branches *b, const char *what, const char *name, int *branch) {
    char names[NAMES] = "";
    size_t n = 0;
    *branch = -1;
    for (int k = 0; k < b->line.n_branch; k++)
        if (strcmp(b->name[k], name) == 0)
            *branch = k;
    if (*branch < 0)
        *branch = branch_of_opening(b, name);
    if (*branch < 0)
        *branch = branch_of_section(b, name);
    if (*branch >= 0)
        return OK;
    if (b->line.n_branch == 0)
        return fail(ERR_INPUT,
                    "%s: the case before the treatment has no openings, so no branch is named '%s'; add its openings",
                    what, name);
    for (int k = 0; k < b->line.n_branch && n < sizeof names; k++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", k ? ", " : "", b->name[k]);
    for (int k = 0; k < b->c->n_section && n < sizeof names; k++)
        if (!b->c->section[k].branch)
            n += (size_t)snprintf(names + n, sizeof names - n, ", %s", b->c->section[k].name);
    return fail(ERR_INPUT, "%s: the vessel has no branch '%s'; its branches and sections are %s", what, name, names);
}

int treat_branches_abscissa(const treat_branches *b, const char *what, int branch, const case_spot *at, double *mm) {
    const double length = b->line.branch[branch].length_mm;
    *mm = isfinite(at->at_part) ? at->at_part * length : at->at_mm;
    if (*mm <= length)
        return OK;
    return fail(ERR_INPUT, "%s: %.4g mm is beyond the end of branch '%s', which is %.4g mm long", what, *mm,
                b->name[branch], length);
}

void treat_branches_place(const treat_branches *b, int branch, double mm, double point[3], double tangent[3],
                          double *radius_mm) {
    const centerline_branch_line *line = &b->line.branch[branch];
    const double s = b->reversed[branch] ? line->length_mm - mm : mm;
    int low = 0, high = line->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (line->point[middle].abscissa_mm <= s)
            low = middle;
        else
            high = middle;
    }
    const centerline_point *p = &line->point[low], *q = &line->point[high];
    const double step = q->abscissa_mm - p->abscissa_mm;
    const double t = step > 0 ? fmin(1, fmax(0, (s - p->abscissa_mm) / step)) : 0;
    for (int a = 0; a < 3; a++) {
        point[a] = (1 - t) * p->at_mm[a] + t * q->at_mm[a];
        tangent[a] = ((1 - t) * p->tangent[a] + t * q->tangent[a]) * (b->reversed[branch] ? -1 : 1);
    }
    vec_normalize(tangent);
    *radius_mm = (1 - t) * p->radius_mm + t * q->radius_mm;
}
