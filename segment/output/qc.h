/* The picture a user checks the segmentation by: three planes through the widest place of the vessel with its contour,
 * and the whole lumen as a body. */
#ifndef PORTAFLOW_SEGMENT_QC_H
#define PORTAFLOW_SEGMENT_QC_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include "segment/tube/tube.h"

typedef struct {
    const volume *image; /* NULL or no values: the planes show the distance alone */
    const volume *phi;   /* true distance, mm, negative inside */
    double centre_mm[3]; /* LPS, where the planes meet */
    int n_seed;
    const double (*seed_mm)[3]; /* LPS, marked; may be NULL */
    int n_opening;
    const struct qc_opening {
        const char *name;
        double point_mm[3], normal[3]; /* LPS; x NAN: not known */
    } * opening;                       /* drawn as the trace of their planes; may be NULL */
    const char *title;                 /* one line */
    int n_line;
    const char *const *line; /* facts under the views */
    const char *alarm;       /* NULL, or why the result is refused: printed in red */
    const double *alarm_mm;  /* NULL, or LPS of the place that the alarm is about: circled */
    int n_pouch;
    const tube_pouch *pouch;       /* things beside the wall that were left out: circled in magenta; may be NULL */
    const seeds_statistics *seeds; /* NULL, or: where the wall follows no edge (leak.h) it is drawn in magenta */
} qc_view;

/* Radiological view: the patient's right is on the left of the axial and coronal planes. Errors: ERR_OUTPUT,
 * ERR_RESOURCE. */
MUST_CHECK int qc_write(const char *path, const qc_view *view);
#endif
