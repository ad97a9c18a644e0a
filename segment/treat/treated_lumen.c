/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/treat/treated_lumen.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/case/case_chain.h"
#include "common/image_file/itk_image.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/ends/disconnection.h"
#include "segment/bridge/gap_bridge_json.h"
#include "segment/treat/treat_branches.h"
#include "segment/treat/treat_shape.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 6, WHAT = 96, POINTS_MAX = 64 };
static const double STEP_VOXELS = 0.5; /* length of a piece of a curve, in voxels of the signed distance */
static const double LEAST_VOXELS = 2;  /* smallest diameter of a tube: two voxels of the signed distance */
static const double DISC_VOXELS = 3;   /* smallest thickness in voxels of the disc that closes a branch; a wider
                                        * branch gets a disc as thick as its radius */
static const double MORE_VOXELS = 4;   /* largest factor by which the grid of a signed distance may grow if there is
                                        * no image around it */
static const double CLEAR_RADII = 1;   /* smallest distance of a change from an opening, in radii of the vessel there */

static const char *const kind_name[] = {"dilate", "close", "stent"}; /* indexed by enum case_treatment_kind */

typedef struct {
    const case_file *c;
    case_file before;
    const volume *image; /* geometry for coordinates in voxels */
    volume grid;         /* geometry of the image or mask, which the tubes must not leave; dims 0: none */
    volume *phi;
    double (*opening_mm)[3]; /* [before.n_opening] LPS, owned */
    bool *kept;              /* [before.n_opening] the opening is also in the case after the treatment; owned */
    treat_branches branches;
    treat_curve *curve; /* [c->n_treat] empty for a closed branch; owned */
    double voxel_mm;    /* largest edge of a voxel of the signed distance */
} treatment;

void treated_report_free(treated_report *r) {
    free(r->length_mm);
    free(r->volume_ml);
    free(r->disc);
    *r = (treated_report){0};
}

static void treatment_free(treatment *t) {
    for (int k = 0; t->curve && k < t->c->n_treat; k++)
        treat_curve_free(&t->curve[k]);
    free(t->curve);
    free(t->opening_mm);
    free(t->kept);
    treat_branches_free(&t->branches);
    case_free(&t->before);
}

/* "treat, entry 2 (stent)" for the start of a message. */
static const char *write_what(const case_file *c, const case_treatment *of, char text[WHAT]) {
    snprintf(text, WHAT, "treat, entry %d (%s)", (int)(of - c->treat) + 1, kind_name[of->kind]);
    return text;
}

/* ------------------------------------------------------------------------------------------------------- reading */

static int read_before(treatment *t, cJSON *json, volume *mask, wall_uncertainty *error, treated_report *report) {
    char *folder = case_resolve_path(t->c, t->c->segment.before_path), *phi_path = case_before_phi(t->c),
         *case_path = folder ? file_join(folder, "case.yaml") : NULL,
         *out = folder ? file_join(folder, "out/segment") : NULL,
         *lumen = folder ? file_join(folder, "out/segment/lumen.nii.gz") : NULL;
    cJSON *record = NULL, *scratch = cJSON_CreateObject();
    int rc = OK;
    if (!phi_path || !case_path || !out || !lumen || !cJSON_AddArrayToObject(scratch, "inputs"))
        GIVE_UP(fail_memory("a path", FILE_PATH_MAX));
    TRY(case_read(case_path, CASE_LUMEN, &t->before));
    TRY(case_chain_open(&t->before, "segment", out, &record));
    TRY(case_chain_accept(&t->before, record, out, "phi.nii.gz", scratch));
    TRY(provenance_add_input(json, "before", phi_path));
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(record, "result");
    *error = wall_uncertainty_unknown();
    error->uncertainty_mm = json_get_number(result, "wall_uncertainty_mm");
    error->shift_mm = json_get_number(result, "wall_shift_uncertainty_mm");
    gap_bridge_read(result, &report->gaps);
    TRY(image_read(phi_path, NULL, t->phi));
    const char *method = json_get_text(result, "method");
    report->from_surface = method && strcmp(method, "surface") == 0;
    if (t->before.segment.labels_path && !t->c->image.path)
        TRY(image_read(lumen, NULL, mask));
    if (t->before.image.path || t->before.segment.labels_path)
        TRY(image_read_geometry(lumen, NULL, &t->grid));
cleanup:
    cJSON_Delete(record);
    cJSON_Delete(scratch);
    free(folder);
    free(phi_path);
    free(case_path);
    free(out);
    free(lumen);
    return rc;
}

