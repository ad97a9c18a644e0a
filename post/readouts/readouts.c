/* SPDX-License-Identifier: Apache-2.0 */
#include "post/readouts/readouts.h"
#include "post/readouts/readout_place.h"
#include "post/sample/piece.h"
#include "common/base/vec.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include <stdlib.h>
#include <string.h>

/* A warning is given if the flow through the section and the flow of solve differ by more than this fraction of the
 * largest flow */
static const double FLOW_TOLERANCE = 0.03;
/* A warning names an opening with free inflow if density times velocity squared there exceeds this fraction of the
 * largest pressure difference */
static const double FREE_INFLOW = 0.05;
/* A warning is given if the backflow through an opening exceeds this fraction of its flow */
static const double RECIRCULATION = 0.05;

/* Measure the section one and a half spacings inside an opening, normal out of the fluid. */
static int section_inside(const sampler *s, const fields *f, const lattice_opening *o, flow_section *out) {
    double p[3];
    vec_add(o->centre_mm, -1.5 * s->lattice->spacing_mm, o->normal, p);
    int rc = flow_section_measure(s, f, p, o->normal, o->radius_mm + s->lattice->spacing_mm, out);
    if (rc == ERR_INPUT) { /* there is no fluid at this place, so the readout is NaN */
        status_clear();
        rc = OK;
    }
    return rc;
}

static place unknown_place(const char *name, int role, double area_mm2) {
    return (place){.name = name,
                   .role = role,
                   .piece = -1,
                   .area_mm2 = area_mm2,
                   .flow_ml_s = NAN,
                   .inflow_share = NAN,
                   .mean_velocity_m_s = NAN,
                   .pressure_pa = NAN,
                   .velocity_max_m_s = NAN,
                   .backflow_ml_s = NAN,
                   .wss_mean_pa = NAN,
                   .wss_max_pa = NAN};
}

/* Half-width of the stated 95 % interval of the given flow of an opening, mL/s; 0: none. A waveform that is in doubt
 * may be wrong by its whole mean. The value may be a velocity, and the flow or the mean may be 0. */
static double given_error_ml_s(const case_file *c, const case_opening *given, const place *p) {
    waveform w = {0};
    const double scale = given->value != 0                    ? fabs(p->flow_ml_s / given->value)
                         : given->condition == CONDITION_FLOW ? 1e6
                                                              : p->area_mm2;
    double error = given->value_error > 0 ? scale * given->value_error : 0;
    if (given->condition == CONDITION_WAVEFORM && case_open_waveform(c, given, &w) == OK)
        error = fmax(1e6 * w.mean_error_m3_s, w.unreliable || w.wrong_mean ? fabs(p->flow_ml_s) : 0);
    status_clear(); /* solve has read the waveform; without its file its interval is unknown */
    waveform_free(&w);
    return error;
}

static int form_opening(const case_file *c, const sampler *s, const fields *f, int k, readouts *r) {
    const lattice_opening *o = &s->lattice->opening[k];
    place *p = &r->place[k];
    flow_section inside;
    int rc = OK;
    const case_opening *given = case_find_opening(c, o->name);
    *p = unknown_place(o->name, o->role, o->area_mm2);
    p->pressure_pa = r->solution->pressure_pa[k];
    if (o->role == LATTICE_MOVING_WALL)
        return OK;
    TRY(section_inside(s, f, o, &inside));
    double measured = (o->role == LATTICE_INLET ? -1 : 1) * inside.flow_ml_s;
    p->flow_ml_s = r->solution->flow_ml_s[k];
    if (!isfinite(p->flow_ml_s) || !isfinite(p->pressure_pa)) {
        TRY(notes_add(
            &r->notes,
            "opening '%s': solve reports no flow or pressure there; both are measured in a section just inside",
            p->name));
        p->flow_ml_s = measured;
        p->pressure_pa = inside.pressure_pa;
    }
    p->pressure_given = given && given->condition == CONDITION_PRESSURE;
    p->flow_given = given && !case_opening_is_free(given) && given->condition != CONDITION_SPLIT;
    if (given)
        case_write_model(c, given, "+-", p->model);
    p->behind_given = given && case_opening_is_model(given);
    if (p->behind_given)
        p->behind_pa = given->distal_pa;
    if (p->pressure_given) /* the prescribed value is used, because the solver's value differs from it by rounding */
        p->pressure_pa = given->value;
    if (p->flow_given)
        p->flow_error_ml_s = given_error_ml_s(c, given, p);
    p->mean_velocity_m_s = p->flow_ml_s / (p->area_mm2 > 0 ? p->area_mm2 : NAN);
    r->section[r->n_section + k] = inside;
cleanup:
    return rc;
}

