/* The numbers behind what is said of a lumen: unit: what it is, where it is from (chosen, unless said). None moves a
 * wall. */
#ifndef PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
#define PORTAFLOW_SEGMENT_OUTPUT_CONSTANTS_H
/* clang-format off */

/* segment_messages */
static const double DOUBTFUL_RATIO = 1.3;     /* contrast over noise at a wall: less is warned of, phantoms */
static const double SAME_VOLUME = 0.02;       /* volume: of a mask that a lumen may lack */
static const double DOUBTFUL_BEHIND = 0.1;    /* lumen: behind a neck: more is warned of, phantoms */
static const double DOUBTFUL_ROUGH = 0.1;     /* lumen: as rough as bone: more is warned of, phantoms */

/* plausibility */
static const double HOLE_RADIUS = 0.5;        /* radii: of the vessel: what is narrower is no end */
static const double SAME_END = 3;             /* radii: of an end from it: an opening is there */
static const double OUTSIDE_MOST = 0.1;       /* wall: outside the image: a margin may have been cut off */

/* clang-format on */
#endif
