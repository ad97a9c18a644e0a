/* SPDX-License-Identifier: Apache-2.0 */
/* Constants for supplied masks and surfaces. "Set on phantoms", "From theory", "Measured" and "Usual value" name the
 * source of a value; a value without one is a choice. */
#ifndef PORTAFLOW_SEGMENT_IMPORT_CONSTANTS_H
#define PORTAFLOW_SEGMENT_IMPORT_CONSTANTS_H
/* clang-format off */

/* Constants of given_surface.c */
static const double MAX_VOXELS = 20e6;        /* Upper limit of the number of voxels of phi. Limited by memory. */
/* Upper limit of the difference between the volumes by triangles and by signed distance, as a fraction of the volume;
 * above it the surface is refused */
static const double MAX_VOLUME_DIFFERENCE = 0.1;
/* Upper limit of the fraction of a self-crossing surface's area that is not a wall between lumen and surroundings;
 * above it the surface is refused */
static const double MAX_WRONG_WALL = 1e-3;
/* A touching part is a vessel if it has at least this fraction of the volume of the surface */
static const double LEAST_VESSEL = 0.02;
enum { PHI_MARGIN = 6 };                      /* Margin of phi around the vessel, in voxels */

/* Constants of label_mask.c */
/* Standard deviation of the Gaussian that removes the staircase of the mask, in voxels. Set on phantoms. */
static const double MASK_SIGMA = 1.3;
/* Standard deviation of the Gaussian of the volume correction, in voxels. Set on phantoms. */
static const double CORRECTION_SIGMA = 2;
/* Ratio of voxel thickness to width from which slices are interpolated by shape. Set on phantoms. */
static const double THICK_RATIO = 1.8;
/* Upper limit of the number of voxels of a refined grid. Limited by memory. */
static const double FINE_VOXELS = 60e6;
/* The volume correction ends below this difference, as a fraction of the volume */
static const double VOLUME_TOLERANCE = 1e-3;
static const double FAR_MM = 1e4;             /* Longer than any distance within a slice, in mm */
/* Distance from the middle of a vessel's last section up to which mirrored distances are set, in radii. Set on
 * phantoms. */
static const double BEYOND_RADII = 2;
static const double RIM_PART = 0.3;           /* Smallest mirrored distance, in radii, up to BEYOND_RADII from the
                                               * middle of the last section. Set on phantoms. */
enum { CORRECTION_ROUNDS = 10 };              /* Upper limit of the number of rounds of the volume correction */
enum { BLOCK = 32 };                          /* Edge of a block of the volume correction, in voxels of the mask */
enum { MASK_MARGIN = 4 };                     /* Margin around the mask, in voxels */

/* clang-format on */
#endif
