/* Limits of the warnings about a lumen. Each line: unit: meaning, source (chosen, unless stated). None of them moves a
 * wall. */
#ifndef PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
#define PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
/* clang-format off */

/* segment_messages */
static const double MIN_CONTRAST_TO_NOISE = 1.3; /* contrast over noise at a wall: a warning below this, phantoms */
/* part of the volume by which lumen and mask differ: a warning above this */
static const double MAX_VOLUME_DIFFERENCE = 0.02;
static const double MAX_WALL_IN_FILL = 0.02;  /* part of the wall in the fill of a masked image: a warning above this */
static const double MAX_BEHIND_NECK = 0.1;    /* part of the lumen behind a neck: a warning above this, phantoms */
static const double MAX_ROUGH = 0.1;          /* part of the lumen as rough as bone: a warning above this, phantoms */

/* plausibility */
/* radii of the vessel: a narrower opening is a hole in the mesh, not an end */
static const double HOLE_RADIUS = 0.5;
static const double SAME_END = 3;             /* radii of an end: an opening within this distance belongs to the end */
/* part of the wall outside the image: a warning above this, which allows for a cropped image */
static const double MAX_OUTSIDE = 0.1;

/* clang-format on */
#endif
