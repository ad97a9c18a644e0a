/* See leak_warnings.h. */
#include "segment/output/leak_warnings.h"
#include "common/base/message.h"

static const double doubtful_support = 0.9, doubtful_behind = 0.1, doubtful_rough = 0.1;

static void tell_neck(const segmentation *j) {
    double at[3];
    segmentation_place(j, j->leak.neck.place_mm, at);
    message_warn_serious(
        "%.0f %% of the lumen has no seed and is reached only through a neck of %.2g mm in radius near "
        "[%.1f, %.1f, %.1f] (%s): a vessel that touches this one, or one beyond a stenosis; look at qc.png",
        100 * j->leak.neck.part, j->leak.neck.radius_mm, at[0], at[1], at[2], segmentation_space(j));
}

static void tell_alongside(const segmentation *j) {
    double at[3];
    segmentation_place(j, j->leak.along.place_mm, at);
    message_warn_serious(
        "near [%.1f, %.1f, %.1f] (%s) a second vessel as bright lies along that of the seeds, without a "
        "wall between, or a branch that runs close to it: it is in the lumen; look at qc.png, and give "
        "the ends of the vessel as openings, which leaves out what only touches it",
        at[0], at[1], at[2], segmentation_space(j));
}

static void tell_rough(const segmentation *j) {
    double at[3];
    segmentation_place(j, j->leak.rough.place_mm, at);
    message_warn_serious("%.0f %% of the lumen is three times as uneven inside as at the seeds, round "
                         "[%.1f, %.1f, %.1f] (%s): bone as bright as the vessel, or far more noise there; look at "
                         "qc.png, and put seeds in the middle of the vessel, set threshold: or crop the image",
                         100 * j->leak.rough.part, at[0], at[1], at[2], segmentation_space(j));
}

static void tell_smear(const segmentation *j) {
    message_warn_serious(
        "the vessel's edge is %.2g voxels wide to both sides in one direction and %.2g in another: the "
        "image is smeared or doubled (motion while it was taken, or far fewer lines measured in that "
        "direction); the wall may be off by half of that, pressures by far more",
        j->smeared.widest, j->smeared.least);
}

void warn_of_leak_signs(const segmentation *j) {
    if (j->leak.edge_support < doubtful_support)
        message_warn_serious("along %.0f %% of the wall there is hardly any edge in the image (magenta in qc.png): "
                             "check that it is the vessel's wall",
                             100 * (1 - j->leak.edge_support));
    if (j->smeared.seen)
        tell_smear(j);
    if (j->leak.neck.part > doubtful_behind)
        tell_neck(j);
    else if (j->leak.along.part > 0)
        tell_alongside(j);
    if (j->leak.rough.part > doubtful_rough)
        tell_rough(j);
}
