/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of readouts.h: error bounds of values without an interval, and the format of values. */
#include "common/record/three_digits.h"
#include "common/base/units.h"
#include "common/lattice/resolution.h"
#include "common/record/json.h"
#include "post/readouts/readouts.h"
#include <math.h>
#include <string.h>

/* Flows of two openings count as equal if they differ by this fraction or less */
static const double SAME_FLOW = 0.005;
/* The flow of a section equals the flow of an opening, or of all inlets, if they differ by this fraction or less. The
 * difference is then an error of the measured flow. */
static const double SECTION_FLOW = 0.05;

void readouts_take_error_bound(const case_file *c, const cJSON *mesh, const cJSON *solve, readouts *r) {
    const double planned = json_get_number(json_find(mesh, "result"), "error_bound");
    const double found = resolution_friction_bound(json_get_number(json_find(solve, "result"), "lattice_friction"));
    r->off = fmax(isfinite(planned) ? planned : 0, r->solution->too_coarse && isfinite(found) ? found : 0);
    r->off = fmin(r->off, READOUTS_OFF_MOST);
    r->pulse_pa = json_get_number(json_find(solve, "result"), "pulse_error_pa");
    r->pulse_pa = isfinite(r->pulse_pa) ? r->pulse_pa : 0;
    r->off_flows = !case_prescribes_flow(c) ? OFF_FLOWS : case_count_free_openings(c) > 1 ? OFF_SPLITS : OFF_NO_FLOW;
    for (int k = 0; k < r->n_instant; k++) {
        r->instant[k].off = r->off;
        r->instant[k].off_flows = r->off_flows;
    }
}

double readouts_exact_pa(const readouts *r, const double *value) {
    double given = 0, exact = 0;
    for (int k = r->n_opening - 1; k >= 0; k--)
        given = r->place[k].pressure_given ? r->place[k].pressure_pa : given;
    for (int k = 0; k < r->n_opening + r->n_section; k++)
        exact = value == &r->place[k].pressure_pa ? given : exact;
    return exact;
}

bool readouts_follows(const readouts *r, const case_file *c, const double *value) {
    bool flow = false;
    for (int k = 0; k < r->n_opening; k++)
        flow |= value == &r->place[k].flow_ml_s;
    return flow && case_count_free_openings(c) == 1;
}

static bool is_pressure_given(const readouts *r, const char *name) {
    const place *p = readout_place_find(r->n_opening, r->place, name);
    return p && p->pressure_given;
}

/* Error of a mean pressure or pressure drop by the pulse, between two places; b NULL: at one place. */
static double error_of_pulse(const readouts *r, const char *a, const char *b) {
    bool section = false;
    for (int k = r->n_opening; k < r->n_opening + r->n_section; k++)
        section |= (a && strcmp(r->place[k].name, a) == 0) || (b && strcmp(r->place[k].name, b) == 0);
    return r->pulse_pa + (section ? r->sampled_pa : 0);
}

static bool has_flow_of(const place *p, const place *opening) {
    return opening->flow_given &&
           fabs(fabs(p->flow_ml_s) - fabs(opening->flow_ml_s)) <= SAME_FLOW * fabs(opening->flow_ml_s);
}

/* Relative error of a flow; infinite for a flow of 0 with an error; 0: the flow is exact or unknown (NaN). */
static double divide_error(double error_ml_s, double flow_ml_s) {
    return error_ml_s > 0 && !isnan(flow_ml_s) ? error_ml_s / fabs(flow_ml_s) : 0;
}

/* Half-width of the 95 % interval, mL/s, that the uncertain given flows cause in the flow of a place. The errors of the
 * given flows are independent. The openings without a given flow share their sum. A section has the error of the
 * opening with the same flow; the flow of another section may have the whole error. */
static double error_of_given(const readouts *r, const place *p) {
    double square = 0, free = 0;
    if (p->role >= 0 && p->flow_given)
        return p->flow_error_ml_s;
    for (int k = 0; k < r->n_opening; k++) {
        const place *o = &r->place[k];
        if (o->piece != p->piece) /* this opening is in another piece of the vessel */
            continue;
        if (p->role < 0 && has_flow_of(p, o))
            return o->flow_error_ml_s;
        square += o->flow_error_ml_s * o->flow_error_ml_s;
        free += o->flow_given ? 0 : fmax(fabs(o->flow_ml_s), 0); /* fmax ignores NaN */
    }
    return sqrt(square) * (p->role >= 0 && free > 0 ? fabs(p->flow_ml_s) / free : 1);
}

