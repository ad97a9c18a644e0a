/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/tube/tube_axis.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/tube/tube_walls.h"
#include <math.h>
#include <string.h>

enum { DIRECTIONS = 48, NODES = 9 };
/* A direction is nearly as good as the best if it has this part of the maximum number of agreeing rays */
static const double nearly = 0.85;

/* Lay a straight piece of two radii along d through the seed. */
static void lay_piece(const tube_guess *g, const double seed[3], const double d[3], tube_node node[NODES]) {
    double u[3] = {fabs(d[0]) < 0.7, fabs(d[0]) >= 0.7, 0}, along = 0;
    for (int a = 0; a < 3; a++)
        along += u[a] * d[a];
    const double norm = sqrt(1 - along * along);
    for (int i = 0; i < NODES; i++) {
        tube_node *t = &node[i];
        *t = (tube_node){.radius_mm = g->radius_mm, .inside = g->inside, .outside = g->outside, .opening = -1};
        for (int a = 0; a < 3; a++) {
            t->at_mm[a] = seed[a] + (2.0 * i / (NODES - 1) - 1) * g->radius_mm * d[a];
            t->direction[a] = d[a];
            t->across[0][a] = (u[a] - along * d[a]) / norm;
        }
        for (int a = 0; a < 3; a++)
            t->across[1][a] = d[(a + 1) % 3] * t->across[0][(a + 2) % 3] - d[(a + 2) % 3] * t->across[0][(a + 1) % 3];
        memcpy(t->path_mm, t->at_mm, sizeof t->path_mm);
    }
}

int tube_axis(const volume *image, const tube_guess *g, const double seed[3], double end[2][3]) {
    tube_node node[DIRECTIONS][NODES];
    double seen[DIRECTIONS] = {0}, radius[DIRECTIONS] = {0}, most = 0, least = INFINITY;
    int rc = OK, best = 0;
    for (int k = 0; k < DIRECTIONS && rc == OK; k++) {
        double d[3];
        vec_half_sphere(k, DIRECTIONS, d);
        lay_piece(g, seed, d, node[k]);
        for (int round = 0; round < 2 && rc == OK; round++)
            rc = tube_walls_fit(image, g, round == 0, round == 1, node[k], NODES);
        for (int i = 0; i < NODES; i++) {
            seen[k] += node[k][i].seen / NODES;
            radius[k] += node[k][i].radius_mm / NODES;
        }
        most = fmax(most, seen[k]);
    }
    for (int k = 0; k < DIRECTIONS; k++)
        if (seen[k] >= nearly * most && radius[k] < least) {
            least = radius[k];
            best = k;
        }
    memcpy(end[0], node[best][0].at_mm, sizeof end[0]);
    memcpy(end[1], node[best][NODES - 1].at_mm, sizeof end[1]);
    return rc;
}
