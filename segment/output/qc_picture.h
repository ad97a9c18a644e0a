/* SPDX-License-Identifier: Apache-2.0 */
/* qc.png, the picture for checking the segmentation: three planes with the contour, and a rendering of the whole
 * lumen. */
#ifndef PORTAFLOW_SEGMENT_QC_H
#define PORTAFLOW_SEGMENT_QC_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/bridge/gap_bridge.h"
#include "segment/bridge/signal_loss.h"
#include "segment/seeds/seeds.h"
#include "segment/tube/tube.h"

typedef struct {
    const volume *image; /* image behind the contour; NULL or without values: only phi is shown */
    const volume *phi;   /* signed distance, mm, negative inside */
    double centre_mm[3]; /* point that the three planes pass through, LPS */
    int n_seed;
    const double (*seed_mm)[3]; /* [n_seed] LPS; drawn as rings; may be NULL */
    int n_opening;
    const struct qc_opening {
        const char *name;
        double point_mm[3], normal[3]; /* plane of the opening, LPS; normal x NAN: unknown */
    } * opening;                       /* [n_opening] each is drawn as the trace of its plane; may be NULL */
    const char *title;                 /* title of the picture, one line */
    int n_line;
    const char *const *line; /* [n_line] lines of the summary below the panels */
    const char *alarm;       /* reason why the lumen is refused, printed in red; NULL: not refused */
    const double *alarm_mm;  /* position that the reason names, drawn as a circle, LPS; NULL: none */
    int n_pouch;
    /* round structures at the wall that are not in the lumen, drawn as magenta circles; may be NULL */
    const tube_pouch *pouch;
    const signal_losses *losses;   /* circled in red; may be NULL */
    const gap_bridges *gaps;       /* circled in red; may be NULL */
    const seeds_statistics *seeds; /* if not NULL, wall where the image has no edge (leak.h) is magenta */
} qc_view;

/* Draw and write the picture. Radiological convention: the patient's right is on the viewer's left in axial and coronal
 * planes. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int qc_write(const char *path, const qc_view *view);
#endif
