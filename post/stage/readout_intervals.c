/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of work.h: intervals of the readouts from the other runs of the grid sequence
 * (mesh.grid_levels). */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/base/vec.h"
#include "common/lattice/lattice_file.h"
#include "common/lattice/resolution.h"
#include "common/record/json.h"
#include "common/surface_vtk/vtk_surface.h"
#include "post/stage/work.h"
#include "post/flow/solution.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 300, LEVELS_MAX = 4 };

/* One run of the grid sequence other than the run on the finest lattice. */
typedef struct {
    const cJSON *entry; /* entry of result.grid_sequence in solve.json */
    double spacing_mm, shift_mm;
    const char *porous_of; /* name of the porous region of which the run changes the permeability; NULL: none */
    const char *flow_of;   /* name of the opening of which the run changes a prescribed quantity; NULL: none */
    const char *split_of;  /* pressure of the split that the run changes (case_split_pressures); NULL: none */
    const char *blood;     /* model of the run with shear-thinning blood; NULL: the model of the case */
    double error;          /* relative standard error of the means (solution_error_of_means) */
    bool settled;          /* false: the run has no result, and its values are NaN */
    double *value;         /* [n] values in the order of readouts_values */
} sequence_run;

typedef struct {
    int n, n_run;
    sequence_run r[RUNS_MAX];
} grid_sequence;

static const cJSON *list_of(const post_work *p) {
    return json_find(p->stage[REPORT_SOLVE], "result/grid_sequence");
}

double grid_sequence_coarsest_mm(const post_work *p) {
    const cJSON *entry;
    double coarsest_mm = p->l.spacing_mm;
    cJSON_ArrayForEach(entry, list_of(p)) {
        coarsest_mm = fmax(coarsest_mm, json_get_number(entry, "spacing_mm")); /* fmax ignores NaN, a missing spacing */
    }
    return coarsest_mm;
}

/* Lattice and wall, which several runs may share. */
typedef struct {
    lattice l;
    surface lumen;
} run_geometry;

static void geometry_free(run_geometry *m) {
    surface_free(&m->lumen);
    lattice_free(&m->l);
}

/* Solution and fields of a run. */
typedef struct {
    solution run;
    fields f;
    sampler s;
    wall w;
    readouts r;
    double *wss, *pressure;
} run_work;

static void work_free(run_work *k) {
    free(k->wss);
    free(k->pressure);
    readouts_free(&k->r);
    wall_free(&k->w);
    sampler_free(&k->s);
    fields_free(&k->f);
    solution_free(&k->run);
}

static int record_input(post_work *p, int stage, const char *name, cJSON *json, char path[FILE_PATH_MAX]) {
    return name && !strchr(name, '/')
               ? inputs_take(p, stage, name, json, path)
               : fail(ERR_INPUT, "solve.json lists a run of mesh.grid_levels without its files; run solve again");
}

static int geometry_read(post_work *p, const sequence_run *g, cJSON *json, run_geometry *m) {
    char lattice_path[FILE_PATH_MAX], surface_path[FILE_PATH_MAX];
    int rc;
    TRY(record_input(p, REPORT_MESH, json_get_text(g->entry, "lattice"), json, lattice_path));
    TRY(record_input(p, REPORT_MESH, json_get_text(g->entry, "surface"), json, surface_path));
    TRY(lattice_file_read(lattice_path, &m->l));
    TRY(surface_read(surface_path, 1, 0, &m->lumen));
cleanup:
    return rc;
}

/* Reads the fields of a run. The sampler keeps a pointer to the lattice of m. */
static int work_read(post_work *p, const sequence_run *g, const run_geometry *m, cJSON *json, run_work *k) {
    char fields_path[FILE_PATH_MAX];
    int rc;
    TRY(solution_take(g->entry, &m->l, &k->run));
    TRY(record_input(p, REPORT_SOLVE, k->run.mean_file, json, fields_path));
    TRY(field_file_read(fields_path, &m->l, &k->f));
    TRY(sampler_create(&k->s, &m->l, &k->f));
cleanup:
    return rc;
}

static int work_wall(const post_work *p, const run_geometry *m, run_work *k) {
    int rc;
    TRY(wall_values_make(&p->c, &k->s, &m->lumen, p->coarsest_mm, &k->f, &k->w, &k->wss, &k->pressure));
    double *const magnitude = k->pressure; /* magnitude reuses the array of the pressure on the wall, which is no longer
                                            * needed */
    for (int64_t i = 0; i < k->w.shape.n_point; i++)
        magnitude[i] = vec_length(k->wss + 3 * i);
    TRY(wall_measure(&k->w, magnitude, &k->r.wss));
cleanup:
    return rc;
}

