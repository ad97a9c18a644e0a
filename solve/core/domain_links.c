/* SPDX-License-Identifier: Apache-2.0 */
/* See domain_links.h. */
#include "solve/core/domain_links.h"
#include "solve/core/domain_openings.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>

static const double ALONG_GRID = 1 - 1e-6; /* a vector is along the grid if the cosine of its angle to a grid axis
                                            * exceeds this value (angle below 0.08 degrees) */

/* Sets bit a of bits [n_cell] if the neighbour in direction a is missing. */
static void missing_mask(const domain *d, const lattice_rows *t, uint32_t *bits) {
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < d->n_cell; c++) {
        const int32_t *p = d->position + 3 * c;
        bits[c] = 0;
        for (int a = 1; a < d->directions; a++)
            if (lattice_rows_find(t, p[0] + lattice_e[a][0], p[1] + lattice_e[a][1], p[2] + lattice_e[a][2]) < 0)
                bits[c] |= 1u << a;
    }
}

/* Marks neighbours behind a wall thinner than a cell as missing. */
static void missing_behind_walls(const lattice *l, int directions, const int32_t *active, uint32_t *bits) {
    for (int64_t k = 0; k < l->n_link; k++)
        if (l->link_opening[k] == 0 && l->link_dir[k] < directions && active[l->link_cell[k]] >= 0)
            bits[active[l->link_cell[k]]] |= 1u << l->link_dir[k];
}

int domain_on_site_check(const char *name, const double n[3], int wall) {
    if (wall == DOMAIN_WALL_VLBM)
        return fail(
            ERR_INPUT,
            "opening '%s': zou-he needs wall interpolated; write solve: {wall: interpolated} or solve: {opening: "
            "half-way}",
            name);
    if (fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2]))) < ALONG_GRID)
        return fail(
            ERR_INPUT,
            "opening '%s' has the normal %.3g, %.3g, %.3g; zou-he needs one along x, y or z; write solve: {opening: "
            "half-way}",
            name, n[0], n[1], n[2]);
    return OK;
}

static int on_site_alone(const lattice *l, const domain *d) {
    const domain_link *last = NULL; /* last link through an opening */
    for (const domain_link *k = d->link; k < d->link + d->n_link; k++) {
        if (!k->opening)
            continue;
        if (last && last->cell == k->cell && last->opening != k->opening &&
            (domain_on_site(d, last) || domain_on_site(d, k)))
            return fail(ERR_INPUT,
                        "openings '%s' and '%s' share a cell, which zou-he does not support; write solve: "
                        "{opening: half-way}",
                        l->opening[last->opening - 1].name, l->opening[k->opening - 1].name);
        last = k;
    }
    return OK;
}

/* Calls domain_openings_join for each wall link with q > 1/2 whose opposite link goes through an opening. Links are
 * sorted by cell, then by direction. */
static void rims_join(const lattice *l, const domain_condition *condition, const uint32_t *through, domain *d) {
    int64_t first = 0;
    for (int64_t k = 0; k < d->n_link; k++) {
        domain_link *link = &d->link[k], *other = NULL;
        if (link->cell != d->link[first].cell)
            first = k;
        if (link->opening || !(link->q > 0.5f) || !(through[link->cell] >> lattice_opposite(link->dir) & 1u))
            continue;
        for (int64_t m = first; m < d->n_link && d->link[m].cell == link->cell; m++)
            if (d->link[m].dir == lattice_opposite(link->dir))
                other = &d->link[m];
        domain_openings_join(l, d->directions, condition, other, link);
    }
}

