/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a run of segment: input, lumen, findings. */
#ifndef PORTAFLOW_SEGMENT_SEGMENTATION_H
#define PORTAFLOW_SEGMENT_SEGMENTATION_H
#include "common/base/steps.h"
#include "common/case/case.h"
#include "common/vessel/vessel_table.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include "segment/checks/image_fill.h"
#include "segment/checks/leak.h"
#include "segment/checks/motion_blur.h"
#include "segment/checks/wall_uncertainty.h"
#include "segment/ends/caps.h"
#include "segment/ends/ends_without_opening.h"
#include "segment/bridge/gap_bridge.h"
#include "segment/bridge/signal_loss.h"
#include "segment/import/given_surface.h"
#include "segment/import/label_mask.h"
#include "segment/level_set/level_set.h"
#include "segment/treat/treated_lumen.h"
#include "segment/voxel/lumen_size.h"
#include "segment/voxel/region.h"

/* Input, read before the segmentation starts. */
typedef struct {
    volume image;          /* image as read, or cropped if the case requests this; value NULL: no image */
    image_fill fill;       /* voxels of the fill of a masked image, which have been replaced in `image`; for method
                            * level-set */
    float padding;         /* value given to the NaN voxels of the image; NAN: none */
    image_fill nan;        /* the NaN voxels, replaced like the fill; method level-set */
    volume whole;          /* geometry of the whole image before cropping; value always NULL */
    const char *body_part; /* body part that the image header names (body_part.h); NULL: none */
    volume mask;           /* for method labels: 1 in the chosen labels; method treated: lumen before the treatment,
                            * if its grid is the grid of a mask; value NULL: no mask */
    double (*seed_mm)[3];  /* [c.segment.n_seed] LPS, positions of the seeds */
    int n_placed;          /* number of placed openings: c.n_opening, or 0 while their positions are unknown */
    /* [n_placed] LPS; an opening with normal x NaN has the normal "auto" */
    double (*opening_mm)[3], (*opening_normal)[3];
} segment_input;

/* The segmented lumen. */
typedef struct {
    volume phi;   /* signed distance, mm, negative inside */
    surface wall; /* wall as closed surface, LPS mm */
    measure measured;
} segment_lumen;

/* Centerlines and table of the lumen. */
typedef struct {
    centerline lines; /* n_branch 0: the lumen has no vessel */
    vessel_table table;
} segment_vessel;

/* Findings of the checks. */
typedef struct {
    /* part of the wall that lies in the fill of a masked image, that is, in voxels without a measured value; 0 to 1 */
    double wall_in_fill;
    motion_blur motion;    /* motion blur of the image; `seen` is false without an image */
    wall_uncertainty wall; /* uncertainty of the wall's position; NaN: method surface */
    int n_end;             /* number of ends that have no opening; 0 if the case has no openings */
    centerline_end end[ENDS_WITHOUT_OPENING_MAX];
    int closed_by[ENDS_WITHOUT_OPENING_MAX]; /* method treated: entry of `treat` that closed the end; -1: none */
    region_holes filled;                     /* small holes that were filled in; methods level-set and labels */
    int n_cap;
    cap *cap;  /* [n_cap] flat ends, owned */
    int rings; /* number of flat ends that are rings between two walls */
    leak_signs leak;
    signal_losses losses;    /* narrow places where the image loses signal; method level-set */
    gap_bridges gaps;        /* bridged gaps; method level-set, and treated: of the lumen before */
    char refused[LEAK_TEXT]; /* reason why the lumen is refused; "": accepted */
} segment_findings;

typedef struct {
    case_file c;
    segment_input given;
    level_set_report level_set; /* reports of the methods; only the report of the case's method is filled */
    label_mask_report labels;
    given_surface_report surface;
    treated_report treated;
    segment_lumen lumen;
    segment_vessel vessel; /* centerlines and table of the accepted lumen */
    segment_findings found;
    steps steps; /* duration of each step, from reading to writing */
} segmentation;

void segmentation_free(segmentation *s);

/* The volume whose faces bound the lumen: the mask, else the (cropped) image, else NULL. */
const volume *segmentation_reference(const segmentation *s);

/* segmentation_to_case_space: convert LPS to the space of the case file. segmentation_space_name: RAS, LPS or voxel. */
void segmentation_to_case_space(const segmentation *s, const double lps_mm[3], double at[3]);
const char *segmentation_space_name(const segmentation *s);

/* Summary for terminal and picture; the last line may be empty. */
enum { SUMMARY_LINES = 5, SUMMARY_LINE = 160 };
void segmentation_summary(const segmentation *s, char line[SUMMARY_LINES][SUMMARY_LINE]);
#endif
