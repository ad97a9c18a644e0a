/* See readouts.h: how far a number may be off that has no interval, and how it is shown. */
#include "common/base/units.h"
#include "common/lattice/resolution.h"
#include "common/record/json.h"
#include "post/flow/readouts.h"
#include <math.h>

void readouts_take_off(const case_file *c, const cJSON *mesh, const cJSON *solve, readouts *r) {
    const double planned = json_get(json_find(mesh, "result"), "may_be_off");
    const double found = resolution_friction_most(json_get(json_find(solve, "result"), "lattice_friction"));
    r->off = fmax(isfinite(planned) ? planned : 0, r->solution->too_coarse && isfinite(found) ? found : 0);
    r->off = fmin(r->off, READOUTS_OFF_MOST);
    r->off_flows = !case_gives_flow(c);
    for (int k = 0; k < r->n_instant; k++) {
        r->instant[k].off = r->off;
        r->instant[k].off_flows = r->off_flows;
    }
}

/* What pressures differ by, of which the lattice's friction is a part. */
static double pressure_range_pa(const readouts *r) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < r->n_opening + r->n_section; k++)
        if (isfinite(r->place[k].pressure_pa)) {
            low = fmin(low, r->place[k].pressure_pa);
            high = fmax(high, r->place[k].pressure_pa);
        }
    return fmax(high - low, 0);
}

static bool given_pressure(const readouts *r, const char *name) {
    const place *p = ppg_find_place(r->n_opening, r->place, name);
    return p && p->pressure_given;
}

/* Of a place's number: part of it; NaN: it is none of this place. */
static double part_of_place(const readouts *r, const place *p, const double *value) {
    if (value == &p->area_mm2)
        return 0;
    if (value == &p->flow_ml_s || value == &p->mean_velocity_m_s)
        return r->off_flows ? r->off * fabs(*value) : 0;
    if (value == &p->pressure_pa)
        return p->pressure_given ? 0 : r->off * pressure_range_pa(r);
    if (value == &p->velocity_max_m_s || value == &p->wss_mean_pa || value == &p->wss_max_pa)
        return r->off * fabs(*value);
    return NAN;
}

static double part_of_term(const readouts *r, const ppg_term *t) {
    return t->kind == PPG_RESOLVED || r->off_flows ? r->off * fabs(t->value_pa) : 0;
}

double readouts_off(const readouts *r, const double *value) {
    const uncertainty *u = readouts_interval(r, value);
    if (!(r->off > 0) || !isfinite(*value) || (u && isfinite(uncertainty_known(u))))
        return 0;
    for (int k = 0; k < r->n_opening + r->n_section; k++) {
        const double off = part_of_place(r, &r->place[k], value);
        if (isfinite(off))
            return off;
    }
    for (int k = 0; k < r->n_drop; k++)
        if (value == &r->drop[k].value_pa && given_pressure(r, r->drop[k].from) && given_pressure(r, r->drop[k].to))
            return 0;
    for (int k = 0; k < r->n_ppg; k++) {
        const ppg *g = &r->ppg[k];
        double sum = 0;
        for (int t = 0; t < g->n_term; t++) {
            if (value == &g->term[t].value_pa)
                return part_of_term(r, &g->term[t]);
            sum += part_of_term(r, &g->term[t]);
        }
        if (value == &g->value_pa)
            return sum;
    }
    return r->off * fabs(*value);
}

const char *readouts_show(const readouts *r, const double *value, double scale, char text[READOUTS_SHOWN]) {
    const uncertainty *u = readouts_interval(r, value);
    const double half = u ? uncertainty_known(u) : NAN;
    if (half > 0)
        return units_interval(scale * *value, scale * half, UNITS_PLUS_MINUS, text, READOUTS_SHOWN);
    return units_about(scale * *value, scale * readouts_off(r, value), text, READOUTS_SHOWN);
}
