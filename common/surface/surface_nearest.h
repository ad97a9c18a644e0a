/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest triangle of a surface to a point.
 *
 * All quantities of a triangle are precomputed. Normals of edges and corners as in Baerentzen and Aanaes (2005). */
#ifndef PORTAFLOW_SURFACE_NEAREST_H
#define PORTAFLOW_SURFACE_NEAREST_H
#include "common/base/must_check.h"
#include "common/surface/surface_wide.h"

/* Precomputed data of a triangle. */
typedef struct {
    double corner[3][3], normal[3]; /* corners; unit normal, 0 for a triangle without area */
    double across[3][3];            /* cross product of the normal and edge k, from corner k to corner k + 1 */
    double edge2[3];                /* squared lengths of the edges */
} surface_facet;

typedef struct {
    const surface *s; /* the surface, borrowed */
    surface_wide wide;
    double triangle_mm2;  /* mean area of a triangle */
    surface_facet *facet; /* [n_triangle] facets */
    double (*edge)[3][3]; /* [n_triangle] for edge k: sum of the normals of its two triangles */
    double (*corner)[3];  /* [n_point] sum of the normals of the triangles at a point, weighted with their angles */
} surface_facets;

/* Precomputes the data of all triangles of s. Errors: ERR_INPUT (no triangle has an area), ERR_RESOURCE. */
MUST_CHECK int surface_facets_create(surface_facets *f, const surface *s);
void surface_facets_free(surface_facets *f); /* safe on a zeroed struct */

/* Current nearest point of a search: on the face (part 0), an edge (1..3) or a corner (4..6) of a triangle. */
typedef struct {
    double square, point[3];
    int64_t triangle; /* nearest triangle; -1: none */
    int part;
} surface_nearest;

/* Start value for a search within this distance; INFINITY: no limit. */
surface_nearest surface_nearest_within(double reach_mm);

/* Update `best` if a nearer point is on triangle t (try), on a list of triangles (listed), on a list of packets
 * (packed), or anywhere on the surface (search). */
void surface_nearest_try(const surface_facets *f, int64_t t, const double p[3], surface_nearest *best);
void surface_nearest_listed(const surface_facets *f, int n, const int32_t *triangle, const double p[3],
                            surface_nearest *best);
void surface_nearest_packed(const surface_facets *f, int n, const int32_t *packet, const double p[3],
                            surface_nearest *best);
void surface_nearest_search(const surface_facets *f, const double p[3], surface_nearest *best);

/* Distance of p to the nearest point, negative inside. */
double surface_nearest_signed_mm(const surface_facets *f, const surface_nearest *best, const double p[3]);

/* Outward unit normal at the nearest point; 0 if undefined. */
void surface_nearest_normal(const surface_facets *f, const surface_nearest *best, double normal[3]);

/* Packets that may hold a triangle nearer to p than `reach`, into packet[most]. Returns their number; -1: more than
 * `most`. */
int surface_nearest_packets(const surface_facets *f, const double p[3], double reach, int most, int32_t *packet);

/* Lists the triangles nearer to p than `reach` among the triangles of n packets; triangle has room for SURFACE_WIDE *
 * n. Returns the number of triangles. */
int surface_nearest_list(const surface_facets *f, int n, const int32_t *packet, const double p[3], double reach,
                         int32_t *triangle);
#endif
