/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of export_archive and export_dicom. */
#ifndef PORTAFLOW_EXPORT_PARTS_H
#define PORTAFLOW_EXPORT_PARTS_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "pipeline/study/results_row.h"

#define EXPORT_RESEARCH "RESEARCH, NOT FOR CLINICAL USE"

/* Opens the case and reads its results, which must be up to date. set: settings of the run; with none, the settings
 * that post recorded. Errors: ERR_INPUT; as results_row_read. */
MUST_CHECK int export_open_results(const char *dir, const options_list *set, patient *p, results_row *row);

/* Copies a case file without comments. Values of the keys `name` (of the case), `path`, `series` and `waveform` are
 * replaced. Errors: ERR_INPUT, ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int export_write_case(const char *from, const char *to);

/* Prints a message `what` "the names of openings and sections; check .." with these names: no program can tell whether
 * one of them names the patient. */
void export_show_names(const case_file *c, const char *what);

/* Writes folder/ro-crate-metadata.json for file[n], paths relative to the folder (RO-Crate 1.1). Errors: ERR_OUTPUT,
 * ERR_RESOURCE. */
MUST_CHECK int export_write_crate(const char *folder, int n, char *const *file);
#endif