/* Corrects the pressures behind the openings of a run with a changed distal pressure: readouts_form_instant sets them
 * from the case. */
static void change_distal(const case_file *c, const sequence_run *g, readouts *r) {
    const bool split = g->split_of && strcmp(g->split_of, case_split_pressures[SPLIT_DISTAL]) == 0;
    const double change_pa = json_get_number(g->entry, split ? "split_change_pa" : "distal_change_pa");
    for (int k = 0; isfinite(change_pa) && k < r->n_opening; k++) {
        const case_opening *o = case_find_opening(c, r->place[k].name);
        const bool changed = split ? o && isfinite(o->split_share) : strcmp(r->place[k].name, g->flow_of) == 0;
        if (r->place[k].behind_given && changed)
            r->place[k].behind_pa += change_pa;
    }
}

/* Reads one run and forms its readouts, in the planes of the sections of the finest lattice. */
static int read_run(post_work *p, sequence_run *g, const run_geometry *m, int n, cJSON *json) {
    run_work *k = calloc(1, sizeof *k);
    readouts_value *list = calloc((size_t)n, sizeof *list);
    int rc = k && list ? OK : fail_memory("the grid sequence", 4096);
    TRY(rc);
    TRY(work_read(p, g, m, json, k));
    TRY(readouts_form_instant(&p->c, &k->s, &k->f, &p->r, &k->run, NAN, &k->r));
    change_distal(&p->c, g, &k->r);
    for (int i = 0; i < p->c.n_readout; i++)
        if (p->c.readout[i].kind == READOUT_PPG)
            TRY(ppg_form(k->r.n_opening + k->r.n_section, k->r.place, &p->c.readout[i], &k->r.ppg[k->r.n_ppg++],
                         &k->r.notes));
    TRY(work_wall(p, m, k));
    k->r.velocity_max_m_s = wall_values_highest_speed(&k->s, &k->f);
    if (readouts_values(&k->r, list) != n)
        GIVE_UP(
            fail(ERR_INPUT,
                 "a lattice of mesh.grid_levels has other openings than the finest lattice; run mesh and solve again"));
    g->settled = k->run.converged;
    for (int i = 0; i < n; i++)
        g->value[i] = k->run.converged ? *list[i].value : NAN;
cleanup:
    if (k)
        work_free(k);
    free(k);
    free(list);
    return rc;
}

static bool has_text(const cJSON *entry, const char *key, const char *text) {
    const char *own = json_get_text(entry, key);
    return own && strcmp(own, text) == 0;
}

/* Reads all runs that have the lattice and the surface of run `first`. */
static int read_lattice_runs(post_work *p, grid_sequence *a, int first, cJSON *json) {
    const char *of_lattice = json_get_text(a->r[first].entry, "lattice"),
               *of_surface = json_get_text(a->r[first].entry, "surface");
    run_geometry m = {0};
    int rc;
    TRY(geometry_read(p, &a->r[first], json, &m));
    for (int k = first; k < a->n_run; k++) {
        sequence_run *g = &a->r[k];
        if (g->value || !has_text(g->entry, "lattice", of_lattice) || !has_text(g->entry, "surface", of_surface))
            continue;
        g->value = malloc((size_t)a->n * sizeof *g->value);
        if (!g->value)
            GIVE_UP(fail_memory("the grid sequence", 8.0 * a->n));
        TRY(read_run(p, g, &m, a->n, json));
    }
cleanup:
    geometry_free(&m);
    return rc;
}

static int read_sequence(post_work *p, grid_sequence *a, cJSON *json) {
    const cJSON *entry;
    int rc = OK;
    cJSON_ArrayForEach(entry, list_of(p)) {
        if (a->n_run == RUNS_MAX)
            return fail(ERR_INPUT, "solve.json lists more than %d runs; run solve again", RUNS_MAX);
        sequence_run *g = &a->r[a->n_run++];
        *g = (sequence_run){.entry = entry,
                            .spacing_mm = json_get_number(entry, "spacing_mm"),
                            .shift_mm = json_get_number(entry, "wall_shift_mm"),
                            .flow_of = json_get_text(entry, "flow_of"),
                            .porous_of = json_get_text(entry, "porous_of"),
                            .split_of = json_get_text(entry, "split_of"),
                            .blood = json_get_text(entry, "blood"),
                            .error = solution_error_of_means(json_find(entry, "result"))};
    }
    for (int k = 0; k < a->n_run; k++)
        if (!a->r[k].value)
            TRY(read_lattice_runs(p, a, k, json));
cleanup:
    return rc;
}

