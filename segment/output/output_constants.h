/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the warnings about a lumen. No limit moves a wall. "Set on phantoms", "From theory", "Measured" and "Usual
 * value" name the source of a value; a value without one is a choice. */
#ifndef PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
#define PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
/* clang-format off */

/* Constants of segment_messages.c */
/* Lower limit of the contrast-to-noise ratio at a wall; below it segment warns. Set on phantoms. */
static const double MIN_CONTRAST_TO_NOISE = 1.3;
/* Upper limit of the difference between lumen and mask, as a fraction of the volume; above it segment warns */
static const double MAX_VOLUME_DIFFERENCE = 0.02;
/* segment warns if more than this fraction of the wall lies in the constant value outside a masked image */
static const double MAX_WALL_IN_FILL = 0.02;
/* Upper limit of the part of the lumen behind a neck; above it segment warns. Set on phantoms. */
static const double MAX_BEHIND_NECK = 0.1;
/* Upper limit of the part of the lumen that is as rough as bone; above it segment warns. Set on phantoms. */
static const double MAX_ROUGH = 0.1;
/* Smallest radius of an end without an opening whose warning is serious, in median radii of the lumen. By the cube law
 * its branch would carry about a tenth of the flow. */
static const double WIDE_END = 0.5;

/* Constants of plausibility.c */
/* Smallest radius of an end of the vessel, in radii of the vessel. A smaller hole in the
 * wall is a fault of the mesh. */
static const double HOLE_RADIUS = 0.5;
/* Distance from an end within which an opening belongs to it, in radii of the end */
static const double SAME_END = 3;
/* segment warns if more than this fraction of the wall is outside the image; at a cropped image the fraction is
 * smaller */
static const double MAX_OUTSIDE = 0.1;

/* clang-format on */
#endif
