/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures of a flow with heat. Part of picture_all.c. */
#ifndef PORTAFLOW_POST_PICTURE_PICTURE_HEAT_H
#define PORTAFLOW_POST_PICTURE_PICTURE_HEAT_H
#include "common/base/must_check.h"
#include "post/picture/album.h"
#include "post/sample/cut.h"

/* Draws two pictures on the plane of the speed picture: temperature, and streamlines. cut: this plane as a
 * triangulated surface. value [cut->n_point]: work space, overwritten. Draws nothing if the flow has no heat.
 * Errors: as album_draw. */
MUST_CHECK int picture_heat_cut(album *a, const cut_frame *frame, const surface *cut, double *value);
/* Draws temperature and local Nusselt number on the wall. Draws nothing if the flow has no heat. Errors: as
 * album_draw. */
MUST_CHECK int picture_heat_wall(album *a);
#endif