/* True for a run without a changed wall, value or blood model. */
static bool is_level(const sequence_run *g) {
    return g->shift_mm == 0 && !g->flow_of && !g->porous_of && !g->split_of && !g->blood;
}

/* Finds the run with the spacing of run g and without a changed wall, value or blood model; NULL: none. */
static const sequence_run *find_unmoved(const grid_sequence *a, const sequence_run *g) {
    for (int k = 0; k < a->n_run; k++)
        if (is_level(&a->r[k]) && a->r[k].spacing_mm == g->spacing_mm)
            return &a->r[k];
    return NULL;
}

static const sequence_run *find_moved(const grid_sequence *a, int sign) {
    for (int k = 0; k < a->n_run; k++)
        if (a->r[k].shift_mm * sign > 0)
            return &a->r[k];
    return NULL;
}

/* Discretization error of value i, with its interval. The values are sorted finest lattice first, while solve.json
 * lists the runs coarsest first. */
static interval lattice_part(const post_work *p, const grid_sequence *a, int i, const double *number) {
    const double exact = readouts_exact_pa(&p->r, number);
    const bool known = readouts_follows(&p->r, &p->c, number);
    double spacing_mm[LEVELS_MAX] = {p->l.spacing_mm}, value[LEVELS_MAX] = {*number - exact};
    double error[LEVELS_MAX] = {solution_error_of_means(json_find(p->stage[REPORT_SOLVE], "result"))};
    int n = 1;
    for (int k = 0; k < a->n_run && n < LEVELS_MAX; k++) {
        const sequence_run *g = &a->r[k];
        int at = n;
        if (!is_level(g) || !(g->spacing_mm > p->l.spacing_mm))
            continue;
        for (; at > 1 && spacing_mm[at - 1] > g->spacing_mm; at--) {
            spacing_mm[at] = spacing_mm[at - 1];
            value[at] = value[at - 1];
            error[at] = error[at - 1];
        }
        spacing_mm[at] = g->spacing_mm;
        value[at] = known && g->settled ? *number : g->value[i] - exact;
        error[at] = g->error;
        n++;
    }
    interval u = interval_of_lattices(n, spacing_mm, value, case_uses_cumulants(&p->c));
    interval_of_two_flows(n, spacing_mm, value, error, &u);
    interval_of_means(n, spacing_mm, value, error, &u);
    u.value += exact;
    u.finest += exact;
    return u;
}

static const cJSON *entry_of(const sequence_run *g) {
    return g ? g->entry : NULL;
}

static bool is_exact_wall(const post_work *p) {
    const double given_mm =
        json_get_number(cJSON_GetObjectItemCaseSensitive(p->stage[REPORT_MESH], "result"), "wall_uncertainty_mm");
    return given_mm == 0 || (p->c.mesh.has_shape && !isfinite(given_mm));
}

/* Change of value i if the wall moves outwards by its uncertainty; 0: the wall is known exactly. */
static double wall_change(const post_work *p, const grid_sequence *a, int i, const interval *u) {
    const sequence_run *narrower = find_moved(a, -1), *wider = find_moved(a, 1),
                       *same = wider ? find_unmoved(a, wider) : NULL;
    if (is_exact_wall(p))
        return 0;
    return narrower && same ? copysign(interval_of_image(u, narrower->value[i], same->value[i], wider->value[i]),
                                       wider->value[i] - narrower->value[i])
                            : NAN;
}

/* Change of value i if one quantity of opening o rises by the half-width of its 95 % interval. distal true: its distal
 * pressure; false: its prescribed value. 0: the quantity is exact; NaN: its run is missing or did not settle. */
static double opening_change(const grid_sequence *a, int i, const case_opening *o, bool distal) {
    const double error = distal ? o->distal_error : o->value_error;
    double part = error > 0 ? NAN : 0;
    for (int k = 0; k < a->n_run; k++) {
        const sequence_run *g = &a->r[k], *same = find_unmoved(a, g);
        const double change = distal ? json_get_number(g->entry, "distal_change_pa")
                                     : o->value * (json_get_number(g->entry, "flow_factor") - 1);
        if (same && g->flow_of && strcmp(g->flow_of, o->name) == 0 && isfinite(change))
            part = copysign(1, change) * interval_of_input(g->value[i], same->value[i], change, error);
    }
    return part;
}