/* Relative half-width of the 95 % interval caused by uncertain given flows. The larger of two values: for the total
 * inflow, and for the flow of place p (p NULL: only the total inflow). */
static double part_of_given_near(const readouts *r, const place *p) {
    double square = 0, inflow = 0;
    for (int k = 0; k < r->n_opening; k++) {
        const place *o = &r->place[k];
        square += o->flow_error_ml_s * o->flow_error_ml_s;
        inflow += fmax(o->role == LATTICE_INLET ? o->flow_ml_s : -o->flow_ml_s, 0);
    }
    return fmax(divide_error(sqrt(square), inflow), p ? divide_error(error_of_given(r, p), p->flow_ml_s) : 0);
}

static double part_of_velocity(const readouts *r, const place *p) {
    return fmin(hypot(r->off, part_of_given_near(r, p)), READOUTS_OFF_MOST);
}

/* Relative error of a quantity that grows at most with the square of the flow. off: error by the lattice. */
static double part_of_square(const readouts *r, const place *p, double off) {
    const double given = part_of_given_near(r, p);
    return fmin(hypot(off, given * (2 + given)), READOUTS_OFF_MOST);
}

static double part_of_pressure(const readouts *r, const place *p) {
    return part_of_square(r, p, r->off);
}

static double part_of_shear(const readouts *r, const place *p) {
    return part_of_square(r, p, resolution_shear_bound(r->off));
}

/* Relative error of a flow by the lattice. A prescribed flow has no error, nor has a section with the same flow. If
 * several openings share a flow that is not prescribed, numerical friction moves flow from one branch to the others.
 * The relative error of the flow of a branch is therefore proportional to the share of the other branches. */
static double part_of_lattice(const readouts *r, const place *p) {
    double inflow = 0;
    if (r->off_flows != OFF_SPLITS)
        return r->off_flows == OFF_FLOWS ? r->off : 0;
    for (int k = 0; k < r->n_opening; k++) {
        const place *o = &r->place[k];
        if (o->piece != p->piece) /* this opening is in another piece of the vessel */
            continue;
        inflow += fmax(o->role == LATTICE_INLET ? o->flow_ml_s : -o->flow_ml_s, 0);
        if ((o == p || p->role < 0) && has_flow_of(p, o))
            return 0;
    }
    return inflow > 0 ? r->off * fmax(1 - fabs(p->flow_ml_s) / inflow, 0) : 0;
}

/* Relative difference between the measured flow of a section and the nearest flow of an opening, or of all inlets, in
 * the same piece of lumen. 0: the difference exceeds SECTION_FLOW, or the place is an opening. */
static double part_of_section(const readouts *r, const place *p) {
    double nearest = INFINITY, inflow = 0;
    for (int k = 0; k < r->n_opening && p->role < 0; k++) {
        const place *o = &r->place[k];
        if (o->piece != p->piece)
            continue;
        inflow += o->role == LATTICE_INLET ? o->flow_ml_s : 0;
        nearest = fmin(nearest, fabs(fabs(o->flow_ml_s) - fabs(p->flow_ml_s)));
    }
    nearest = fmin(nearest, inflow > 0 ? fabs(inflow - fabs(p->flow_ml_s)) : INFINITY);
    const double part = nearest / fabs(p->flow_ml_s);
    return part <= SECTION_FLOW ? part : 0;
}

double readouts_section_off(const readouts *r, const double *value) {
    for (int k = r->n_opening; k < r->n_opening + r->n_section; k++) {
        const place *p = &r->place[k];
        if (value == &p->flow_ml_s || value == &p->mean_velocity_m_s)
            return part_of_section(r, p) * fabs(*value);
    }
    return 0;
}

/* Absolute error of the flow of a place, mL/s. */
static double error_of_flow(const readouts *r, const place *p) {
    const double flow = fabs(p->flow_ml_s), sampled = p->role < 0 ? r->sampled_ml_s : 0,
                 section = fmax(flow > 0 ? part_of_section(r, p) * flow : 0, sampled);
    return fmax(hypot(part_of_lattice(r, p) * flow, error_of_given(r, p)), section);
}

