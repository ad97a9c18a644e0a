/* SPDX-License-Identifier: Apache-2.0 */
/* Centerlines and their table as files: VTP, CSV, JSON, text. */
#ifndef PORTAFLOW_VESSEL_FILES_H
#define PORTAFLOW_VESSEL_FILES_H
#include "common/base/must_check.h"
#include "common/vessel/vessel_table.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* centerlines.vtp: one line per branch, LPS mm. Point arrays with the names that VMTK uses:
 * MaximumInscribedSphereRadius, Abscissas, Curvature, Torsion, FrenetTangent, Blanking (1 in bifurcations and closed
 * ends); cell arrays GroupIds (number of the branch from 0), CenterlineIds (number of the connected part of the lumen),
 * TractIds (generation), Blanking (1: the branch lies in bifurcations only). Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int vessel_files_write_vtp(const vessel_table *t, const char *path);

/* centerlines.csv: one row per point. measure.csv: one row per branch. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int vessel_files_write_points(const vessel_table *t, const char *path);
MUST_CHECK int vessel_files_write_table(const vessel_table *t, const char *path);

/* The table as a JSON object, owned by the caller. Keys: common/CENTERLINES.md. Returns NULL without memory. */
cJSON *vessel_files_json(const vessel_table *t);

/* Prints the table for a person. The caller checks `to` for errors. */
void vessel_files_print(const vessel_table *t, FILE *to);
#endif