/* As opening_change, for the permeability of a porous region. */
static double porous_change(const grid_sequence *a, int i, const case_porous *p) {
    double part = p->permeability_error > 0 ? NAN : 0;
    for (int k = 0; k < a->n_run; k++) {
        const sequence_run *g = &a->r[k], *same = find_unmoved(a, g);
        const double change = p->permeability_m2 * (json_get_number(g->entry, "permeability_factor") - 1);
        if (same && g->porous_of && strcmp(g->porous_of, p->name) == 0 && isfinite(change))
            part = copysign(1, change) * interval_of_input(g->value[i], same->value[i], change, p->permeability_error);
    }
    return part;
}

/* As opening_change, for a pressure of the split. */
static double split_change(const grid_sequence *a, int i, const case_file *c, int pressure) {
    const double error = c->split.pressure_error[pressure];
    double part = error > 0 ? NAN : 0;
    for (int k = 0; k < a->n_run; k++) {
        const sequence_run *g = &a->r[k], *same = find_unmoved(a, g);
        const double change = json_get_number(g->entry, "split_change_pa");
        if (same && g->split_of && strcmp(g->split_of, case_split_pressures[pressure]) == 0 && isfinite(change))
            part = copysign(1, change) * interval_of_input(g->value[i], same->value[i], change, error);
    }
    return part;
}

/* Part of the interval of value i due to an unknown blood model: difference between the run with shear-thinning blood
 * and the run with Newtonian blood. NaN: a run is missing or did not settle. */
static double blood_part(const post_work *p, const grid_sequence *a, int i) {
    double part = p->c.blood.unknown ? NAN : 0;
    for (int k = 0; k < a->n_run; k++) {
        const sequence_run *same = a->r[k].blood ? find_unmoved(a, &a->r[k]) : NULL;
        if (same)
            part = fabs(a->r[k].value[i] - same->value[i]);
    }
    return part;
}

/* Input uncertainty of a portal pressure gradient, or of its liver term, from the resistance of the liver: half-width
 * of the 95 % interval, Pa. */
static double liver_part(const post_work *p, const double *value) {
    int g = 0;
    for (int k = 0; k < p->c.n_readout; k++) {
        const case_readout *given = &p->c.readout[k];
        if (given->kind != READOUT_PPG)
            continue;
        const ppg *one = &p->r.ppg[g++];
        for (int t = 0; t < one->n_term; t++)
            if (one->term[t].kind == PPG_MODELLED && given->liver_error > 0 &&
                (value == &one->value_pa || value == &one->term[t].value_pa))
                return given->liver_error * one->term[t].flow_ml_s * 1e-6;
    }
    return 0;
}

static bool is_uncertain_liver(const case_file *c) {
    for (int k = 0; k < c->n_readout; k++)
        if (c->readout[k].kind == READOUT_PPG && c->readout[k].liver_error > 0)
            return true;
    for (int k = 0; k < c->n_opening; k++)
        if (case_opening_is_liver(c, &c->opening[k]) && c->opening[k].value_error > 0)
            return true;
    return false;
}

/* Quantity that an opening prescribes. It is a part of the name of an uncertain input, such as "flow PV". */
static const char *quantity_of(const case_opening *o) {
    return isfinite(o->split_share)             ? "share"
           : case_opening_is_model(o)           ? "resistance"
           : o->condition == CONDITION_PRESSURE ? "pressure"
                                                : "flow";
}

static void write_input(readouts *r, const char *quantity, const char *name) {
    snprintf(r->input_name[r->n_input++], READOUTS_INPUT, "%s%s%s", quantity, *name ? " " : "", name);
}

/* Lists the uncertain inputs. The resistances of a liver at the outlets are one input. */
static int list_inputs(const post_work *p, readouts *r) {
    const size_t n = 2 * (size_t)p->c.n_opening + (size_t)p->c.n_porous + SPLIT_PRESSURES + 2;
    r->input_name = calloc(n, sizeof *r->input_name);
    r->input_change = calloc(n * (size_t)r->n_interval + 1, sizeof *r->input_change);
    if (!r->input_name || !r->input_change)
        return fail_memory("the intervals", 8.0 * (double)n * r->n_interval);
    if (!is_exact_wall(p))
        write_input(r, "wall", "");
    for (int k = 0; k < p->c.n_opening; k++) {
        const case_opening *o = &p->c.opening[k];
        if (o->value_error > 0 && !case_opening_is_liver(&p->c, o))
            write_input(r, quantity_of(o), o->name);
        if (o->distal_error > 0)
            write_input(r, "distal", o->name);
    }
    for (int k = 0; k < SPLIT_PRESSURES; k++)
        if (p->c.split.pressure_error[k] > 0)
            write_input(r, "split", case_split_pressures[k]);
    for (int k = 0; k < p->c.n_porous; k++)
        if (p->c.porous[k].permeability_error > 0)
            write_input(r, "permeability", p->c.porous[k].name);
    if (is_uncertain_liver(&p->c))
        write_input(r, "liver", "");
    return OK;
}

