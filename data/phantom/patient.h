/* The files of a synthetic patient beside its image: case.yaml, waveforms, centreline and numbers of the truth. */
#ifndef PORTAFLOW_PATIENT_H
#define PORTAFLOW_PATIENT_H
#include "common/base/must_check.h"
#include "data/phantom/phantom.h"
#include <stdbool.h>

typedef struct {
    const char *image;   /* path of the image from the patient's folder; NULL: the exact shape instead (mesh.shape) */
    double cells_across; /* of the narrowest opening; 0: 16, the paper's spacing where the phantom has a box, nothing
                          * where it is random */
    bool pulsatile;      /* inlets from the waveforms, else their means */
} patient_settings;

/* folder/case.yaml: image, seeds (one a branch), openings with exact points and normals, sections, blood, mesh, solve,
 * readouts. Points in RAS with an image, in LPS with the exact shape. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int patient_write_case(const phantom *p, const patient_settings *settings, const char *folder);

/* folder/flow/<inlet>.csv, lower case. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int patient_write_flow(const phantom *p, const char *folder);

/* folder/truth/centreline.csv: branch, x_lps_mm, y_lps_mm, z_lps_mm, radius_mm;  folder/truth/truth.csv: name, value,
 * unit: lumen volume between the openings (when `volume`), each opening's radius and area, what a random one was drawn
 * with. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int patient_write_truth(const phantom *p, bool volume, const char *folder);
#endif
