/* SPDX-License-Identifier: Apache-2.0 */
#include "post/picture/views.h"
#include "common/base/vec.h"
#include "post/picture/view_axis.h"
#include <string.h>

static void set_view(vtk_draw_view *v, int axis, double sign, const char *label) {
    memset(v, 0, sizeof *v);
    v->direction[axis] = sign;
    v->up[axis == 2 ? 1 : 2] = axis == 2 ? -1 : 1; /* the head is up; in a view along the body, the front of the body is
                                                    * up */
    v->label = label;
}

void views_of_wall(const surface *s, const lattice *l, vtk_draw_view view[VTK_DRAW_VIEWS]) {
    static const char *const from[3][2] = {{"seen from the right", "seen from the left"},
                                           {"seen from the front (anterior)", "seen from the back (posterior)"},
                                           {"seen from below (inferior)", "seen from above (superior)"}};
    const int axis = view_axis_choose(s, l);
    set_view(&view[0], axis, 1, from[axis][0]);
    set_view(&view[1], axis, -1, from[axis][1]);
}

void views_of_cut(const double n[3], vtk_draw_view *v) {
    double up[3] = {0, 0, 1};
    int axis = fabs(n[1]) > 0.35 ? 1 : (fabs(n[2]) > fabs(n[0]) ? 2 : 0);
    double sign = n[axis] >= 0 ? 1 : -1;
    for (int a = 0; a < 3; a++)
        v->direction[a] = sign * n[a];
    if (fabs(v->direction[2]) > 0.9) {
        up[1] = -1;
        up[2] = 0;
    }
    vec_add(up, -vec_dot(up, v->direction), v->direction, v->up);
    vec_normalize(v->up);
    v->label = "seen perpendicular to the cut";
}