/* Sets the change of value i by each input, in the order of list_inputs. wider: change of the value if the wall moves
 * outwards. Returns the input uncertainty of the value; NaN: the error of an input is unknown. */
static double form_changes(const post_work *p, const grid_sequence *a, int i, double wider, double *change) {
    double square = 0, liver = liver_part(p, p->r.interval_of[i].value);
    int n = 0;
    if (!is_exact_wall(p))
        change[n++] = wider;
    for (int k = 0; k < p->c.n_opening; k++) {
        const case_opening *o = &p->c.opening[k];
        const double value = opening_change(a, i, o, false), distal = opening_change(a, i, o, true);
        const bool is_liver = case_opening_is_liver(&p->c, o);
        liver += is_liver ? value : 0;
        square += distal * distal + (is_liver ? 0 : value * value);
        if (o->value_error > 0 && !is_liver)
            change[n++] = value;
        if (o->distal_error > 0)
            change[n++] = distal;
    }
    for (int k = 0; k < SPLIT_PRESSURES; k++) {
        const double value = split_change(a, i, &p->c, k);
        square += value * value;
        if (p->c.split.pressure_error[k] > 0)
            change[n++] = value;
    }
    for (int k = 0; k < p->c.n_porous; k++) {
        const double value = porous_change(a, i, &p->c.porous[k]);
        square += value * value;
        if (p->c.porous[k].permeability_error > 0)
            change[n++] = value;
    }
    if (is_uncertain_liver(&p->c))
        change[n++] = liver;
    return case_inlet_of_unknown_error(&p->c) ? NAN : sqrt(square + liver * liver);
}

/* Input uncertainty of a portal pressure gradient or of its modelled term, Pa, by the formula of ppg_inputs_pa, which
 * needs no further runs. 0 for all other values. */
static double formula_part(const post_work *p, const double *value) {
    for (int k = 0; k < p->r.n_ppg; k++) {
        const ppg *g = &p->r.ppg[k];
        double sum = 0;
        for (int t = 0; t < g->n_term; t++) {
            const double part = ppg_inputs_pa(&g->term[t]);
            if (value == &g->term[t].value_pa)
                return part;
            sum = hypot(sum, part);
        }
        if (value == &g->value_pa && isfinite(g->value_pa))
            return sum;
    }
    return 0;
}

/* For a value without an interval from lattices: sets the input uncertainty of a portal pressure gradient or of its
 * modelled term. */
static void take_formula(const post_work *p, const double *value, interval *u) {
    const double part = formula_part(p, value);
    if (!(part > 0) || isfinite(interval_known(u)))
        return;
    u->kind = INTERVAL_INPUTS;
    u->inputs = part;
}

/* Sets the input uncertainties for a run on one lattice. */
static int form_inputs(post_work *p) {
    readouts *r = &p->r;
    const int n = readouts_values(r, NULL);
    r->blood_unknown = p->c.blood.unknown;
    r->interval_of = calloc((size_t)n, sizeof *r->interval_of);
    r->interval = calloc((size_t)n, sizeof *r->interval);
    if (!r->interval_of || !r->interval)
        return fail_memory("the intervals", 100.0 * n);
    readouts_values(r, r->interval_of);
    for (int i = 0; i < n; i++) {
        const double one_mm = p->l.spacing_mm;
        interval u = interval_of_lattices(1, &one_mm, r->interval_of[i].value, case_uses_cumulants(&p->c));
        u.blood = p->c.blood.unknown ? NAN : 0;
        take_formula(p, r->interval_of[i].value, &u);
        if (u.kind != INTERVAL_INPUTS)
            continue;
        r->interval_of[r->n_interval] = r->interval_of[i];
        r->interval[r->n_interval++] = u;
    }
    if (r->n_interval == 0) { /* without intervals the pointer must be NULL, because other code tests it */
        free(r->interval);
        r->interval = NULL;
    }
    return OK;
}

