/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of the narrow band of the lattice Boltzmann engine. A voxel is one of the working grid, where the level set
 * moves (segment/level_set/working_grid.h). "Set on phantoms", "From theory" and "Measured" name the source of a value;
 * a value without one is a choice. "+20 % moves the wall by x" gives the mean shift of the wall, in image voxels, of a
 * tube of 4 image voxels radius when the constant grows by a fifth, as the maximum over three images (SNR 15 with and
 * without openings, SNR 4 with openings). A constant without this figure moves the wall by less than 1e-4, or these
 * images do not use it. */
#ifndef PORTAFLOW_SEGMENT_ENGINE_CONSTANTS_H
#define PORTAFLOW_SEGMENT_ENGINE_CONSTANTS_H
/* clang-format off */

/* Constants of lbm_engine.c */
/* Time step of the curvature flow, in voxels^2; stable below 1/6. From theory. +20 % moves the wall by 0.0018. */
static const double CURVATURE_STEP = 0.125;
/* Upper limit of the move of the front in a step, in voxels. From theory. +20 % moves the wall by 0.0021. */
static const double MAX_MOVE = 0.4;
/* Distance from the front that the core of the band reaches, in voxels. +20 % moves the wall by 0.0004. */
static const float BAND_START = 1.5F;
enum { BAND_LAYERS = 8 };                     /* Number of layers of voxels around the core of the band */
/* Number of iterations between two rebuilds of the band; the front stays inside the band meanwhile */
enum { BAND_STEPS = 10 };
enum { DISTANCE_STEPS = 5 };                  /* Number of redistancing steps after BAND_STEPS iterations */
/* Number of iterations of a typical front; decides whether a GPU is worth its start-up. Measured. */
enum { TYPICAL_STEPS = 60 };

/* clang-format on */
#endif
