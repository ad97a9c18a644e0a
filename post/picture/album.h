/* SPDX-License-Identifier: Apache-2.0 */
/* State while the pictures of one run are drawn: files, names at the openings, views of the wall. Part of
 * picture_all.c. */
#ifndef PORTAFLOW_POST_PICTURE_ALBUM_H
#define PORTAFLOW_POST_PICTURE_ALBUM_H
#include "common/base/must_check.h"
#include "post/picture/picture.h"
#include "common/draw/vtk_draw.h"

enum {
    ALBUM_WSS,
    ALBUM_OSI,
    ALBUM_PRESSURE,
    ALBUM_VELOCITY,
    ALBUM_COURSE,
    ALBUM_TEMPERATURE,
    ALBUM_TEMPERATURE_WALL,
    ALBUM_NUSSELT,
    ALBUM_COUNT
};

typedef struct {
    const picture_input *in;
    const char *folder;
    picture_file *files;
    int n;
    double *label_mm;
    const char **label;
    vtk_draw_view view[VTK_DRAW_VIEWS]; /* directions of view, from the front and from behind */
} album;

const char *album_name(int which);             /* name of the file of picture `which` */
picture_file *album_next(album *a, int which); /* begins the next file and sets its name, but not its caption */
vtk_draw_picture album_on_wall(const album *a, const double *value);
/* Finds the lowest value, the highest value and the 99th percentile over the counted points of the wall. If no point is
 * counted, all points are used. Errors: ERR_RESOURCE. */
MUST_CHECK int album_range(const album *a, const double *value, double *low, double *high, double *p99);
/* Draw a picture into the file. Errors: as vtk_draw_write_picture. */
MUST_CHECK int album_draw(album *a, const vtk_draw_picture *p, const picture_file *file);
#endif