static int note_refused(post_work *p, const grid_sequence *a, int i) {
    const interval *u = &p->r.interval[i];
    const readouts_value *v = &p->r.interval_of[i];
    char text[160] = "";
    if (u->kind != INTERVAL_REFUSED)
        return OK;
    for (int k = 0; k < a->n_run; k++)
        if (is_level(&a->r[k]))
            snprintf(text + strlen(text), sizeof text - strlen(text), ", %.4g", a->r[k].value[i]);
    return notes_add(&p->r.notes,
                     "no interval for the %s%s%s%s%s: the values on the lattices do not approach a limit (%.4g on the "
                     "finest lattice%s; in Pa, mL/s or m/s); a finer spacing may help",
                     v->what, v->of ? (v->to ? " from " : " of ") : "", v->of ? v->of : "", v->to ? " to " : "",
                     v->to ? v->to : "", u->finest, text);
}

static int form_intervals(post_work *p, const grid_sequence *a) {
    const case_opening *unknown = case_inlet_of_unknown_error(&p->c);
    int rc = OK;
    TRY(list_inputs(p, &p->r));
    p->r.blood_unknown = p->c.blood.unknown;
    if (unknown)
        TRY(notes_add(&p->r.notes,
                      "no interval includes the uncertainty of the pressure given at the inlet '%s', so the input "
                      "uncertainty and the total are unknown",
                      unknown->name));
    for (int i = 0; i < a->n; i++) {
        interval *u = &p->r.interval[i];
        double *value = p->r.interval_of[i].value;
        *u = lattice_part(p, a, i, value);
        const double wider = wall_change(p, a, i, u);
        u->image = fabs(wider);
        u->inputs = form_changes(p, a, i, wider, p->r.input_change + (size_t)i * p->r.n_input);
        u->blood = blood_part(p, a, i);
        interval_add_up(u);
        take_formula(p, value, u);
        TRY(note_refused(p, a, i));
    }
    for (int i = 0; i < a->n; i++)
        *p->r.interval_of[i].value = p->r.interval[i].value;
    for (int i = 0; i < a->n; i++) { /* the interval of the flow of a section holds the flow of its opening */
        interval *u = &p->r.interval[i];
        const double off = readouts_section_off(&p->r, p->r.interval_of[i].value);
        if (off > u->lattice) {
            u->lattice = off;
            interval_add_up(u);
        }
    }
cleanup:
    return rc;
}

static bool is_two_flows(const post_work *p, const grid_sequence *a) {
    const bool unsteady = solution_error_of_means(json_find(p->stage[REPORT_SOLVE], "result")) > 0;
    bool other = false;
    for (int k = 0; k < a->n_run; k++)
        other |= a->r[k].settled && is_level(&a->r[k]) && (a->r[k].error > 0) != unsteady;
    return other;
}

/* Note the runs that did not converge. */
static int note_unsettled(post_work *p, const grid_sequence *a) {
    int rc = OK;
    for (int k = 0; k < a->n_run; k++) {
        const sequence_run *g = &a->r[k];
        if (g->settled)
            continue;
        if (g->flow_of)
            TRY(notes_add(&p->r.notes,
                          "the run with %s '%s' did not converge, so no interval includes the uncertainty of this "
                          "input; a finer spacing may help",
                          isfinite(json_get_number(g->entry, "distal_change_pa")) ? "another distal pressure at"
                                                                                  : "a changed value at",
                          g->flow_of));
        else if (g->porous_of)
            TRY(notes_add(&p->r.notes,
                          "the run with a lower permeability of '%s' did not converge, so no interval includes the "
                          "uncertainty of this input; a finer spacing may help",
                          g->porous_of));
        else if (g->split_of)
            TRY(notes_add(&p->r.notes,
                          "the run with another pressure split.%s did not converge, so no interval includes the "
                          "uncertainty of this input; a finer spacing may help",
                          g->split_of));
        else if (g->blood)
            TRY(notes_add(&p->r.notes,
                          "the run with shear-thinning blood (%s) did not converge, so no interval includes the "
                          "blood model; a finer spacing may help",
                          g->blood));
        else if (g->shift_mm != 0)
            TRY(notes_add(&p->r.notes,
                          "the flow with the wall moved %s did not settle, so the segmentation uncertainty (image) and "
                          "the total are unknown; a finer spacing may help",
                          g->shift_mm > 0 ? "outwards" : "inwards"));
        else
            TRY(notes_add(&p->r.notes,
                          "the flow on the lattice with a spacing of %.3g mm did not settle, so the results have no "
                          "intervals; a finer spacing may help",
                          g->spacing_mm));
    }
cleanup:
    return rc;
}

