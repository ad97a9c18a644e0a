/* From where a vessel is looked at. */
#ifndef PORTAFLOW_POST_PICTURE_VIEWS_H
#define PORTAFLOW_POST_PICTURE_VIEWS_H
#include "common/surface/surface.h"
#include "common/draw/vtk_draw.h"

/* Front and back of a wall along the axis from which most is seen; from anterior unless another shows much more. */
void views_of_wall(const surface *s, vtk_draw_view view[VTK_DRAW_VIEWS]);

/* Along the normal (unit) of a cut, from the front (or from below, from the left) with the head up. */
void views_of_cut(const double normal[3], vtk_draw_view *v);
#endif
