/* Everything a run of segment holds. */
#ifndef PORTAFLOW_SEGMENT_SEGMENTATION_H
#define PORTAFLOW_SEGMENT_SEGMENTATION_H
#include "common/case/case.h"
#include "common/surface/surface.h"
#include "common/image/volume.h"
#include "segment/ends/caps.h"
#include "segment/ends/ends_without_opening.h"
#include "segment/import/given_surface.h"
#include "segment/import/label_mask.h"
#include "segment/checks/leak.h"
#include "segment/level_set/level_set.h"
#include "segment/voxel/measure.h"
#include "segment/checks/motion_blur.h"
#include "segment/checks/wall_uncertainty.h"

typedef struct {
    case_file c;
    volume image;          /* as read, cropped where the case says so; value NULL: there is none */
    volume whole;          /* geometry of the image that was read; value NULL always */
    const char *body_part; /* of the image: body_part.h; NULL: not said */
    volume mask;           /* method labels, as read and selected; value NULL: there is none */
    double (*seed_mm)[3];  /* [c.segment.n_seed] LPS */
    int n_placed;          /* openings: c.n_opening, 0 while their place is not known */
    double (*opening_mm)[3], (*opening_normal)[3]; /* [n_placed] LPS; a normal's x NaN: auto */
    volume phi;                                    /* true distance, mm, negative inside */
    surface wall;                                  /* closed, LPS mm */
    measure measured;
    motion_blur smeared;    /* of an image; seen false otherwise */
    wall_uncertainty known; /* how well the wall's place is; NaN of a surface */
    int n_loose;            /* ends without an opening, where the case has openings */
    centerline_end loose[ENDS_WITHOUT_OPENING_MAX];
    int n_lid;
    cap *cap;    /* [n_lid] flat ends, owned */
    steps steps; /* all of them, reading to writing */
    level_set_report level_set;
    label_mask_report labels;
    given_surface_report given;
    leak_signs leak;
    char why[LEAK_TEXT]; /* a leak, "" none */
} segmentation;

void segmentation_free(segmentation *j);

/* The volume whose sides are watched: the mask, else the image (cropped), else NULL. */
const volume *segmentation_reference(const segmentation *j);

/* A place as the user writes points, and the name of that space: RAS, LPS or voxel. */
void segmentation_place(const segmentation *j, const double lps_mm[3], double at[3]);
const char *segmentation_space(const segmentation *j);
#endif