/* largest error by numerical friction in the difference between the lumens with the wall moved inwards and outwards, as
 * a fraction of the pressure drop */
static const double FRICTION_LIMIT = 0.1;

typedef struct {
    /* across: cells per diameter in the minimum cross-section; friction: lattice friction; NaN: unknown */
    double spacing_mm, across, friction;
} lumen_run;

static lumen_run of_entry(const cJSON *entry) {
    /* another note reports a run that did not converge */
    if (!entry || cJSON_IsFalse(json_find(entry, "result/converged")))
        return (lumen_run){NAN, NAN, NAN};
    return (lumen_run){json_get_number(entry, "spacing_mm"), json_get_number(entry, "cells_per_diameter"),
                       json_get_number(json_find(entry, "result"), "lattice_friction")};
}

/* Adds a note if the lattice is too coarse for the lumen with the wall moved inwards: too few cells per diameter
 * (resolution_limits.cells_level_coarse), or numerical friction above 10 % of a pressure drop. moved_in, moved_out,
 * unmoved: entries of the three runs of one spacing in solve.json; NULL: none. */
static int note_moved_wall(post_work *p, const cJSON *moved_in, const cJSON *moved_out, const cJSON *find_unmoved) {
    const lumen_run narrower = of_entry(moved_in), wider = of_entry(moved_out), same = of_entry(find_unmoved);
    const double own = 0.5 * (narrower.friction - wider.friction) / (1 + same.friction);
    const int least = resolution_limits_of(case_uses_cumulants(&p->c)).cells_level_coarse;
    const bool few = narrower.across < least;
    const bool fast = own > FRICTION_LIMIT;
    char across[80] = "", part[120] = "";
    if (!few && !fast)
        return OK;
    const double finer = fmin(few ? narrower.across / least : 1, fast ? cbrt(FRICTION_LIMIT / own) : 1);
    if (few)
        snprintf(across, sizeof across,
                 ", %.1f cells per diameter in its minimum cross-section, at least %d are needed", narrower.across,
                 least);
    if (fast)
        snprintf(part, sizeof part, ", for pressure drops by about %.0f %% of the drop", 100 * own);
    return notes_add(&p->r.notes,
                     "the segmentation uncertainty (image) is too wide%s: the lumen with the wall moved "
                     "inwards was solved on too coarse a lattice (spacing %.3g mm%s); use a spacing of %.2g mm or less "
                     "(mesh.spacing, mesh.cells_per_diameter)",
                     part, narrower.spacing_mm, across, units_round_down(0.99 * finer * p->l.spacing_mm));
}

/* Adds a note if the finest lattice was omitted. Also lists each pressure drop whose discretization error exceeds its
 * limit (solve.accuracy): solve judges pressure drops between openings only, and the case may request others. */
static int note_accuracy(post_work *p) {
    const cJSON *choice = json_find(p->stage[REPORT_SOLVE], "result/accuracy");
    const char *message = json_get_text(choice, "message");
    const bool omitted = isfinite(json_get_number(choice, "omitted_mm"));
    int rc = OK;
    if (omitted && message)
        TRY(notes_add(&p->r.notes, "%s", message));
    for (int k = 0; k < p->r.n_drop; k++) {
        const readouts_drop *d = &p->r.drop[k];
        const interval *u = readouts_interval(&p->r, &d->value_pa);
        const double limit = u ? interval_lattice_limit(u, p->c.solve.accuracy) : NAN;
        if (!(u && u->measured > 1.001 * limit) || (!omitted && isnan(p->c.solve.accuracy)))
            continue;
        TRY(notes_add(
            &p->r.notes,
            "pressure drop from '%s' to '%s': the discretization error in its interval is %.2g %%, above the limit of "
            "%.2g %%; %s",
            d->from, d->to, 100 * u->measured / fabs(u->value), 100 * limit / fabs(u->value),
            omitted ? "solve: {accuracy: 2 %} solves the finest lattice, too"
                    : "a finer spacing (mesh.spacing) is needed for solve.accuracy"));
    }
cleanup:
    return rc;
}

/* Adds a note that states whether the intervals include the difference between an unknown blood model and Newtonian
 * blood. */
