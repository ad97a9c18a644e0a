/* SPDX-License-Identifier: Apache-2.0 */
/* `post probe`: values at points, in the lumen or on the wall. */
#ifndef PORTAFLOW_POST_PROBE_PROBE_H
#define PORTAFLOW_POST_PROBE_PROBE_H
#include "common/base/must_check.h"
#include <stdio.h>

enum probe_frame { PROBE_LPS, PROBE_RAS };

/* Read points from a CSV (columns x, y, z in mm; a header line and lines that begin with # are skipped) and write
 * values as CSV to `to`:
 *
 *   x_mm,y_mm,z_mm,inside,velocity_x_m_s,velocity_y_m_s,velocity_z_m_s,speed_m_s,pressure_pa,usable
 *
 * Points and vectors are in `frame`. inside is 1 or 0, accurate to a tenth of a cell at the wall and half a cell at
 * the openings, which the fields file does not contain. Outside, the values are empty. All input is read before the
 * first line is written. usable, from solve.json in the folder of the file: "yes", "TOO COARSE", "NOT CONVERGED" or
 * "unknown". Errors: ERR_INPUT with file:line, ERR_RESOURCE, ERR_OUTPUT. */
MUST_CHECK int probe_write(const char *fields_path, const char *points_path, enum probe_frame frame, FILE *to);

/* probe_wall_write writes the wall shear stress from wall.vtp, interpolated linearly in the triangle of the nearest
 * wall point. Input and errors are the same as for probe_write:
 *
 *   x_mm,y_mm,z_mm,distance_mm,wss_x_pa,wss_y_pa,wss_z_pa,wss_pa,usable
 *
 * distance_mm is the distance to the wall; without a value the four wss are empty. Errors: as probe_write. */
/* probe_wall_check: check that post.json in the folder of `wall_path` lists the file with the checksum that it has.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int probe_wall_check(const char *wall_path);
MUST_CHECK int probe_wall_write(const char *wall_path, const char *points_path, enum probe_frame frame, FILE *to);
#endif