static int place_openings(treatment *t) {
    const int n = t->before.n_opening;
    t->opening_mm = calloc((size_t)n + 1, sizeof *t->opening_mm);
    t->kept = calloc((size_t)n + 1, sizeof *t->kept);
    t->curve = calloc((size_t)t->c->n_treat + 1, sizeof *t->curve);
    if (!t->opening_mm || !t->kept || !t->curve)
        return fail_memory("the treatment", 64.0 * n);
    for (int k = 0; k < n; k++) {
        case_point_lps(&t->before, t->before.opening[k].point, t->image, t->opening_mm[k]);
        t->kept[k] = case_find_opening(t->c, t->before.opening[k].name) != NULL;
    }
    t->branches = (treat_branches){.c = &t->before, .whole = t->image};
    if (n == 0)
        return OK; /* no branch has a name */
    return treat_branches_find(&t->before, t->image, t->phi, (const double(*)[3])t->opening_mm, &t->branches);
}

/* -------------------------------------------------------------------------------------------------------- curves */

/* LPS point of an end of a stent. */
static int place_spot(const treatment *t, const char *what, const case_spot *spot, double p[3]) {
    double mm, tangent[3], radius;
    int branch, rc = OK;
    if (!spot->branch) {
        case_point_lps(t->c, spot->point, t->image, p);
        return OK;
    }
    TRY(treat_branches_number(&t->branches, what, spot->branch, &branch));
    TRY(treat_branches_abscissa(&t->branches, what, branch, spot, &mm));
    treat_branches_place(&t->branches, branch, mm, p, tangent, &radius);
cleanup:
    return rc;
}

static int check_diameter(const treatment *t, const char *what, double diameter_mm) {
    if (diameter_mm >= LEAST_VOXELS * t->voxel_mm)
        return OK;
    return fail(ERR_INPUT,
                "%s: the diameter %.3g mm is below two voxels (%.3g mm), so the lumen cannot show it; give a "
                "larger diameter",
                what, diameter_mm, LEAST_VOXELS * t->voxel_mm);
}

/* Checks that the whole tube is inside the image. */
static int check_inside(const treatment *t, const char *what, const treat_curve *c, double radius_mm) {
    char where[CASE_WHERE];
    for (int n = 0; n < c->n && t->grid.dims[0] > 0; n++) {
        double index[3];
        volume_to_index(&t->grid, c->point[n], index);
        for (int a = 0; a < 3; a++) {
            const double r = radius_mm / t->grid.spacing_mm[a];
            if (index[a] - r < -0.5 || index[a] + r > t->grid.dims[a] - 0.5)
                return fail(ERR_INPUT, "%s: its tube leaves the image near %s; move its points inwards", what,
                            case_write_point(t->c, c->point[n], where));
        }
    }
    return OK;
}

/* Checks the points of a stent: they must be inside the image or, without an image, near the lumen, because the tube
 * enlarges the grid. */
static int check_reach(const treatment *t, const char *what, int n, double (*point)[3]) {
    double low[3] = {0}, high[3], voxels = 1, index[3];
    for (int a = 0; a < 3; a++)
        high[a] = t->phi->dims[a];
    for (int k = 0; k < n; k++) {
        volume_to_index(t->phi, point[k], index);
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], index[a]);
            high[a] = fmax(high[a], index[a]);
        }
    }
    for (int a = 0; a < 3; a++)
        voxels *= high[a] - low[a];
    if (t->grid.dims[0] == 0 && voxels > MORE_VOXELS * (double)volume_size(t->phi))
        return fail(ERR_INPUT,
                    "%s: its points enlarge the grid of the lumen %.3g times, more than %g times; move them nearer to "
                    "the lumen",
                    what, voxels / (double)volume_size(t->phi), MORE_VOXELS);
    return check_inside(t, what, &(treat_curve){.n = n, .point = point}, 0);
}

static double phi_at(const treatment *t, const double p[3]) {
    return volume_contains(t->phi, p) ? volume_sample(t->phi, p) : INFINITY;
}

