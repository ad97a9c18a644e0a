/* Limits of the warnings about a lumen. Form of each comment: "unit: meaning, source"; without a source the value was
 * chosen. No limit moves a wall. */
#ifndef PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
#define PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
/* clang-format off */

/* used in segment_messages.c */
static const double MIN_CONTRAST_TO_NOISE = 1.3; /* contrast over noise at a wall: below this segment warns, phantoms */
/* part of the volume by which lumen and mask differ: above this segment warns */
static const double MAX_VOLUME_DIFFERENCE = 0.02;
static const double MAX_WALL_IN_FILL = 0.02;  /* part of the wall in the fill of a masked image: a warning above this */
static const double MAX_BEHIND_NECK = 0.1;    /* part of the lumen behind a neck: above this segment warns, phantoms */
/* part of the lumen as rough as bone: above this segment warns, phantoms */
static const double MAX_ROUGH = 0.1;

/* used in plausibility.c */
/* radii of the vessel: a narrower opening is a hole in the mesh, not an end */
static const double HOLE_RADIUS = 0.5;
static const double SAME_END = 3;             /* radii of an end: an opening within this distance belongs to the end */
/* part of the wall outside the image: above this segment warns; a cropped image stays below */
static const double MAX_OUTSIDE = 0.1;

/* clang-format on */
#endif