/* Creates links from those links of the lattice file that belong to active cells, in the order of the active cells. */
static int links_from_lattice(const lattice *l, const domain_share *parts, int wall, const domain_condition *condition,
                              const int32_t *active, uint32_t *missing, domain *d) {
    int rc = OK;
    int64_t *nth = calloc((size_t)l->n_opening + 1, sizeof *nth);
    uint32_t *through = calloc((size_t)d->n_cell, sizeof *through);
    /* Last link along a grid axis through an opening. At an on-site opening all links of a cell use the profile value
     * of this link. */
    struct straight {
        int32_t cell;
        int opening;
        int64_t index;
    } straight = {-1, 0, 0};
    if (!nth || !through) {
        rc = fail_memory("the openings", 4.0 * (double)d->n_cell);
        goto cleanup;
    }
    for (int64_t k = 0; k < l->n_link; k++)
        if (l->link_opening[k] && l->link_dir[k] < d->directions && active[l->link_cell[k]] >= 0 &&
            !condition[l->link_opening[k] - 1].on_site && condition[l->link_opening[k] - 1].kind != DOMAIN_MOVING_WALL)
            through[active[l->link_cell[k]]] |= 1u << l->link_dir[k];
    for (int64_t k = 0; k < l->n_link; k++) {
        const int32_t c = active[l->link_cell[k]];
        const int i = l->link_dir[k], opening = l->link_opening[k];
        int64_t index = opening ? nth[opening - 1]++ : 0;
        if (i < 7 && opening)
            straight = (struct straight){l->link_cell[k], opening, index};
        else if (opening && condition[opening - 1].on_site && straight.cell == l->link_cell[k] &&
                 straight.opening == opening)
            index = straight.index;
        if (c < 0 || i >= d->directions || (wall == DOMAIN_WALL_VLBM && !opening) ||
            (parts && parts->mark[l->link_cell[k]] != 1))
            continue;
        if (!(missing[c] & 1u << i)) {
            rc = fail(ERR_INPUT,
                      "the lattice is damaged: cell %d, %d, %d has a cut link to a cell that exists; run mesh again",
                      d->position[3 * c], d->position[3 * c + 1], d->position[3 * c + 2]);
            goto cleanup;
        }
        domain_link *link = &d->link[d->n_link++];
        const bool half_way = wall == DOMAIN_WALL_VLBM ||
                              /* the opposite link ends at a wall, too, so that no fluid cell is there to interpolate
                               * with. If it goes through an opening, rims_join sets q. */
                              (missing[c] & ~through[c] & 1u << lattice_opposite(i)) ||
                              (opening && condition[opening - 1].kind != DOMAIN_MOVING_WALL);
        link->cell = c;
        link->dir = (uint8_t)i;
        link->opening = (uint8_t)opening;
        link->wall = l->link_wall ? l->link_wall[k] : 0;
        link->q = half_way ? 0.5f : l->link_q[k];
        link->weight =
            opening ? domain_openings_weight(l, d->directions, condition, opening - 1, i, link->q, index) : 0.0f;
    }
    if (wall != DOMAIN_WALL_VLBM)
        rims_join(l, condition, through, d);
cleanup:
    free(nth);
    free(through);
    return rc;
}

static int link_order(const void *a, const void *b) {
    const domain_link *x = a, *y = b;
    return x->cell != y->cell ? (x->cell < y->cell ? -1 : 1) : (int)x->dir - (int)y->dir;
}

/* True if another part computes cell c of d. */
static bool is_other(const domain_share *parts, const domain *d, int64_t c) {
    return parts && parts->mark[d->stored[c]] != 1;
}

/* Adds links for missing neighbours without a link in the file. For vlbm they are walls at q = 1/2; otherwise this is
 * an error. */
static int links_complete(int wall, const domain_share *parts, const uint32_t *missing, domain *d) {
    const int64_t known = d->n_link;
    int64_t k = 0;
    for (int64_t c = 0; c < d->n_cell; c++) {
        uint32_t rest = is_other(parts, d, c) ? 0 : missing[c];
        for (; k < known && d->link[k].cell == c; k++)
            rest &= ~(1u << d->link[k].dir);
        for (int i = 1; rest && i < d->directions; i++) {
            if (!(rest & 1u << i))
                continue;
            if (wall != DOMAIN_WALL_VLBM)
                return fail(ERR_INPUT,
                            "the lattice is damaged: link %d of cell %d, %d, %d has no wall distance; run mesh again",
                            i, d->position[3 * c], d->position[3 * c + 1], d->position[3 * c + 2]);
            d->link[d->n_link++] = (domain_link){.cell = (int32_t)c, .dir = (uint8_t)i, .q = 0.5f};
        }
    }
    if (d->n_link > known)
        qsort(d->link, (size_t)d->n_link, sizeof *d->link, link_order);
    return OK;
}

enum { LINKS, SHARE, SETBACK, FLUX, SUMS }; /* indices of the sums over the links of an opening */

/* Sets the members of domain_opening that are sums over links. The sums are exact, so they do not depend on the order
 * or the number of ranks. */
