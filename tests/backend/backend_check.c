/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/backend/backend_check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int failures, checks;

void check(bool good, const char *device, const char *name, const char *what, double value, double limit) {
    checks++;
    failures += !good;
    if (!good || getenv("BACKEND_VERBOSE"))
        printf("%s %-18s %-18s %-28s %.3g (limit %.3g)\n", good ? "  ok  " : "FAILED", device, name, what, value,
               limit);
}

int checks_finish(void) {
    printf("%d checks, %d failed\n", checks, failures);
    return failures > 0;
}

static void compare_heat(const backend_case *c, const test_device *t, const case_fields *f, const case_fields *r,
                         double limit, const char *what) {
    const int64_t n = c->d.n_cell;
    const double theta = case_difference(f->theta, r->theta, n),
                 gradient = case_difference(f->gradient, r->gradient, 3 * n);
    char text[64];
    double scale = 1e-30;
    snprintf(text, sizeof text, "%s: temperature", what);
    check(theta <= limit, t->name, c->name, text, theta, limit);
    check(gradient <= 5 * limit, t->name, c->name, "gradient", gradient, 5 * limit);
    for (int k = 0; k < c->settings.heat->n_side; k++)
        scale = fmax(scale, fabs(r->heat_flux[k]));
    for (int k = 0; k < c->settings.heat->n_side; k++) {
        const double flux = fabs(f->heat_flux[k] - r->heat_flux[k]) / scale;
        check(flux <= 5 * limit, t->name, c->name, "heat through a side", flux, 5 * limit);
    }
    const double heat = fabs(f->monitor.heat - r->monitor.heat) / ((double)n * c->size);
    const double change = fabs(f->monitor.theta_change / r->monitor.theta_change - 1);
    check(heat <= limit, t->name, c->name, "heat", heat, limit);
    check(change <= 100 * limit, t->name, c->name, "change of the temperature", change, 100 * limit);
}

void compare(const backend_case *c, const test_device *t, const case_fields *f, const case_fields *r, double limit,
             const char *what) {
    const int64_t n = c->d.n_cell;
    char text[64];
    const struct {
        const char *name;
        const float *a, *b;
        int width;
    } field[] = {{"density", f->density, r->density, 1},
                 {"velocity", f->velocity, r->velocity, 3},
                 {"stress", f->stress, r->stress, 6}};
    for (int k = 0; k < 3; k++) {
        double difference = case_difference(field[k].a, field[k].b, field[k].width * n);
        if (k == 0) /* the density of a flow without pressure is noise: measured by the velocity */
            difference *= fmin(1, case_norm(r->density, n) / case_norm(r->velocity, 3 * n));
        snprintf(text, sizeof text, "%s: %s", what, field[k].name);
        check(difference <= limit * (k == 2 ? 5 : 1), t->name, c->name, text, difference, limit * (k == 2 ? 5 : 1));
    }
    double scale = 1e-30;
    for (int o = 0; o < c->d.n_opening; o++)
        scale = fmax(scale, fabs(r->flow[o]));
    for (int o = 0; o < c->d.n_opening; o++) {
        const double flow = fabs(f->flow[o] - r->flow[o]) / scale;
        const double density = fabs(f->opening_density[o] - r->opening_density[o]) / fabs(r->opening_density[o]);
        check(flow <= 5 * limit, t->name, c->name, "flow", flow, 5 * limit);
        check(density <= 5 * limit, t->name, c->name, "density at the opening", density, 5 * limit);
    }
    const double fastest = fabs(f->monitor.velocity_max / r->monitor.velocity_max - 1);
    check(fastest <= 5 * limit, t->name, c->name, "largest velocity", fastest, 5 * limit);
    /* the pressure in a porous region is large beside that of the case without it */
    const double size = fmax(c->size, case_norm(r->density, n) / sqrt((double)n));
    const double mass = fabs(f->monitor.mass - r->monitor.mass) / ((double)n * size);
    bool reflects = false; /* on-site openings send sound to and fro: rounding adds up (2.5e-5 in float on an H100) */
    for (int o = 0; o < c->d.n_opening; o++)
        reflects |= c->d.opening[o].on_site;
    check(mass <= (reflects ? 2 : 1) * limit, t->name, c->name, "mass", mass, (reflects ? 2 : 1) * limit);
    const double entered = fabs(f->monitor.entered - r->monitor.entered) / (fabs(r->monitor.entered) + 1e-30);
    check(entered <= 5 * limit, t->name, c->name, "mass that came in", entered, 5 * limit);
    const double change = fabs(f->monitor.change - r->monitor.change) / (r->monitor.change + 1e-30);
    check(change <= 100 * limit, t->name, c->name, "change", change, 100 * limit);
    if (c->settings.heat)
        compare_heat(c, t, f, r, limit, what);
    check(f->monitor.bad_cell == -1, t->name, c->name, "bad cell", (double)f->monitor.bad_cell, -1);
}
