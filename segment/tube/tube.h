/* The vessel between seeds and openings as a tree of tubes: centreline, width in each direction, intensities. */
#ifndef PORTAFLOW_TUBE_H
#define PORTAFLOW_TUBE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/paths.h"
#include <stdbool.h>
#include <stdint.h>

enum { TUBE_RAYS = 24, TUBE_SACS = 8 };

typedef struct {
    double path_mm[3];                           /* LPS: where the path ran */
    double at_mm[3], direction[3], across[2][3]; /* LPS, unit vectors; rays start at across[0] and turn to across[1] */
    double wall_mm[TUBE_RAYS];                   /* from the centre to the wall, a smooth closed curve */
    double radius_mm;                            /* their mean */
    double inside, outside;                      /* nearby: vessel, and the nearest of the tissues round it */
    double seen;                                 /* part of the rays that met a wall where the curve says */
    int opening;                                 /* the one whose plane passes here, -1 none */
} tube_node;

typedef struct {
    double at_mm[3], radius_mm; /* LPS: the largest ball in it */
    double vessel_mm;           /* radius of the vessel before and behind it */
    double volume_mm3, far_mm;  /* of all of it; its farthest place from at_mm */
    bool taken, round, cut;     /* it belongs to the vessel; has the shape of it; the image ends in it */
} tube_sac;

typedef struct {
    double at_mm[3], radius_mm, volume_mm3; /* LPS: its middle; of a ball of its volume */
    double vessel_mm;                       /* radius of the vessel there */
    bool narrow;                            /* a wall lies between them but for one place */
} tube_pouch;

typedef struct {
    int n;           /* nodes of all pieces */
    tube_node *node; /* owned */
    int n_piece;
    int *first; /* [n_piece + 1] first node of each piece, owned */
    int n_found;
    tube_sac found[TUBE_SACS]; /* widenings that no tube follows (sac.h) */
    int n_unlisted;            /* more of them, for which found has no room */
    int n_pouch;
    tube_pouch pouch[TUBE_SACS]; /* round things beside the wall, left out (pouch.h) */
    int n_pouch_unlisted;        /* more of them */
    volume sac;                  /* level set of those taken, mm, negative inside, owned; value NULL: none */
    int sac_node;                /* the node that stands for the vessel there */
} tube;

typedef struct {
    double radius_mm, inside, outside; /* at the seeds */
    double contrast;                   /* > 0: inside - outside at the least */
    bool fixed;                        /* inside and outside hold everywhere: the user gave the threshold */
    int n_opening;
    const double (*normal)[3]; /* [n_opening] unit, LPS; x NAN: along the vessel */
    double blur_mm2[3];        /* of the image along its axes: variance; 0: walls stay at the middle */
} tube_guess;

/* image: brighter inside, hardly smoothed. Each piece of the tree is recentred by rays across it: a wall is where the
 * intensity falls below the middle between vessel and nearest tissue, and then lies half way down to what is beyond it
 * there (half_height.h, over the rays beside it): the same middle lies far inside where fat is next. A closed curve of
 * two harmonics is fitted to the walls of the nodes nearby by Tukey's biweight (Beaton and Tukey 1974), so that rays
 * that run on into something as bright do not count.
 * Beyond an opening the vessel is followed for `beyond` radii; where there are none at all, beyond the last seeds as
 * long as it goes on as wide as it was, 150 mm at most. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_tube.c */
MUST_CHECK int tube_measure(const volume *image, const paths *p, const tube_guess *guess, double beyond, tube *out);
void tube_free(tube *t);

/* The nodes [n] of one line of points, a quarter of g->radius_mm apart. Errors: ERR_RESOURCE. */
MUST_CHECK int tube_measure_line(const volume *image, const tube_guess *g, int n, const double (*at)[3],
                                 tube_node *node);

/* One more piece. Errors: ERR_RESOURCE. */
MUST_CHECK int tube_append(tube *t, int n, const tube_node *node);

/* The nodes from .. to - 1 of a piece that lie between the openings. */
void tube_between(const tube *t, int piece, int *from, int *to);

/* The longest stretch between the openings along which rays find no wall where the curve says (less than three tenths
 * of them): its length in radii, its middle (LPS, mm). The path may have jumped from one vessel to another there. */
double tube_unseen(const tube *t, double place_mm[3]);

/* Volume, mm3, with its sacs, a junction counted once for each piece. */
double tube_volume_mm3(const tube *t);

/* Distance to the tube's wall in its cross-sections, mm, negative inside, at one place (LPS), and the node it is of;
 * INFINITY, *nearest unchanged: beyond all ends. */
double tube_distance(const tube *t, const double at_mm[3], int *nearest);

/* The same at the voxels of field (geometry given), and of the sacs that were taken, whichever is less; +far_mm
 * away from them. nearest [voxels]: the node, -1 away; may be NULL. Errors: ERR_RESOURCE. */
MUST_CHECK int tube_field(const tube *t, double far_mm, volume *field, int32_t *nearest);
#endif