static int note_blood(post_work *p, const grid_sequence *a) {
    if (!p->c.blood.unknown)
        return OK;
    for (int k = 0; k < a->n_run; k++)
        if (a->r[k].blood) /* note_unsettled reports a run that did not converge */
            return !a->r[k].settled
                       ? OK
                       : notes_add(&p->r.notes,
                                   "blood model unknown (blood.model): Newtonian blood was computed, and each interval "
                                   "includes the difference to shear-thinning blood (%s) on the coarsest lattice, as "
                                   "the part blood_model",
                                   a->r[k].blood);
    return notes_add(&p->r.notes, "blood model unknown (blood.model): Newtonian blood was computed, and no interval "
                                  "includes the difference to shear-thinning blood, because there is no run with it "
                                  "on a coarser lattice: give mesh: {grid_levels: 2} or more, or a finer spacing");
}

/* Add the notes that explain the intervals. */
static int add_notes(post_work *p, const grid_sequence *a) {
    const sequence_run *narrower = find_moved(a, -1);
    int rc = OK;
    TRY(notes_add(&p->r.notes, "values with an uncertainty are extrapolated from lattices of several spacings; "
                               "finest_lattice in readouts.json is the value on the finest lattice. The highest wall "
                               "shear stress, diameters, Reynolds numbers, pictures and curves are from the finest "
                               "lattice and may differ from the extrapolated values within the uncertainty"));
    if (is_two_flows(p, a))
        TRY(notes_add(&p->r.notes, "the flow is steady on some lattices and unsteady on others, so no value is "
                                   "extrapolated between these; a finer spacing may help"));
    TRY(note_accuracy(p));
    TRY(note_unsettled(p, a));
    TRY(note_blood(p, a));
    TRY(note_moved_wall(p, entry_of(narrower), entry_of(find_moved(a, 1)),
                        entry_of(narrower ? find_unmoved(a, narrower) : NULL)));
    if (!find_moved(a, 1) && isnan(wall_change(p, a, 0, &p->r.interval[0])))
        TRY(notes_add(&p->r.notes,
                      "the intervals do not include the segmentation uncertainty: the uncertainty of the wall is "
                      "unknown (set mesh.wall_uncertainty), or the flow with a moved wall has no result (use a finer "
                      "mesh.spacing)"));
    TRY(notes_exact(&p->r.exact, &p->r.notes));
    TRY(notes_capacitances(&p->c, &p->r.notes));
cleanup:
    return rc;
}

int grid_sequence_form_intervals(post_work *p, cJSON *json) {
    grid_sequence *a = calloc(1, sizeof *a);
    int rc = OK;
    if (!a)
        return fail_memory("the grid sequence", sizeof *a);
    TRY(notes_list_exact(&p->c, &p->r.exact));
    TRY(notes_porous(&p->c, &p->r.notes));
    TRY(notes_mean_flow(&p->c, &p->r.notes));
    if (cJSON_GetArraySize(list_of(p)) == 0) {
        TRY(form_inputs(p));
        TRY(notes_add(
            &p->r.notes, "%s: %s",
            p->r.n_interval > 0 ? "only the gradient has an interval, from the uncertainty of the liver's resistance "
                                  "and of the given flows"
                                : "no intervals",
            p->run.pulsatile ? "intervals need a steady flow"
            : p->run.vlbm    ? "wall vlbm is first-order accurate, intervals assume second order"
            : p->c.solve.heat.on
                ? "a flow with heat is solved on one lattice; compare runs with a finer spacing to estimate the error"
            : p->c.mesh.fast
                ? "the flow was solved on one lattice (--fast); a steady run without --fast gives every number its "
                  "interval"
            : p->c.mesh.grid_levels < 2 ? "the flow was solved on one lattice (mesh: {grid_levels: 1}, the default for "
                                          "a shape); mesh: {grid_levels: 3} gives every number its interval"
                                        : "a coarser lattice would have too few cells; use a finer spacing"));
        TRY(note_blood(p, a));
        TRY(notes_capacitances(&p->c, &p->r.notes));
        goto cleanup;
    }
    a->n = readouts_values(&p->r, NULL);
    TRY(read_sequence(p, a, json));
    p->r.interval_of = calloc((size_t)a->n, sizeof *p->r.interval_of);
    p->r.interval = calloc((size_t)a->n, sizeof *p->r.interval);
    if (!p->r.interval_of || !p->r.interval)
        GIVE_UP(fail_memory("the intervals", 100.0 * a->n));
    p->r.n_interval = readouts_values(&p->r, p->r.interval_of);
    TRY(form_intervals(p, a));
    TRY(add_notes(p, a));
cleanup:
    for (int k = 0; k < a->n_run; k++)
        free(a->r[k].value);
    free(a);
    return rc;
}
