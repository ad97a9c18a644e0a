/* SPDX-License-Identifier: Apache-2.0 */
/* Heat for the solver: rates, and the thermal condition of each side (wall or opening), in lattice units. theta is the
 * temperature minus the reference temperature, divided by the unit of temperature (heat_boundary_values.h). */
#ifndef PORTAFLOW_HEAT_LINKS_H
#define PORTAFLOW_HEAT_LINKS_H
#include "common/base/must_check.h"
#include "solve/core/domain.h"

enum heat_kind { HEAT_NO_FLUX, HEAT_GIVEN, HEAT_FREE }; /* see kernels/heat_cell.h */
/* limits, because domain_link.wall and domain_link.opening are bytes */
enum { HEAT_SIDES = 512, HEAT_WALLS = 256 };

typedef struct {
    int kind;           /* enum heat_kind */
    double temperature; /* prescribed temperature theta, for HEAT_GIVEN */
} heat_side;

typedef struct {
    double omega_plus, omega_minus;
    double buoyancy[3]; /* acceleration per unit of theta */
    int n_wall;         /* sides 0 .. n_wall - 1 are walls (domain_link.wall); openings follow */
    int n_side;
    heat_side side[HEAT_SIDES];
} heat_settings;

/* A cut link along an axis; D3Q7 has no other links. Arrays of heat_link are sorted by cell. */
typedef struct {
    int32_t cell;
    uint8_t dir; /* 1..6, out of the fluid */
    int16_t side;
    float q;
} heat_link;

/* Index in heat_settings.side of the wall or opening of a cut link. */
static inline int heat_side_of(const heat_settings *h, const domain_link *k) {
    return k->opening ? h->n_wall + k->opening - 1 : k->wall < h->n_wall ? k->wall : 0;
}

/* Builds all heat links, [*n]; caller frees. Errors: ERR_RESOURCE. */
MUST_CHECK int heat_links_create(const domain *d, const heat_settings *h, heat_link **link, int64_t *n);
#endif
