/* qc.png, the picture for checking the segmentation: three planes with the contour, and a rendering of the whole
 * lumen. */
#ifndef PORTAFLOW_SEGMENT_QC_H
#define PORTAFLOW_SEGMENT_QC_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include "segment/tube/tube.h"

typedef struct {
    const volume *image; /* NULL or without values: the planes show phi only */
    const volume *phi;   /* signed distance, mm, negative inside */
    double centre_mm[3]; /* LPS; the three planes pass through this point */
    int n_seed;
    const double (*seed_mm)[3]; /* [n_seed] LPS; drawn as rings; may be NULL */
    int n_opening;
    const struct qc_opening {
        const char *name;
        double point_mm[3], normal[3]; /* LPS, plane of the opening; normal x NAN: unknown */
    } * opening;                       /* [n_opening] each is drawn as the trace of its plane; may be NULL */
    const char *title;                 /* title of the picture, one line */
    int n_line;
    const char *const *line; /* [n_line] summary below the panels */
    const char *alarm;       /* reason of a refusal, printed in red; NULL: not refused */
    const double *alarm_mm;  /* LPS place of the alarm, circled; NULL: none */
    int n_pouch;
    /* round structures at the wall that are not in the lumen, circled in magenta; may be NULL */
    const tube_pouch *pouch;
    const seeds_statistics *seeds; /* if not NULL, wall without an image edge (leak.h) is drawn in magenta */
} qc_view;

/* Draw and write the picture. Radiological convention: the patient's right is on the viewer's left in axial and coronal
 * planes. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int qc_write(const char *path, const qc_view *view);
#endif
