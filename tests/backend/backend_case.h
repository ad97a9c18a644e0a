/* SPDX-License-Identifier: Apache-2.0 */
/* Cases and comparisons for tests/backend: plain C, so that they also run where cmocka is not installed. */
#ifndef PORTAFLOW_TESTS_BACKEND_CASE_H
#define PORTAFLOW_TESTS_BACKEND_CASE_H
#include "solve/core/backend.h"

typedef struct {
    const char *name;
    domain d;
    backend_settings settings;
    double size;  /* of the random deviations it starts from */
    double value; /* velocity at the flow openings, lattice units; moving walls and pressures derive from it */
} backend_case;

enum {
    CASE_TUBE,       /* oblique, inlet by flow, outlet by pressure, interpolated wall */
    CASE_TUBE_VLBM,  /* the same with partly solid cells */
    CASE_PIPE,       /* periodic along z, driven by a force */
    CASE_CAVITY,     /* closed, one moving wall */
    CASE_BOX,        /* closed, interpolated walls at random distances, isolated cells */
    CASE_SOLIDS,     /* random solid fractions, periodic on all axes */
    CASE_TUBE_THIN,  /* the first tube at tau 0.55, */
    CASE_TUBE_THICK, /* and at tau 1 with a force */
    CASE_TUBE_SHORT, /* cells with links through both openings */
    CASE_TUBE_OUT,   /* inlet by pressure, outlet by flow */
    CASE_ZOU_HE,     /* a tube along z, inlet by flow, outlet by pressure, both by Zou and He's rule; */
    CASE_ZOU_HE_OUT, /* the other way round, with a force */
    CASE_TUBE_FLAP,  /* a wall thinner than a cell along the first tube, for a part of it */
    CASE_COUNT,
    CASE_WARM_SLAB = CASE_COUNT, /* with heat: a tall slot at an angle between a warm and a cold wall; */
    CASE_WARM_ANNULUS,           /* warm inside, cold outside, gravity across it; */
    CASE_WARM_CAVITY,            /* one wall that moves and is warm, one cold, one without flux; */
    CASE_WARM_TUBE,              /* the oblique tube: a temperature comes in, the outlet is free, a cold wall; */
    CASE_WARM_TUBE_OUT,          /* inlet by pressure, outlet by flow; */
    CASE_WARM_TUBE_SHORT,        /* cells with links through both; */
    CASE_WARM_BOX,               /* walls at random distances, each link of one of three walls */
    CASE_CORNER_TUBE,            /* D3Q27 with cumulants and quadratic walls: the oblique tube, */
    CASE_CORNER_TUBE_THIN,       /* at tau 0.55, */
    CASE_CORNER_TUBE_SHORT,      /* with links through both openings, */
    CASE_CORNER_TUBE_OUT,        /* with a flow out, */
    CASE_CORNER_TUBE_FLAP,       /* and with a thin wall; */
    CASE_CORNER_PIPE,            /* the driven pipe; */
    CASE_CORNER_CAVITY,          /* the moving wall; */
    CASE_CORNER_BOX,             /* walls at random distances; */
    CASE_CORNER_SLAB,            /* the slot at an angle, periodic on all axes, driven by a force */
    CASE_ALL,
    CASE_LARGE = CASE_ALL, /* the oblique tube with a million cells: by hand, not in a loop over all */
    CASE_WARM_LARGE,       /* with heat, and several chunks of slots */
    CASE_CORNER_LARGE      /* with cumulants */
};

/* Aborts with a message on failure: a test that cannot be made has failed. */
backend_case case_make(int kind, int precision, bool regularized);
void case_free(backend_case *c);
/* Puts a third of the cells into porous region 1, and a third into region 2, but no cell with a link to an opening. */
void case_make_porous(domain *d);

/* Slots at random (the same for every precision up to its rounding), values for n steps. */
void case_fill(const backend_case *c, const backend_table *table, backend *b);
prescribed_value *case_prescribed(const backend_case *c, int n); /* [n][domain_given], the caller frees */

/* What a backend holds; theta, gradient: NULL without heat. */
typedef struct {
    float *density, *velocity, *stress, *theta, *gradient;
    backend_monitor monitor;
    double flow[8], opening_density[8], heat_flux[8];
} case_fields;
/* A monitor whose flows and densities go to f. */
backend_monitor case_monitor(case_fields *f);
case_fields case_read(const backend_case *c, const backend_table *table, backend *b);
void case_fields_free(case_fields *f);

/* |a - b| / |b|, L2 over n values; 0 when both are zero, NaN counts as 1e30. */
double case_difference(const float *a, const float *b, int64_t n);
double case_norm(const float *a, int64_t n); /* L2, 1e-30 at least */
void case_must(int rc);
#endif
