/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures of a flow with heat. Part of picture_all.c. */
#ifndef PORTAFLOW_POST_PICTURE_PICTURE_HEAT_H
#define PORTAFLOW_POST_PICTURE_PICTURE_HEAT_H
#include "common/base/must_check.h"
#include "post/picture/album.h"
#include "post/sample/cut.h"

/* Draw temperature and streamlines in the cut of the speed; `value` [cut->n_point] is overwritten. Nothing without
 * heat. Errors: as album_draw. */
MUST_CHECK int picture_heat_cut(album *a, const cut_frame *frame, const surface *cut, double *value);
/* Draw temperature and local Nusselt number on the wall. Nothing without heat. Errors: as album_draw. */
MUST_CHECK int picture_heat_wall(album *a);
#endif