/* Checks one end of a stent: it must be in the lumen, or outside the lumen at a new opening. */
static int check_end(const treatment *t, const char *what, const char *end, const double p[3], const char *opening) {
    char where[CASE_WHERE];
    const double d = phi_at(t, p);
    if (!opening && !(d < 0))
        return fail(ERR_INPUT,
                    "%s: the end '%s' of the stent at %s is outside the lumen, so the stent does not reach "
                    "the vessel; move this point into the vessel%s",
                    what, end, case_write_point(t->c, p, where),
                    strcmp(end, "to") == 0 ? ", or give opening and pressure for a new opening" : "");
    if (opening && d < 0)
        return fail(ERR_INPUT,
                    "%s: the opening '%s' at %s is inside the lumen; a stent between two points of the lumen "
                    "needs no opening",
                    what, opening, case_write_point(t->c, p, where));
    return OK;
}

/* Checks the pieces of lumen that a stent meets. The liver is known for one piece only, so a stent must neither join
 * two pieces nor leave one of several pieces. */
static int check_pieces(const treatment *t, const char *what, bool opening, const double (*end)[3]) {
    disconnection found = {.opening = {-1, -1}};
    int rc = OK;
    if (opening)
        TRY(disconnection_find(t->phi, t->before.n_opening, (const double(*)[3])t->opening_mm, 3 * t->voxel_mm,
                               &found));
    else
        TRY(disconnection_find(t->phi, 2, end, 3 * t->voxel_mm, &found));
    if (found.opening[0] < 0)
        return OK;
    if (opening)
        return fail(ERR_INPUT,
                    "%s: the openings '%s' and '%s' are in separate pieces of the lumen, so the outlets of the liver "
                    "are unknown; segment only the piece with the stent",
                    what, t->before.opening[found.opening[0]].name, t->before.opening[found.opening[1]].name);
    return fail(
        ERR_INPUT,
        "%s: the ends of the stent are in two separate vessels of the lumen, such as portal vein and cava, which "
        "a stent cannot join here; give opening and pressure for the end of the stent, and segment only the "
        "vessel at its start",
        what);
cleanup:
    return rc;
}

static int make_stent(treatment *t, const case_treatment *of, const char *what, treat_curve *curve) {
    double point[POINTS_MAX][3] = {{0}};
    int n = 0, rc = OK;
    TRY(check_diameter(t, what, of->diameter_mm));
    if (of->opening && !case_find_opening(t->c, of->opening))
        GIVE_UP(fail(ERR_INPUT, "%s: the case has no opening '%s'; add it at the end of the stent", what, of->opening));
    TRY(place_spot(t, what, &of->from, point[n++]));
    for (int k = 0; k < of->n_via; k++)
        case_point_lps(t->c, of->via[k], t->image, point[n++]);
    TRY(place_spot(t, what, &of->to, point[n++]));
    TRY(check_reach(t, what, n, point));
    /* the plane of a new opening needs a whole cross-section behind it */
    TRY(treat_curve_through(n, (const double(*)[3])point, STEP_VOXELS * t->voxel_mm,
                            of->opening ? of->diameter_mm / 2 : 0, curve));
    TRY(check_inside(t, what, curve, of->diameter_mm / 2));
    TRY(check_end(t, what, "from", point[0], NULL));
    TRY(check_end(t, what, "to", point[n - 1], of->opening));
    TRY(check_pieces(t, what, of->opening != NULL,
                     (const double[2][3]){{point[0][0], point[0][1], point[0][2]},
                                          {point[n - 1][0], point[n - 1][1], point[n - 1][2]}}));
cleanup:
    return rc;
}

static int make_dilatation(treatment *t, const case_treatment *of, const char *what, treat_curve *curve) {
    double from, to, p[3], tangent[3], radius;
    int branch, rc = OK;
    TRY(check_diameter(t, what, of->diameter_mm));
    TRY(treat_branches_number(&t->branches, what, of->from.branch, &branch));
    TRY(treat_branches_abscissa(&t->branches, what, branch, &of->from, &from));
    TRY(treat_branches_abscissa(&t->branches, what, branch, &of->to, &to));
    if (!(from < to))
        GIVE_UP(fail(ERR_INPUT, "%s: from (%.4g mm) must be before to (%.4g mm) along the branch", what, from, to));
    const int n = (int)ceil((to - from) / (STEP_VOXELS * t->voxel_mm)) + 1;
    curve->point = calloc((size_t)n + 1, sizeof *curve->point);
    if (!curve->point)
        GIVE_UP(fail_memory("a curve", 24.0 * n));
    for (int k = 0; k <= n; k++) {
        treat_branches_place(&t->branches, branch, from + (to - from) * k / n, p, tangent, &radius);
        memcpy(curve->point[curve->n++], p, sizeof p);
    }
    curve->length_mm = to - from;
    TRY(check_inside(t, what, curve, of->diameter_mm / 2));
cleanup:
    return rc;
}