static int openings_sum(const lattice *l, const domain_share *parts, domain *d) {
    exact_sum *sum = calloc((size_t)d->n_opening + 1, SUMS * sizeof *sum);
    if (!sum)
        return fail_memory("the openings", 1e4);
    for (int64_t k = 0; k < d->n_link; k++) {
        const domain_link *link = &d->link[k];
        if (!link->opening)
            continue;
        exact_sum *of = sum + SUMS * (size_t)(link->opening - 1);
        const double share =
            fabs(domain_openings_ladd(d->directions, link->dir, d->opening[link->opening - 1].normal)) / 3;
        exact_sum_add(&of[LINKS], 1);
        exact_sum_add(&of[SHARE], share);
        exact_sum_add(&of[SETBACK], share * domain_openings_setback(l, d, link));
        exact_sum_add(&of[FLUX], link->weight * (double)(d->fluid ? d->fluid[link->cell] : 1.0f));
    }
    const int rc = parts ? parts->sum(sum, SUMS * d->n_opening) : OK;
    for (int k = 0; k < d->n_opening; k++) {
        const exact_sum *of = sum + (size_t)(SUMS * k);
        d->opening[k].n_link = (int64_t)exact_sum_value(&of[LINKS]);
        d->opening[k].share = exact_sum_value(&of[SHARE]);
        d->opening[k].setback = exact_sum_value(&of[SETBACK]);
        d->opening[k].link_flux = exact_sum_value(&of[FLUX]);
    }
    free(sum);
    return rc;
}

/* Sets carried and inertia, from weights divided by link_flux. */
static int openings_momentum(const lattice *l, const domain_share *parts, const domain_condition *condition,
                             domain *d) {
    exact_sum carried[256] = {0}, square[256] = {0}, known[256] = {0}, inertia[256] = {0};
    int rc = OK;
    for (int64_t k = 0; k < d->n_link; k++) {
        const domain_link *link = &d->link[k];
        if (!link->opening || condition[link->opening - 1].kind != DOMAIN_FLOW || condition[link->opening - 1].on_site)
            continue;
        const domain_opening *o = &d->opening[link->opening - 1];
        const double e[3] = {lattice_e[link->dir][0], lattice_e[link->dir][1], lattice_e[link->dir][2]};
        exact_sum_add(&inertia[link->opening - 1], 1.5 * fabs(vec_dot(e, o->normal)) * link->weight / o->share);
        double u, e_u;
        if (!domain_openings_velocity(l, d->directions, condition, link, o->link_flux, &u, &e_u))
            continue;
        const double share = fabs(domain_openings_ladd(d->directions, link->dir, o->normal)) / 3 / o->share;
        exact_sum_add(&carried[link->opening - 1], share * e_u * e_u);
        exact_sum_add(&square[link->opening - 1], share * u * u);
        exact_sum_add(&known[link->opening - 1], share);
    }
    if (parts) {
        TRY(parts->sum(carried, d->n_opening));
        TRY(parts->sum(square, d->n_opening));
        TRY(parts->sum(known, d->n_opening));
        TRY(parts->sum(inertia, d->n_opening));
    }
    for (int k = 0; k < d->n_opening; k++) {
        d->opening[k].inertia = exact_sum_value(&inertia[k]);
        if (exact_sum_value(&known[k]) > 0) /* links across the vessel have no velocity of their own: they get the mean
                                             * square velocity of the other links */
            d->opening[k].carried =
                4.5 * exact_sum_value(&carried[k]) - 1.5 * exact_sum_value(&square[k]) / exact_sum_value(&known[k]);
    }
cleanup:
    return rc;
}

/* Divides the weights of flow openings by link_flux, so that weight times flow (cells^3 per step) is D. Then sets
 * setback, and carried and inertia, which need these weights. */
static int links_scale(const lattice *l, const domain_share *parts, const domain_condition *condition, domain *d) {
    const int failed = openings_sum(l, parts, d);
    if (failed != OK)
        return failed;
    for (int k = 0; k < d->n_opening; k++) {
        if (d->opening[k].n_link == 0 || (condition[k].kind == DOMAIN_FLOW && !(d->opening[k].link_flux > 0)))
            return fail(ERR_INPUT, "opening '%s' has no link to an active cell; use a smaller spacing",
                        l->opening[k].name);
        d->opening[k].setback /= d->opening[k].share > 0 ? d->opening[k].share : 1;
    }
    for (int64_t k = 0; k < d->n_link; k++) {
        domain_link *link = &d->link[k];
        if (!link->opening || condition[link->opening - 1].kind != DOMAIN_FLOW)
            continue;
        link->weight = (float)(link->weight / d->opening[link->opening - 1].link_flux);
    }
    return openings_momentum(l, parts, condition, d);
}

/* Returns the cell from which population a of cell c comes, -1 for a cut link. */
static int32_t source_of(const domain *d, const lattice_rows *rows, const uint32_t *missing, int a, int32_t c) {
    const int32_t *p = d->position + 3 * (int64_t)c;
    if (missing[c] >> lattice_opposite(a) & 1u)
        return -1;
    return (int32_t)lattice_rows_find(rows, p[0] - lattice_e[a][0], p[1] - lattice_e[a][1], p[2] - lattice_e[a][2]);
}

