/* SPDX-License-Identifier: Apache-2.0 */
/* The vessel between seeds and openings as a tree of tubes: centerline, wall distance in each direction,
 * intensities. */
#ifndef PORTAFLOW_TUBE_H
#define PORTAFLOW_TUBE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube_paths.h"
#include <stdbool.h>
#include <stdint.h>

enum { TUBE_RAYS = 24, TUBE_SACS = 8 };

typedef struct {
    double path_mm[3]; /* position of the node on the minimal path, LPS */
    /* centre and unit vectors, LPS; the first ray is along across[0], the next turn towards across[1] */
    double at_mm[3], direction[3], across[2][3];
    double wall_mm[TUBE_RAYS]; /* length of each ray from centre to wall, a smooth closed curve */
    double radius_mm;          /* mean of wall_mm */
    /* local intensities: of the vessel, and of the nearest tissue around it */
    double inside, outside;
    double seen; /* fraction of the rays that met a wall near the closed curve */
    bool lost;   /* the image shows no vessel here (tube_signal.h) */
    int opening; /* opening whose plane passes through the node; -1: none */
} tube_node;

typedef struct {
    double at_mm[3], radius_mm; /* centre and radius of the largest ball in the sac, LPS */
    double vessel_mm;           /* radius of the vessel before and behind the sac */
    double volume_mm3, far_mm;  /* volume of the sac; distance from at_mm to the farthest point of the sac */
    /* taken: the sac was added to the vessel; round: its shape is round; cut: the image border cuts it */
    bool taken, round, cut;
} tube_sac;

typedef struct {
    /* centre of the structure, radius of the ball with its volume, volume; LPS */
    double at_mm[3], radius_mm, volume_mm3;
    double vessel_mm; /* radius of the vessel next to the structure */
    /* true: a wall separates the structure from the vessel, except at one place */
    bool narrow;
} tube_pouch;

typedef struct {
    int n;           /* number of nodes in all pieces */
    tube_node *node; /* [n] nodes, piece after piece, owned */
    int n_piece;
    int *first; /* [n_piece + 1] first node of each piece, owned */
    int n_found;
    tube_sac found[TUBE_SACS]; /* widenings that the tube does not follow (sac.h) */
    int n_unlisted;            /* number of widenings for which `found` has no room */
    int n_pouch;
    tube_pouch pouch[TUBE_SACS]; /* round structures at the wall, which are excluded (narrow_neck_sac.h) */
    int n_pouch_unlisted;        /* number of round structures for which `pouch` has no room */
    /* level set of the sacs that were added, mm, negative inside, owned; value NULL: none */
    volume sac;
    int sac_node; /* node whose values represent the vessel at the sacs */
} tube;

typedef struct {
    double radius_mm, inside, outside; /* radius and intensities at the seeds */
    double contrast;                   /* lower limit of inside - outside, > 0 */
    /* true: inside and outside apply everywhere, because the user gave the threshold */
    bool fixed;
    int n_opening;
    const double (*normal)[3]; /* [n_opening] unit, LPS; x NAN: along the vessel */
    double blur_mm2[3];        /* variance of the blur along each image axis; 0: walls stay at the middle intensity */
} tube_guess;

/* Measures the tube along the paths; each piece is recentred by rays across it. A ray meets a wall where the intensity
 * falls below the middle between vessel and nearest tissue. The wall is then moved to the half height of the local
 * profile over neighbouring rays (half_height.h), since next to fat the middle intensity lies far inside the wall. A
 * closed curve of two harmonics is fitted to the walls of the nodes nearby by Tukey's biweight (Beaton and Tukey 1974),
 * so rays that enter a neighbour as bright as the vessel are ignored.
 *
 * Beyond an opening the vessel is followed for `beyond` radii. Without openings it is followed beyond the last seeds
 * while its width holds, up to 150 mm. image: brighter inside, lightly smoothed. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_tube.c */
MUST_CHECK int tube_measure(const volume *image, const paths *p, const tube_guess *guess, double beyond, tube *out);
void tube_free(tube *t);

/* Measures the n nodes of a line of points, which are a quarter of g->radius_mm apart. Errors: ERR_RESOURCE. */
MUST_CHECK int tube_measure_line(const volume *image, const tube_guess *g, int n, const double (*at)[3],
                                 tube_node *node);

/* Appends a piece of n nodes to the tube. Errors: ERR_RESOURCE. */
MUST_CHECK int tube_append(tube *t, int n, const tube_node *node);

/* Sets the range *from .. *to - 1 of the nodes of a piece that are between its openings. */
void tube_between(const tube *t, int piece, int *from, int *to);

/* Finds the longest stretch between the openings where less than three tenths of the rays meet a wall near the curve.
 * There the path may have changed to another vessel. lost: lost nodes count. Returns the length of the stretch in
 * radii; place_mm: its middle (LPS). */
double tube_longest_unseen(const tube *t, bool lost, double place_mm[3]);

/* Volume of the tube with its sacs, mm3; where pieces join, their common volume counts once for each piece. */
double tube_volume_mm3(const tube *t);

/* Signed distance at a point (LPS) to the tube's wall within its cross-sections, mm, negative inside, and the nearest
 * node. Beyond all ends of the tube it returns INFINITY and leaves *nearest unchanged. */
double tube_distance(const tube *t, const double at_mm[3], int *nearest);

/* Computes the signed distance to the tube on a grid. field: in, geometry; out, the smaller of the signed distances to
 * the tube and to its sacs, up to far_mm. nearest [voxels]: the nearest node, -1 where field is far_mm; may be NULL.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int tube_field(const tube *t, double far_mm, volume *field, int32_t *nearest);
#endif