/* Enlarges the grid of phi so that it holds all tubes. */
static int enlarge_grid(treatment *t) {
    grid_box box = {{0, 0, 0}, {t->phi->dims[0] - 1, t->phi->dims[1] - 1, t->phi->dims[2] - 1}};
    volume larger = {0};
    bool grows = false;
    int rc = OK;
    for (int k = 0; k < t->c->n_treat; k++)
        for (int n = 0; n < t->curve[k].n; n++) {
            double index[3];
            volume_to_index(t->phi, t->curve[k].point[n], index);
            for (int a = 0; a < 3; a++) {
                const double r = t->c->treat[k].diameter_mm / 2 / t->phi->spacing_mm[a] + MARGIN;
                const int low = (int)floor(index[a] - r), high = (int)ceil(index[a] + r);
                grows = grows || low < box.low[a] || high > box.high[a];
                box.low[a] = low < box.low[a] ? low : box.low[a];
                box.high[a] = high > box.high[a] ? high : box.high[a];
            }
        }
    if (!grows)
        return OK;
    TRY(grid_crop(t->phi, &box, (float)(MARGIN * t->voxel_mm), &larger)); /* the added voxels get a value far outside
                                                                           * the vessel */
    volume_free(t->phi);
    *t->phi = larger;
cleanup:
    return rc;
}

/* ------------------------------------------------------------------------------------------------------- changes */

static int close_branch(treatment *t, const case_treatment *of, const char *what, treat_effect *effect,
                        closed_disc *disc) {
    double mm, p[3], tangent[3], radius;
    int branch, rc = OK;
    TRY(treat_branches_number(&t->branches, what, of->from.branch, &branch));
    TRY(treat_branches_abscissa(&t->branches, what, branch, &of->from, &mm));
    treat_branches_place(&t->branches, branch, mm, p, tangent, &radius);
    if (!(phi_at(t, p) < 0))
        return OK; /* the branch was closed before; the caller refuses a change without changed voxels */
    *disc = (closed_disc){{p[0], p[1], p[2]}, fmax(DISC_VOXELS * t->voxel_mm, radius), radius};
    rc = treat_remove_disc(what, p, tangent, radius, disc->thick_mm, t->phi, effect);
cleanup:
    return rc;
}

/* Checks that a change does not reach an opening of the vessel that remains. */
static int check_openings(const treatment *t, const char *what, const double *radius_mm, const treat_effect *effect) {
    for (int k = 0; k < effect->n_opening; k++) {
        const double clear = CLEAR_RADII * radius_mm[k] + t->voxel_mm;
        if (t->kept[k] && effect->nearest_mm[k] < clear)
            return fail(ERR_INPUT,
                        "%s: the treatment changes the vessel %.1f mm from the opening '%s', but must leave it "
                        "unchanged within %.1f mm of an opening; end the treatment farther away",
                        what, effect->nearest_mm[k], t->before.opening[k].name, clear);
    }
    return OK;
}

static int apply_change(treatment *t, int k, const double *radius_mm, treat_effect *effect, treated_report *report) {
    const case_treatment *of = &t->c->treat[k];
    char what[WHAT];
    int rc = OK;
    write_what(t->c, of, what);
    effect->volume_ml = 0;
    for (int n = 0; n < effect->n_opening; n++)
        effect->nearest_mm[n] = INFINITY;
    if (of->kind == TREAT_CLOSE)
        TRY(close_branch(t, of, what, effect, &report->disc[k]));
    else
        treat_unite_tube(&t->curve[k], of->diameter_mm / 2, MARGIN * t->voxel_mm, t->phi, effect);
    if (effect->volume_ml <= 0)
        GIVE_UP(fail(
            ERR_INPUT,
            of->kind == TREAT_CLOSE
                ? "%s: the branch is already closed there"
                : "%s: the lumen there already has the given diameter, so nothing changes; give a larger diameter, "
                  "or remove the entry",
            what));
    TRY(check_openings(t, what, radius_mm, effect));
    report->length_mm[k] = of->kind == TREAT_CLOSE ? report->disc[k].thick_mm : t->curve[k].length_mm;
    report->volume_ml[k] = of->kind == TREAT_CLOSE ? -effect->volume_ml : effect->volume_ml;
    message_info("%s: %s %.3g mL", kind_name[of->kind], of->kind == TREAT_CLOSE ? "removes" : "adds",
                 effect->volume_ml);
cleanup:
    return rc;
}

