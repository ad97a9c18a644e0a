/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline validate COHORT.csv`: computed portal pressure gradients against measured ones, such as by catheter.
 *
 * The file has a row with the names of its columns, in any order:
 *   patient                    folder with results, relative to the file; repeated patients are counted and named as
 *                              not independent
 *   computed_mmhg, computed_uncertainty_mmhg   instead of the folder: the gradient and the half-width of its 95 %
 *                              interval (empty: no interval)
 *   measured_mmhg              measured gradient; an empty field leaves the patient out. Without this column: the
 *                              gradient of readouts: ppg: measured in the case of the folder
 *   measured_uncertainty_mmhg  optional half-width of its 95 % interval
 *   liver_mmhg                 optional part of computed_mmhg that the liver model gives
 *   permeability_m2            optional permeability of the lobules behind computed_mmhg
 * A row with more values than columns, and a column named twice, are refused. Other columns are ignored, so a table of
 * `pipeline table --csv` next to its folders will do. */
#ifndef PORTAFLOW_STUDY_VALIDATE_H
#define PORTAFLOW_STUDY_VALIDATE_H
#include "common/base/must_check.h"
#include <stdbool.h>

/* Prints the values of each patient and the agreement of all that are usable. calibrate: also a calibration of the
 * liver's resistance (calibration.h); without liver_mmhg, all of computed_mmhg is the liver's part. html_path: also a
 * page with the Bland-Altman plot; NULL: none. Errors: ERR_INPUT (columns, numbers, fewer than AGREEMENT_LEAST usable
 * patients, or 2 CALIBRATION_LEAST with calibrate), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int validate_cohort(const char *csv_path, bool calibrate, const char *html_path);
#endif