/* Sets the array `behind` of d. It also reads `missing` of cells that belong to other parts (ranks). Errors:
 * ERR_RESOURCE. */
static int behind_create(const lattice_rows *rows, const uint32_t *missing, domain *d) {
    d->behind = malloc(((size_t)d->n_link + 1) * sizeof *d->behind);
    if (!d->behind)
        return fail_memory("the cells behind the walls", (double)d->n_link * sizeof *d->behind);
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < d->n_link; k++) {
        const domain_link *link = &d->link[k];
        const int32_t next = link->opening ? -1 : source_of(d, rows, missing, link->dir, link->cell);
        const int32_t third = next < 0 ? -1 : source_of(d, rows, missing, link->dir, next);
        d->behind[k] = third < 0 ? (domain_behind){-1, -1} : (domain_behind){next, third};
    }
    return OK;
}

int domain_links_create(const lattice *l, const domain_share *share, int wall, const domain_condition *condition,
                        const int32_t *active, const lattice_rows *rows, domain *d) {
    int rc = OK;
    int64_t n = 0;
    uint32_t *missing = malloc((size_t)d->n_cell * sizeof *missing);
    if (!missing)
        return fail_memory("the cut links", 4.0 * (double)d->n_cell);
    missing_mask(d, rows, missing);
    if (wall != DOMAIN_WALL_VLBM)
        missing_behind_walls(l, d->directions, active, missing);
    for (int64_t c = 0; c < d->n_cell; c++)
        n += is_other(share, d, c) ? 0 : __builtin_popcount(missing[c]);
    if (n > INT32_MAX) {
        rc = fail(ERR_INPUT, "the lattice has %lld cut links, more than %d; use a larger spacing", (long long)n,
                  INT32_MAX);
        goto cleanup;
    }
    d->link = calloc((size_t)n + 1, sizeof *d->link);
    d->opening = calloc((size_t)l->n_opening + 1, sizeof *d->opening);
    d->n_opening = l->n_opening;
    if (!d->link || !d->opening) {
        rc = fail_memory("the cut links", (double)n * sizeof *d->link);
        goto cleanup;
    }
    for (int k = 0; k < l->n_opening; k++) {
        if (condition[k].on_site)
            TRY(domain_on_site_check(l->opening[k].name, l->opening[k].normal, wall));
        d->opening[k].kind = condition[k].kind;
        d->opening[k].on_site = condition[k].on_site;
        const double *out =
            condition[k].kind == DOMAIN_PRESSURE ? domain_openings_along(&l->opening[k]) : l->opening[k].normal;
        for (int a = 0; a < 3; a++)
            d->opening[k].normal[a] = condition[k].on_site ? round(l->opening[k].normal[a]) : out[a];
    }
    TRY(links_from_lattice(l, share, wall, condition, active, missing, d));
    TRY(links_complete(wall, share, missing, d));
    TRY(links_scale(l, share, condition, d));
    TRY(domain_pulse_create(l, share, condition, d));
    TRY(on_site_alone(l, d));
    if (wall == DOMAIN_WALL_QUADRATIC)
        TRY(behind_create(rows, missing, d));
cleanup:
    free(missing);
    return rc;
}

/* Creates the links between cells of different solid fraction. Such a link belongs to cell x if its neighbour y = x -
 * e_a is more solid. */
int domain_partials_create(const lattice_rows *rows, domain *d) {
    for (int pass = 0; pass < 2; pass++) {
        d->n_partial = 0;
        for (int64_t c = 0; c < d->n_cell; c++) {
            const int32_t *p = d->position + 3 * c;
            for (int a = 1; a < 19; a++) {
                const int64_t y =
                    lattice_rows_find(rows, p[0] - lattice_e[a][0], p[1] - lattice_e[a][1], p[2] - lattice_e[a][2]);
                if (y < 0 || !(d->fluid[y] < d->fluid[c]))
                    continue;
                if (pass == 1)
                    d->partial[d->n_partial] =
                        (domain_partial){.cell = (int32_t)c,
                                         .dir = (uint8_t)a,
                                         .theta = ((double)d->fluid[c] - d->fluid[y]) / d->fluid[c]};
                d->n_partial++;
            }
        }
        if (pass == 0) {
            d->partial = malloc((size_t)(d->n_partial + 1) * sizeof *d->partial);
            if (!d->partial || d->n_partial > INT32_MAX)
                return fail_memory("the partly solid links", (double)d->n_partial * sizeof *d->partial);
        }
    }
    return OK;
}