/* Refuses a treatment after which two remaining openings are no longer connected. opening [n]: index of each remaining
 * opening in t->before; at_mm [n]: their points, LPS. whole: all openings were connected before the treatment; if not,
 * nothing is checked. */
static int check_connection(const treatment *t, int n, const int *opening, const double (*at_mm)[3], bool whole) {
    disconnection now;
    int rc = OK;
    if (!whole || n < 2)
        return OK;
    TRY(disconnection_find(t->phi, n, at_mm, 3 * t->voxel_mm, &now));
    if (now.opening[0] >= 0)
        return fail(ERR_INPUT,
                    "the treatment separates the openings '%s' and '%s': no blood can flow between them; "
                    "remove the openings of one part from the case",
                    t->before.opening[opening[now.opening[0]]].name, t->before.opening[opening[now.opening[1]]].name);
cleanup:
    return rc;
}

static int apply_changes(treatment *t, treated_report *report) {
    const int n_opening = t->before.n_opening;
    treat_effect effect = {.n_opening = n_opening, .opening_mm = (const double(*)[3])t->opening_mm};
    double *radius_mm = calloc((size_t)n_opening + 1, sizeof *radius_mm),
           (*at_mm)[3] = calloc((size_t)n_opening + 1, sizeof *at_mm);
    int *opening = calloc((size_t)n_opening + 1, sizeof *opening), n = 0, rc = OK;
    disconnection first;
    effect.nearest_mm = calloc((size_t)n_opening + 1, sizeof *effect.nearest_mm);
    if (!radius_mm || !at_mm || !opening || !effect.nearest_mm)
        GIVE_UP(fail_memory("the treatment", 64.0 * n_opening));
    for (int k = 0; k < n_opening; k++)
        if (t->kept[k]) {
            memcpy(at_mm[n], t->opening_mm[k], sizeof at_mm[n]);
            opening[n++] = k;
        }
    for (int k = 0; k < t->branches.line.n_node; k++)
        if (t->branches.line.node[k].given >= 0)
            radius_mm[t->branches.line.node[k].given] = t->branches.line.node[k].radius_mm;
    TRY(disconnection_find(t->phi, n, (const double(*)[3])at_mm, 3 * t->voxel_mm, &first));
    for (int k = 0; k < t->c->n_treat; k++)
        TRY(apply_change(t, k, radius_mm, &effect, report));
    TRY(check_connection(t, n, opening, (const double(*)[3])at_mm, first.opening[0] < 0));
cleanup:
    free(radius_mm);
    free(at_mm);
    free(opening);
    free(effect.nearest_mm);
    return rc;
}

int treated_lumen(const case_file *c, const volume *image, cJSON *json, volume *mask, volume *phi, surface *wall,
                  wall_uncertainty *wall_error, treated_report *report) {
    treatment t = {.c = c, .image = image, .phi = phi};
    char what[WHAT];
    int rc = OK;
    *report = (treated_report){.n = c->n_treat,
                               .length_mm = calloc((size_t)c->n_treat + 1, sizeof *report->length_mm),
                               .volume_ml = calloc((size_t)c->n_treat + 1, sizeof *report->volume_ml),
                               .disc = calloc((size_t)c->n_treat + 1, sizeof *report->disc)};
    if (!report->length_mm || !report->volume_ml || !report->disc)
        GIVE_UP(fail_memory("the treatment", 16.0 * c->n_treat));
    TRY(read_before(&t, json, mask, wall_error, report));
    t.voxel_mm = volume_thickest_mm(phi);
    TRY(place_openings(&t));
    for (int k = 0; k < c->n_treat; k++) {
        const case_treatment *of = &c->treat[k];
        write_what(c, of, what);
        if (of->kind == TREAT_STENT)
            TRY(make_stent(&t, of, what, &t.curve[k]));
        else if (of->kind == TREAT_DILATE)
            TRY(make_dilatation(&t, of, what, &t.curve[k]));
    }
    TRY(enlarge_grid(&t));
    TRY(apply_changes(&t, report));
    TRY(surface_from_phi(phi, wall));
cleanup:
    treatment_free(&t);
    return rc;
}