/* Flow in mL/s to which errors at opening k are related. It is the flow of the opening. For an oscillating flow it is
 * no less than half of the largest flow of the cycle, divided among the openings of the same role by area. */
static double flow_scale(const case_file *c, const lattice *l, const readouts *r, int k) {
    double most = 0, area = 0, flow;
    for (int i = 0; r->pulsatile && i < l->n_opening; i++) {
        area += l->opening[i].role == l->opening[k].role ? l->opening[i].area_mm2 : 0;
        const case_opening *given = case_find_opening(c, l->opening[i].name);
        if (given && case_flow_m3_s(c, (int)(given - c->opening), &l->opening[i], &flow) == OK && !isnan(flow))
            most = fmax(most, 1e6 * fabs(flow));
    }
    status_clear();
    return fmax(fabs(r->place[k].flow_ml_s), area > 0 ? 0.5 * most * l->opening[k].area_mm2 / area : 0);
}

/* Warns of recirculation at an opening: blood enters through one part of the opening and leaves through another.
 * Recirculation persists, because only the pressure is prescribed there. */
static void check_recirculation(const place *p, const flow_section *inside, double flow_ml_s) {
    const double in = inside->backflow_ml_s, out = inside->flow_ml_s + in, less = fmin(in, out);
    if (less > RECIRCULATION * flow_ml_s)
        message_warn_about("backflow",
                           "opening '%s': backflow of %.3g mL/s against %.3g mL/s the other way; recirculation crosses "
                           "the opening, so pressures, flow split and wall shear stress near it are not reliable; move "
                           "the opening along the vessel, or add an extension",
                           p->name, less, fmax(in, out));
}

/* Set collateral and inflow_share of the outlets that the case marks as collaterals. */
static void set_inflow_shares(const case_file *c, readouts *r) {
    double inflow = 0;
    for (int k = 0; k < r->n_opening; k++)
        inflow += r->place[k].role == LATTICE_INLET ? r->place[k].flow_ml_s : 0;
    for (int k = 0; k < r->n_opening; k++) {
        const case_opening *given = case_find_opening(c, r->place[k].name);
        r->place[k].collateral = given && given->collateral;
        if (r->place[k].collateral && inflow > 0)
            r->place[k].inflow_share = r->place[k].flow_ml_s / inflow;
    }
}

static void check_openings(const case_file *c, const lattice *l, const readouts *r) {
    double largest = 0;
    for (int k = 0; k < r->n_opening; k++)
        largest = fmax(largest, flow_scale(c, l, r, k)); /* fmax ignores NaN */
    for (int k = 0; k < r->n_opening; k++) {
        const place *p = &r->place[k];
        double measured = (p->role == LATTICE_INLET ? -1 : 1) * r->section[r->n_section + k].flow_ml_s;
        if (p->role == LATTICE_MOVING_WALL || !(largest > 0))
            continue;
        if (!isfinite(measured))
            message_warn("the flow just inside opening '%s' could not be measured; move the opening into a straight "
                         "part of the vessel",
                         p->name);
        else if (fabs(measured - p->flow_ml_s) > FLOW_TOLERANCE * largest)
            message_warn_serious("opening '%s': flow of %.4g mL/s through the section just inside, %.4g mL/s through "
                                 "the opening; the resolution may be too low there: use a smaller mesh.spacing%s",
                                 p->name, measured, p->flow_ml_s, r->pulsatile ? ", or raise solve.stores" : "");
        check_recirculation(p, &r->section[r->n_section + k], flow_scale(c, l, r, k));
    }
}

double readouts_pressure_range_pa(const readouts *r) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < r->n_opening + r->n_section; k++)
        if (isfinite(r->place[k].pressure_pa)) {
            low = fmin(low, r->place[k].pressure_pa);
            high = fmax(high, r->place[k].pressure_pa);
        }
    return fmax(high - low, 0);
}

/* Warns of inflow at an opening where only the pressure is prescribed, and therefore no velocity profile. An inlet
 * whose flow follows from the other openings has a profile (solve/OPENINGS.md). */
