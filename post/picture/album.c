/* SPDX-License-Identifier: Apache-2.0 */
#include "post/picture/album.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *album_name(int which) {
    static const char *const name[ALBUM_COUNT] = {"wss.png",
                                                  "osi.png",
                                                  "pressure.png",
                                                  "velocity.png",
                                                  "pressure_along.png",
                                                  "temperature.png",
                                                  "temperature_wall.png",
                                                  "nusselt.png"};
    return name[which];
}

picture_file *album_next(album *a, int which) {
    picture_file *f = &a->files[a->n];
    snprintf(f->file, sizeof f->file, "%s", album_name(which));
    return f;
}

vtk_draw_picture album_on_wall(const album *a, const double *value) {
    vtk_draw_picture p = {.shape = &a->in->w->shape, .value = value, .n_view = 2, .n_label = a->in->l->n_opening};
    p.label_mm = a->label_mm;
    p.label = a->label;
    memcpy(p.view, a->view, sizeof p.view);
    return p;
}

int album_range(const album *a, const double *value, double *low, double *high, double *p99) {
    wall_statistics stats;
    int rc = wall_measure(a->in->w, value, &stats);
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t k = 0; k < a->in->w->shape.n_point; k++)
        if (isfinite(value[k]) && (a->in->w->counted[k] || !isfinite(stats.mean))) {
            *low = fmin(*low, value[k]);
            *high = fmax(*high, value[k]);
        }
    *p99 = isfinite(stats.p99) ? stats.p99 : *high;
    return rc;
}

int album_draw(album *a, const vtk_draw_picture *p, const picture_file *file) {
    char *path = file_join(a->folder, file->file), title[PICTURE_TITLE];
    vtk_draw_picture marked = *p;
    marked.title = picture_title(a->in, p->title, title);
    int rc = path ? vtk_draw_write_picture(path, &marked) : fail_memory("a path", 256);
    a->n += rc == OK;
    free(path);
    return rc;
}
