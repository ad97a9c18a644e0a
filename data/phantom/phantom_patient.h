/* SPDX-License-Identifier: Apache-2.0 */
/* Text files of a synthetic patient: case.yaml, waveforms, centreline and true values. */
#ifndef PORTAFLOW_PATIENT_H
#define PORTAFLOW_PATIENT_H
#include "common/base/must_check.h"
#include "common/blood/viscosity_law.h"
#include "data/phantom/phantom.h"
#include <stdbool.h>

typedef struct {
    /* path of the image, relative to the patient's folder; NULL: no image, the case has the exact shape (mesh.shape) */
    const char *image;
    /* mesh.cells_per_diameter of the case. 0: the default of the kind. A kind in a box of Shang et al. 2023 has the
     * spacing of the paper, kind "random" has no entry, other kinds have 16 cells */
    double cells_per_diameter;
    bool pulsatile; /* true: inlets have waveforms; false: inlets have mean flows */
    int blood;      /* enum viscosity_model: model of blood in case.yaml */
} patient_settings;

/* Write folder/case.yaml: image, seeds (one per branch), openings with exact points and normals, sections, blood, mesh,
 * solve, readouts. Points are RAS with an image, LPS with the exact shape. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int patient_write_case(const phantom *p, const patient_settings *settings, const char *folder);

/* Write folder/flow/<inlet>.csv, name in lower case. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int patient_write_flow(const phantom *p, const char *folder);

/* Write folder/truth/centreline.csv (branch, x_lps_mm, y_lps_mm, z_lps_mm, radius_mm) and folder/truth/truth.csv (name,
 * value, unit): volume of the lumen between the openings (if `volume`), radius and area of each opening, parameters of
 * a random phantom. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int patient_write_truth(const phantom *p, bool volume, const char *folder);
#endif