static void check_free_inflow(const case_file *c, const readouts *r) {
    const double range = readouts_pressure_range_pa(r);
    for (int k = 0; case_balancing_inlet(c) < 0 && k < r->n_opening; k++) {
        const place *p = &r->place[k];
        const double most = c->blood.density_kg_m3 * p->mean_velocity_m_s * p->mean_velocity_m_s;
        if (p->pressure_given && (p->role == LATTICE_INLET) == (p->flow_ml_s > 0) && most > FREE_INFLOW * range)
            message_warn_serious("opening '%s': only the pressure is given, so blood enters with a nearly flat "
                                 "profile. Inside the vessel the profile becomes parabolic, which uses up to %.2g Pa "
                                 "(density times mean velocity squared) of the %.2g Pa between the openings. The flow "
                                 "is therefore lower than with a developed inflow; give the flow if known",
                                 p->name, most, range);
    }
}

static void place_section(const case_section *given, const flow_section *m, place *p) {
    *p = unknown_place(given->name, -1, m->area_mm2);
    p->flow_ml_s = m->flow_ml_s;
    p->mean_velocity_m_s = m->mean_velocity_m_s;
    p->pressure_pa = m->pressure_pa;
    p->velocity_max_m_s = m->velocity_max_m_s;
    p->backflow_ml_s = m->backflow_ml_s;
}

int readouts_add_wss(const wall *w, double spacing_mm, const double *value, readouts *r) {
    int rc = OK;
    for (int k = 0; k < r->n_section; k++) {
        const flow_section *s = &r->section[k];
        place *p = &r->place[r->n_opening + k];
        wall_statistics ring;
        if (!isfinite(s->area_mm2))
            continue;
        TRY(wall_measure_ring(w, value, s->centroid_mm, s->normal, 1.5 * sqrt(s->area_mm2 / M_PI) + spacing_mm,
                              spacing_mm, &ring));
        p->wss_mean_pa = ring.mean;
        p->wss_max_pa = ring.max;
    }
    TRY(wall_measure(w, value, &r->wss));
cleanup:
    return rc;
}

static int form_section(const case_section *given, const sampler *s, const fields *f, const double point_mm[3],
                        const double normal[3], readouts *r, int k) {
    flow_section *m = &r->section[k];
    double reach_mm = fmax(2, 3 * s->lattice->spacing_mm);
    int rc = given->normal_auto ? flow_section_measure_auto(s, f, point_mm, reach_mm, m)
                                : flow_section_measure(s, f, point_mm, normal, reach_mm, m);
    if (rc == ERR_INPUT) {
        message_warn_serious("section '%s': %s", given->name, status_message());
        rc = notes_add(&r->notes, "section '%s' was not measured: %s", given->name, status_message());
        status_clear();
    } else if (rc == OK && m->opening >= 0)
        message_warn("section '%s' is cut by opening '%s': area and flow are for the part inside; move the section "
                     "away from the opening",
                     given->name, s->lattice->opening[m->opening].name);
    place_section(given, m, &r->place[r->n_opening + k]);
    return rc;
}

static int find_pieces(const sampler *s, readouts *r) {
    int n, rc = OK;
    int32_t *label = malloc(((size_t)s->lattice->n_cell + 1) * sizeof *label);
    if (!label)
        return fail_memory("the pieces of the lumen", 4.0 * (double)s->lattice->n_cell);
    TRY(piece_label(s, label, &n));
    for (int k = 0; k < r->n_opening; k++)
        r->place[k].piece = piece_of_opening(s, label, k);
    for (int k = 0; k < r->n_section; k++)
        if (isfinite(r->section[k].area_mm2))
            r->place[r->n_opening + k].piece = piece_of_point(s, label, r->section[k].centroid_mm);
cleanup:
    free(label);
    return rc;
}

/* Notes that a pressure drop includes the loss in an extension, because the opening is at the end of the extension. */
static int note_extensions(const case_file *c, const readouts_drop *d, readouts *r) {
    int rc = OK;
    for (int k = 0; k < c->n_opening && rc == OK; k++) {
        const case_opening *o = &c->opening[k];
        if (o->extension_mm > 0 && (strcmp(o->name, d->from) == 0 || strcmp(o->name, d->to) == 0))
            rc = notes_add(&r->notes,
                           "pressure drop from '%s' to '%s': it includes the loss in the extension of '%s' (%g mm); a "
                           "section just inside the vessel avoids it",
                           d->from, d->to, o->name, o->extension_mm);
    }
    return rc;
}

