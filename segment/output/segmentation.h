/* Everything a run of segment holds, by how long it lives. */
#ifndef PORTAFLOW_SEGMENT_SEGMENTATION_H
#define PORTAFLOW_SEGMENT_SEGMENTATION_H
#include "common/base/steps.h"
#include "common/case/case.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include "segment/checks/leak.h"
#include "segment/checks/motion_blur.h"
#include "segment/checks/wall_uncertainty.h"
#include "segment/ends/caps.h"
#include "segment/ends/ends_without_opening.h"
#include "segment/import/given_surface.h"
#include "segment/import/label_mask.h"
#include "segment/level_set/level_set.h"
#include "segment/voxel/measure.h"

/* What the case gives, read before the method starts. */
typedef struct {
    volume image;          /* as read, cropped where the case says so; value NULL: there is none */
    volume whole;          /* geometry of the image that was read; value NULL always */
    const char *body_part; /* of the image: body_part.h; NULL: not said */
    volume mask;           /* method labels, as read and selected; value NULL: there is none */
    double (*seed_mm)[3];  /* [c.segment.n_seed] LPS */
    int n_placed;          /* openings: c.n_opening, 0 while their place is not known */
    double (*opening_mm)[3], (*opening_normal)[3]; /* [n_placed] LPS; a normal's x NaN: auto */
} segment_input;

/* What the method makes of it. */
typedef struct {
    volume phi;   /* true distance, mm, negative inside */
    surface wall; /* closed, LPS mm */
    measure measured;
} segment_lumen;

/* What is found of the lumen. */
typedef struct {
    motion_blur motion;    /* of an image; seen false otherwise */
    wall_uncertainty wall; /* how well the wall's place is known; NaN of a surface */
    int n_end;             /* ends without an opening, where the case has openings */
    centerline_end end[ENDS_WITHOUT_OPENING_MAX];
    int n_cap;
    cap *cap; /* [n_cap] flat ends, owned */
    leak_signs leak;
    char refused[LEAK_TEXT]; /* why the lumen is refused, "" it is not */
} segment_findings;

typedef struct {
    case_file c;
    segment_input given;
    level_set_report level_set; /* of the method: one of these three */
    label_mask_report labels;
    given_surface_report surface;
    segment_lumen lumen;
    segment_findings found;
    steps steps; /* all of them, reading to writing */
} segmentation;

void segmentation_free(segmentation *s);

/* The volume whose sides are watched: the mask, else the image (cropped), else NULL. */
const volume *segmentation_reference(const segmentation *s);

/* A place as the user writes points, and the name of that space: RAS, LPS or voxel. */
void segmentation_place(const segmentation *s, const double lps_mm[3], double at[3]);
const char *segmentation_space(const segmentation *s);

/* The lumen in a few lines, for the terminal and the picture; the last one may be empty. */
enum { SUMMARY_LINES = 5, SUMMARY_LINE = 160 };
void segmentation_summary(const segmentation *s, char line[SUMMARY_LINES][SUMMARY_LINE]);
#endif