/* Absolute error of a value of a place; NaN: the place does not have this value. */
static double part_of_place(const readouts *r, const place *p, const double *value) {
    if (value == &p->area_mm2)
        return 0;
    if (value == &p->flow_ml_s)
        return error_of_flow(r, p);
    if (value == &p->mean_velocity_m_s)
        return error_of_flow(r, p) / p->area_mm2;
    if (value == &p->pressure_pa)
        return p->pressure_given
                   ? 0
                   : part_of_pressure(r, NULL) * readouts_pressure_range_pa(r) + error_of_pulse(r, p->name, NULL);
    if (value == &p->velocity_max_m_s)
        return part_of_velocity(r, p) * fabs(*value);
    if (value == &p->wss_mean_pa || value == &p->wss_max_pa)
        return part_of_shear(r, p) * fabs(*value);
    return NAN;
}

/* Absolute error of the flow through the liver, mL/s. */
static double error_of_liver_flow(const readouts *r, const ppg *g, const ppg_term *t) {
    const place *portal = readout_place_find(r->n_opening + r->n_section, r->place, g->portal);
    const place liver = {.role = -1, .piece = portal ? portal->piece : -1, .flow_ml_s = t->flow_ml_s};
    return error_of_flow(r, &liver);
}

/* Absolute error of a term, Pa. A resolved term has the relative error of pressures, a modelled term the
 * relative error of its flow. */
static double error_of_term(const readouts *r, const ppg *g, const ppg_term *t) {
    return t->kind == PPG_RESOLVED
               ? part_of_pressure(r, NULL) * fabs(t->value_pa) + error_of_pulse(r, g->portal, g->cava)
               : divide_error(error_of_liver_flow(r, g, t), t->flow_ml_s) * fabs(t->value_pa);
}

static double half_part(const readouts *r, const double *value) {
    const interval *u = readouts_interval(r, value);
    const double half = u ? interval_known(u) : NAN;
    return half > 0 && fabs(*value) > 0 ? half / fabs(*value) : 0;
}

/* Relative half-width of the interval of a similar value: for the highest wall shear stress, of the 99th percentile;
 * for a value at an opening or section, of the same value of the whole vessel. 0: the similar value has no interval. */
static double part_of_similar_value(const readouts *r, const double *value) {
    if (value == &r->wss.max)
        return half_part(r, &r->wss.p99);
    for (int k = 0; k < r->n_opening + r->n_section; k++) {
        const place *p = &r->place[k];
        if (value == &p->velocity_max_m_s)
            return half_part(r, &r->velocity_max_m_s);
        if (value == &p->wss_mean_pa)
            return half_part(r, &r->wss.mean);
        if (value == &p->wss_max_pa)
            return half_part(r, &r->wss.p99);
    }
    return 0;
}

bool readouts_has_pulse_error(const readouts *r, const double *value) {
    bool found = value == &r->largest.value_pa;
    for (int k = 0; k < r->n_drop; k++)
        found |= value == &r->drop[k].value_pa;
    for (int k = 0; k < r->n_opening + r->n_section; k++)
        found |= value == &r->place[k].pressure_pa;
    for (int k = 0; k < r->n_ppg; k++) {
        found |= value == &r->ppg[k].value_pa;
        for (int t = 0; t < r->ppg[k].n_term; t++)
            found |= value == &r->ppg[k].term[t].value_pa && r->ppg[k].term[t].kind == PPG_RESOLVED;
    }
    return found && r->pulse_pa + r->sampled_pa > 0;
}

double readouts_off(const readouts *r, const double *value) {
    const interval *u = readouts_interval(r, value);
    if (!isfinite(*value) || (u && isfinite(interval_known(u))))
        return 0;
    const double kin = r->interval ? part_of_similar_value(r, value) * fabs(*value) : 0;
    if (kin > 0)
        return kin;
    for (int k = 0; k < r->n_opening + r->n_section; k++) {
        const double off = part_of_place(r, &r->place[k], value);
        if (isfinite(off))
            return off;
    }
    for (int k = 0; k < r->n_drop; k++)
        if (value == &r->drop[k].value_pa && is_pressure_given(r, r->drop[k].from) &&
            is_pressure_given(r, r->drop[k].to))
            return 0;
    double pulse = readouts_has_pulse_error(r, value) ? r->pulse_pa : 0;
    for (int k = 0; k < r->n_drop; k++)
        if (value == &r->drop[k].value_pa)
            pulse = error_of_pulse(r, r->drop[k].from, r->drop[k].to);
    if (value == &r->largest.value_pa && is_pressure_given(r, r->largest.from) && is_pressure_given(r, r->largest.to))
        return 0;
    for (int k = 0; k < r->n_ppg; k++) {
        const ppg *g = &r->ppg[k];
        double sum = 0;
        for (int t = 0; t < g->n_term; t++) {
            if (value == &g->term[t].value_pa)
                return error_of_term(r, g, &g->term[t]);
            sum += error_of_term(r, g, &g->term[t]);
        }
        if (value == &g->value_pa)
            return sum;
    }
    const bool shear = value == &r->wss.mean || value == &r->wss.p99 || value == &r->wss.max;
    return (value == &r->velocity_max_m_s ? part_of_velocity(r, NULL)
            : shear                       ? part_of_shear(r, NULL)
                                          : part_of_pressure(r, NULL)) *
               fabs(*value) +
           pulse;
}

