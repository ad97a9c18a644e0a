/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a surface, the format by their first ones: STL, PLY, VTP or legacy VTK. Finite points and corners among
 * them, or refused with a sentence. */
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "tests/fuzz/fuzz_file.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_sound(const surface *s) {
    int sound = s->n_point > 0 && s->n_triangle > 0;
    for (int64_t i = 0; sound && i < 3 * s->n_point; i++)
        sound = isfinite(s->point_mm[i]);
    for (int64_t i = 0; sound && i < 3 * s->n_triangle; i++)
        sound = s->triangle[i] >= 0 && s->triangle[i] < s->n_point;
    return sound;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *ending = size == 0        ? ".stl"
                         : data[0] == 'p' ? ".ply"
                         : data[0] == '<' ? ".vtp"
                         : data[0] == '#' ? ".vtk"
                                          : ".stl";
    surface s;
    status_clear();
    const int rc = surface_read(fuzz_file(data, size, ending), 1, 0, &s);
    if (rc != OK)
        fuzz_refused(rc, status_message());
    else if (!is_sound(&s))
        abort();
    surface_free(&s);
    return 0;
}