static int form_drop(const case_file *c, const case_readout *given, readouts *r) {
    int n = r->n_opening + r->n_section, rc = OK;
    const place *from = readout_place_find(n, r->place, given->from), *to = readout_place_find(n, r->place, given->to);
    readouts_drop *d = &r->drop[r->n_drop++];
    *d = (readouts_drop){given->from, given->to, from && to ? from->pressure_pa - to->pressure_pa : NAN};
    if (!isfinite(d->value_pa))
        TRY(notes_add(&r->notes, "pressure drop from '%s' to '%s': the pressure at '%s' is unknown, so it has no value",
                      d->from, d->to, from && isfinite(from->pressure_pa) ? d->to : d->from));
    else if (from && to && from->piece != to->piece)
        TRY(notes_add(&r->notes,
                      "pressure drop from '%s' to '%s': no lumen connects them; the value is the difference of "
                      "pressures in two separate pieces of the lumen",
                      d->from, d->to));
    TRY(note_extensions(c, d, r));
cleanup:
    return rc;
}

static int allocate_readouts(const case_file *c, const lattice *l, readouts *r) {
    size_t n = (size_t)l->n_opening + (size_t)c->n_section;
    memset(r, 0, sizeof *r);
    r->n_opening = l->n_opening;
    r->n_section = c->n_section;
    r->case_name = c->name ? c->name : "";
    r->wss = (wall_statistics){.area_mm2 = NAN, .mean = NAN, .p99 = NAN, .max = NAN, .max_mm = {NAN, NAN, NAN}};
    r->largest.value_pa = r->peak.time_s = NAN;
    r->tawss_mean_pa = r->osi_mean = r->velocity_max_m_s = r->time_s = r->flow_balance = NAN;
    r->place = calloc(n + 1, sizeof *r->place);
    r->section = calloc(n + 1, sizeof *r->section);
    r->drop = calloc((size_t)c->n_readout + 1, sizeof *r->drop);
    r->ppg = calloc((size_t)c->n_readout + 1, sizeof *r->ppg);
    return r->place && r->section && r->drop && r->ppg ? OK : fail_memory("the readouts", 300.0 * (double)n);
}

/* Set the Reynolds number of every opening and section. */
static void add_reynolds(const case_file *c, readouts *r) {
    const viscosity_law law = case_viscosity_law(c);
    for (int k = 0; k < r->n_opening + r->n_section; k++) {
        place *p = &r->place[k];
        p->reynolds = readout_place_reynolds(p->area_mm2, p->mean_velocity_m_s, c->blood.density_kg_m3, &law);
    }
}

int readouts_form(const case_file *c, const sampler *s, const fields *f, const solution *run,
                  const double (*section_point_mm)[3], const double (*section_normal)[3], readouts *r) {
    int rc;
    TRY(allocate_readouts(c, s->lattice, r));
    r->solution = run;
    r->pulsatile = run->pulsatile;
    r->flow_balance = run->flow_balance;
    for (int k = 0; k < r->n_opening; k++)
        TRY(form_opening(c, s, f, k, r));
    set_inflow_shares(c, r);
    TRY(notes_shares(c, r->n_opening, r->place, &r->notes));
    check_openings(c, s->lattice, r);
    check_free_inflow(c, r);
    for (int k = 0; k < r->n_section; k++)
        TRY(form_section(&c->section[k], s, f, section_point_mm[k], section_normal[k], r, k));
    add_reynolds(c, r);
    readout_place_warn_turbulent(r->n_opening + r->n_section, r->place, run->pulsatile ? NAN : run->reynolds,
                                 r->pulsatile, isfinite(run->unsteady_s));
    TRY(find_pieces(s, r));
    r->largest = extremes_drop(r->n_opening, r->place);
    for (int k = 0; k < c->n_readout; k++)
        if (c->readout[k].kind == READOUT_PRESSURE_DROP)
            TRY(form_drop(c, &c->readout[k], r));
        else
            TRY(ppg_form(r->n_opening + r->n_section, r->place, &c->readout[k], &r->ppg[r->n_ppg++], &r->notes));
    if (r->pulsatile)
        TRY(notes_add(&r->notes, "pulsatile: flows, pressures and pressure drops are averages over the last cycle; "
                                 "wall shear stress (mean, 99th percentile, highest) is the time-averaged magnitude "
                                 "(TAWSS); the highest velocity is the highest of the stored instants"));
cleanup:
    if (rc != OK)
        readouts_free(r);
    return rc;
}

/* Flow balance: |sum of the flows through the openings| over the sum of the inflows. */
static double compute_flow_balance(const readouts *r) {
    double sum = 0, inflow = 0;
    for (int k = 0; k < r->n_opening; k++) {
        if (r->place[k].role == LATTICE_MOVING_WALL)
            continue;
        double in = (r->place[k].role == LATTICE_INLET ? 1 : -1) * r->place[k].flow_ml_s;
        sum += in;
        inflow += fmax(in, 0);
    }
    return fabs(sum) / inflow;
}

