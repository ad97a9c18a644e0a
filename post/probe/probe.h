/* `post probe`: values at points, in the lumen or on the wall. */
#ifndef PORTAFLOW_POST_PROBE_PROBE_H
#define PORTAFLOW_POST_PROBE_PROBE_H
#include "common/base/must_check.h"
#include <stdio.h>

enum probe_frame { PROBE_LPS, PROBE_RAS };

/* Points from a CSV (columns x, y, z in mm; a header line and lines that begin with # are skipped), values as CSV to
 * `to`:
 *
 *   x_mm,y_mm,z_mm,inside,velocity_x_m_s,velocity_y_m_s,velocity_z_m_s,speed_m_s,pressure_pa
 *
 * Points and vectors are in `frame`. inside is 1 or 0, to a tenth of a cell at the wall and half a cell at the openings
 * (the fields file does not know the openings); outside the values are empty. Everything is read before the first line
 * is written. Errors: ERR_INPUT with file:line, ERR_RESOURCE, ERR_OUTPUT. */
MUST_CHECK int probe_write(const char *fields_path, const char *points_path, enum probe_frame frame, FILE *to);

/* The same for the wall shear stress, from wall.vtp, linear in the triangle at the nearest wall point:
 *
 *   x_mm,y_mm,z_mm,distance_mm,wss_x_pa,wss_y_pa,wss_z_pa,wss_pa
 *
 * distance_mm is that to the wall; without a value there the last four are empty. Errors: as above. */
/* OK when post.json beside it vouches for `wall_path`. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int probe_wall_check(const char *wall_path);
MUST_CHECK int probe_wall_write(const char *wall_path, const char *points_path, enum probe_frame frame, FILE *to);
#endif