double readouts_off_wss(const readouts *r) {
    const double part = half_part(r, &r->wss.mean);
    return part > 0 ? part : part_of_shear(r, NULL);
}

double readouts_off_speed(const readouts *r) {
    const double part = half_part(r, &r->velocity_max_m_s);
    return part > 0 ? part : part_of_velocity(r, NULL);
}

double readouts_off_pressure(const readouts *r) {
    double most = 0;
    for (int k = 0; k < r->n_opening + r->n_section; k++) {
        const interval *u = readouts_interval(r, &r->place[k].pressure_pa);
        most = fmax(most, u ? fmax(interval_known(u), 0) : 0);
    }
    return most > 0 ? most : part_of_pressure(r, NULL) * readouts_pressure_range_pa(r) + r->pulse_pa;
}

const char *readouts_show_diameter(const readouts *r, const place *p, char text[READOUTS_SHOWN]) {
    const double width_mm = 2 * sqrt(p->area_mm2 / M_PI);
    return units_format(width_mm, NAN, 0.5 * half_part(r, &p->area_mm2) * width_mm, "", text, READOUTS_SHOWN);
}

const char *readouts_show_reynolds(const readouts *r, const place *p, char text[READOUTS_SHOWN]) {
    const double of_interval = half_part(r, &p->mean_velocity_m_s);
    const double part = of_interval > 0 ? of_interval : divide_error(error_of_flow(r, p), p->flow_ml_s);
    return units_format(p->reynolds, NAN, three_digits_limit(p->reynolds, part * fabs(p->reynolds)), "", text,
                        READOUTS_SHOWN);
}

const char *readouts_show_liver_flow(const readouts *r, const ppg *g, const ppg_term *t, char text[READOUTS_SHOWN]) {
    return units_format(t->flow_ml_s, NAN, three_digits_limit(t->flow_ml_s, error_of_liver_flow(r, g, t)), "", text,
                        READOUTS_SHOWN);
}

const char *readouts_show_finest(const readouts *r, const double *value, char text[READOUTS_SHOWN]) {
    const interval *u = readouts_interval(r, value);
    return units_format(u ? u->finest : NAN, NAN, u ? interval_known(u) : NAN, "", text, READOUTS_SHOWN);
}

bool readouts_bounds_pa(const readouts *r, const double *value, double bound[2]) {
    const interval *u = readouts_interval(r, value);
    const double known = u ? interval_known(u) : NAN;
    for (int k = 0; k < r->n_ppg && known > 0; k++)
        for (int i = 0; i < r->ppg[k].n_term; i++) {
            const ppg_term *t = &r->ppg[k].term[i];
            if (!t->liver || !(t->liver->liver_bound[0] > 0) || (value != &r->ppg[k].value_pa && value != &t->value_pa))
                continue;
            const double flow_m3_s = 1e-6 * t->flow_ml_s, own = t->resistance_error_pa_s_m3 * flow_m3_s,
                         rest = sqrt(fmax(0, known * known - own * own));
            for (int side = 0; side < 2; side++) {
                const double away = (t->liver->liver_bound[side] - t->resistance_pa_s_m3) * flow_m3_s;
                bound[side] = *value + copysign(hypot(away, rest), away);
            }
            return bound[1] > bound[0];
        }
    return false;
}

const char *readouts_show(const readouts *r, const double *value, double scale, char text[READOUTS_SHOWN]) {
    const interval *u = readouts_interval(r, value);
    double bound[2];
    if (readouts_bounds_pa(r, value, bound))
        return units_format_bounds(scale * *value, scale * bound[0], scale * bound[1], text, READOUTS_SHOWN);
    return units_format(scale * *value, u ? scale * interval_known(u) : NAN,
                        three_digits_limit(scale * *value, scale * readouts_off(r, value)), UNITS_PLUS_MINUS, text,
                        READOUTS_SHOWN);
}
