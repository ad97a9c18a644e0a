/* SPDX-License-Identifier: Apache-2.0 */
/* The liver as cells: blocks of voxels of a mask, for compartments.h. */
#ifndef PORTAFLOW_LIVER_GRID_H
#define PORTAFLOW_LIVER_GRID_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdint.h>

enum { LIVER_CELLS = 60000 }; /* wanted number of cells; the error of the mean pressures is then below 1 % */

typedef struct {
    int factor[3];        /* voxels of a cell along each axis of the image */
    int dims[3];          /* blocks of the whole image */
    double spacing_mm[3]; /* size of a cell */
    volume image;         /* geometry of the mask; value NULL */
    uint8_t *inside;      /* [dims of the image] 1: voxel of the liver, in a cell */
    int64_t n;            /* cells with liver voxels */
    int32_t *number;      /* [dims[2]][dims[1]][dims[0]] number of the cell of each block; -1: none */
    int32_t (*at)[3];     /* [n] block of each cell */
    double *volume_mm3;   /* [n] volume of the liver in the cell */
    /* [n][6] neighbours along -x, +x, -y, +y, -z, +z (-1: none), and the area of liver on both sides of the face */
    int32_t (*other)[6];
    float (*area_mm2)[6];
    double all_mm3, lost_mm3; /* volume of the cells, and of liver voxels not connected with them */
} liver_grid;

/* Divide the liver into about `cells` blocks; only the largest connected part is kept. mask: nonzero in the liver.
 * Errors: ERR_RESOURCE; ERR_INPUT (no voxel of the liver). */
MUST_CHECK int liver_grid_create(const volume *mask, int cells, liver_grid *g);
void liver_grid_free(liver_grid *g); /* safe on a zeroed struct and twice */

void liver_grid_centre(const liver_grid *g, int64_t cell, double lps_mm[3]);
/* The cell with the nearest centre. *distance_mm: from the point to the nearest face of this cell; 0: inside. */
int64_t liver_grid_nearest(const liver_grid *g, const double lps_mm[3], double *distance_mm);
/* The cell of a voxel of the liver; -1: another voxel, or in a part of the liver that is left out. */
int64_t liver_grid_of_voxel(const liver_grid *g, int i, int j, int k);

/* Checks the volume of the liver, 0.1 to 10 L, and that it is in one piece. Errors: ERR_INPUT. */
MUST_CHECK int liver_grid_check(const liver_grid *g);

/* A vessel whose outlet is farther than this from the liver does not end in it. The mask of the liver may exclude the
 * vessels in it, whose largest radius is about 10 mm. */
#define LIVER_END_MM 15.0
/* Checks the distance of the end of a vessel from the liver. what: kind of the vessel. Errors: ERR_INPUT. */
MUST_CHECK int liver_grid_check_distance(const char *what, const char *name, double off_mm);
#endif