int readouts_form_instant(const case_file *c, const sampler *s, const fields *f, const readouts *mean,
                          const solution *at, double time_s, readouts *r) {
    int rc;
    TRY(allocate_readouts(c, s->lattice, r));
    r->solution = at;
    r->pulsatile = true;
    r->time_s = time_s;
    for (int k = 0; k < r->n_opening; k++)
        TRY(form_opening(c, s, f, k, r));
    r->flow_balance = compute_flow_balance(r);
    for (int k = 0; k < r->n_section; k++) {
        flow_section *m = &r->section[k];
        *m = mean->section[k];
        if (isfinite(m->area_mm2)) /* a section that was measured in the mean flow exists at each instant, too */
            TRY(flow_section_measure(s, f, mean->section[k].point_mm, mean->section[k].normal,
                                     fmax(2, 4 * s->lattice->spacing_mm), m));
        place_section(&c->section[k], m, &r->place[r->n_opening + k]);
    }
    add_reynolds(c, r);
    for (int k = 0; k < r->n_opening + r->n_section; k++)
        r->place[k].piece = mean->place[k].piece;
    if (mean->largest.from) { /* at an instant, uses the same pair of openings as in the mean flow */
        const place *from = readout_place_find(r->n_opening, r->place, mean->largest.from);
        const place *to = readout_place_find(r->n_opening, r->place, mean->largest.to);
        r->largest = (readouts_drop){mean->largest.from, mean->largest.to,
                                     from && to ? from->pressure_pa - to->pressure_pa : NAN};
    }
    for (int k = 0; k < c->n_readout; k++)
        if (c->readout[k].kind == READOUT_PRESSURE_DROP)
            TRY(form_drop(c, &c->readout[k], r));
cleanup:
    if (rc != OK)
        readouts_free(r);
    return rc;
}

static void add_value(readouts_value *list, int *n, double *value, const char *what, const char *of) {
    if (list)
        list[*n] = (readouts_value){.value = value, .what = what, .of = of};
    ++*n;
}

int readouts_values(readouts *r, readouts_value *list) {
    int n = 0;
    for (int k = 0; k < r->n_opening + r->n_section; k++) {
        place *p = &r->place[k];
        add_value(list, &n, &p->area_mm2, "area", p->name);
        add_value(list, &n, &p->flow_ml_s, "flow", p->name);
        add_value(list, &n, &p->mean_velocity_m_s, "mean velocity", p->name);
        add_value(list, &n, &p->pressure_pa, "pressure", p->name);
    }
    for (int k = 0; k < r->n_drop; k++) {
        add_value(list, &n, &r->drop[k].value_pa, "pressure drop", r->drop[k].from);
        if (list)
            list[n - 1].to = r->drop[k].to;
    }
    if (r->largest.from) {
        add_value(list, &n, &r->largest.value_pa, "pressure drop", r->largest.from);
        if (list)
            list[n - 1].to = r->largest.to;
    }
    for (int k = 0; k < r->n_ppg; k++) {
        for (int t = 0; t < r->ppg[k].n_term; t++)
            add_value(list, &n, &r->ppg[k].term[t].value_pa, r->ppg[k].term[t].name, r->ppg[k].portal);
        add_value(list, &n, &r->ppg[k].value_pa, "portal pressure gradient", r->ppg[k].portal);
    }
    add_value(list, &n, &r->wss.mean, "mean wall shear stress", NULL);
    add_value(list, &n, &r->wss.p99, "99th percentile of the wall shear stress", NULL);
    add_value(list, &n, &r->velocity_max_m_s, "highest velocity", NULL);
    return n;
}

const interval *readouts_interval(const readouts *r, const double *value) {
    for (int k = 0; k < r->n_interval; k++)
        if (r->interval_of[k].value == value)
            return &r->interval[k];
    return NULL;
}

bool readouts_has_sequence(const readouts *r) {
    bool any = false;
    for (int k = 0; k < r->n_interval; k++)
        any |= r->interval[k].kind != INTERVAL_INPUTS;
    return any;
}

void readouts_free(readouts *r) {
    wall_heat_free(r->heat);
    for (int k = 0; k < r->n_instant; k++)
        readouts_free(&r->instant[k]);
    free(r->instant);
    free(r->interval);
    free(r->interval_of);
    free(r->input_name);
    free(r->input_change);
    free(r->place);
    free(r->section);
    free(r->drop);
    free(r->ppg);
    notes_free(&r->notes);
    notes_free(&r->exact);
    memset(r, 0, sizeof *r);
}
