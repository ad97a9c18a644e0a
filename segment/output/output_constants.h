/* Limits of the warnings about a lumen. Each line: unit: meaning, source (chosen, unless stated). None of them moves a
 * wall. */
#ifndef PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
#define PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
/* clang-format off */

/* segment_messages */
static const double MIN_CONTRAST_TO_NOISE = 1.3; /* contrast over noise at a wall: a warning below, phantoms */
static const double MAX_VOLUME_DIFFERENCE = 0.02; /* volume: difference between lumen and mask: a warning above */
static const double MAX_BEHIND_NECK = 0.1;    /* lumen: part behind a neck: a warning above, phantoms */
static const double MAX_ROUGH = 0.1;          /* lumen: part as rough as bone: a warning above, phantoms */

/* plausibility */
/* radii of the vessel: a narrower opening is a hole in the mesh, not an end */
static const double HOLE_RADIUS = 0.5;
static const double SAME_END = 3;             /* radii of an end: an opening within this distance belongs to the end */
/* wall: part outside the image: a warning above; the margin allows for a cropped image */
static const double MAX_OUTSIDE = 0.1;

/* clang-format on */
#endif
