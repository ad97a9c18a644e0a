/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing with VTK without a screen (EGL, surfaceless): surfaces, curves, text. The C interface of all VTK pictures,
 * with plain arrays.
 *
 * Scenes have a white background, parallel projection, a scale bar, a colour bar with unit and the names of the axes (L
 * left, P posterior, S superior) in every view. World coordinates are LPS mm. */
#ifndef PORTAFLOW_VTK_DRAW_H
#define PORTAFLOW_VTK_DRAW_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#ifdef __cplusplus
extern "C" {
#endif

/* --- scenes, vtk_picture.cpp and vtk_panels.cpp ------------------------------------------------------------------- */

enum vtk_draw_map { VTK_DRAW_VIRIDIS, VTK_DRAW_INFERNO, VTK_DRAW_TURBO };
enum { VTK_DRAW_VIEWS = 2 };

typedef struct {
    double direction[3], up[3]; /* direction of view, direction that is up in the picture; orthogonal unit vectors */
    const char *label;          /* name of the view, such as "from anterior" */
} vtk_draw_view;

typedef struct {
    const surface *shape; /* surface to be coloured */
    const double *value;  /* [shape->n_point] value of each point; NaN: grey */
    double low, high;     /* values at the ends of the colour bar */
    int intervals;        /* number of labels on the colour bar minus 1 */
    enum vtk_draw_map map;
    const char *bar_title; /* title of the colour bar, such as "Pa" */
    const char *title;
    const char *note;               /* small text below the title; NULL: none */
    int above;                      /* 1: the colour bar also shows the colour of values above `high` */
    const surface *shell;           /* surface whose inner side is shown in grey behind `shape`; NULL: none */
    int n_arrow;                    /* number of black arrows */
    const double *arrow_mm, *arrow; /* [n_arrow][3] foot of each arrow; vector from the foot to the tip, mm */
    int n_line;                     /* number of polylines, drawn white with a dark edge */
    const int32_t *line_first;      /* [n_line + 1] index of the first point of each polyline */
    const double *line_mm;          /* [line_first[n_line]][3] points of all polylines */
    double line_lift_mm;            /* distance by which the polylines are moved towards the viewer */
    int n_label;                    /* number of labels */
    const double *label_mm;         /* [n_label][3] position of each label */
    const char *const *label;
    int n_view;
    vtk_draw_view view[VTK_DRAW_VIEWS];
} vtk_draw_picture;

/* One of several small views on a page. */
typedef struct {
    const surface *shape; /* surface to be coloured; NULL: the panel stays empty */
    const double *value;  /* [shape->n_point] value of each point; NaN: grey */
    const surface *shell; /* surface whose inner side is shown in grey behind `shape`; NULL: none */
    vtk_draw_view view;   /* direction of view; the panel does not show the label of the view */
    const char *name;     /* name above the panel; NULL: none */
} vtk_draw_panel;

/* Panels with common colours and, in each row, a common scale. */
typedef struct {
    int n_row, n_column;         /* a single row (n_row 1) is wrapped if this enlarges its panels */
    const vtk_draw_panel *panel; /* [n_row][n_column] panels */
    const char *const *row_name; /* [n_row] names, each to the left of a row; NULL: none */
    double low, high;            /* values at the ends of the colour bar */
    int intervals, above;        /* as in vtk_draw_picture */
    int lines;                   /* 1: draw isolines at the labels of the bar and halfway between them */
    int room;                    /* margin around each shape, pixels */
    enum vtk_draw_map map;
    const char *bar_title, *title, *note;
} vtk_draw_panels;

/* Returns 1 if pictures can be drawn; otherwise 0 and the reason as a clause. */
int vtk_draw_available(const char **reason);

/* Write "<path>.part" and rename it. Errors: ERR_OUTPUT, ERR_RESOURCE (no EGL), ERR_INTERNAL. */
MUST_CHECK int vtk_draw_write_picture(const char *path, const vtk_draw_picture *p);
MUST_CHECK int vtk_draw_write_panels(const char *path, const vtk_draw_panels *p);

/* --- curves in a PNG, vtk_plot.cpp --- */

typedef struct {
    const char *name; /* name of the curve in the legend */
    int points;       /* 1: marks; 0: a line */
    int n;
    const double *x, *y; /* [n] points of the curve, borrowed; values that are not finite are omitted */
    int colour;          /* colour of the curve, 1 to 8; 0: by the index of the curve */
} vtk_plot_curve;

typedef struct {
    const char *title, *x_label, *y_label; /* labels with units */
    int log_x, log_y;                      /* 1: logarithmic axis; values <= 0 are omitted */
    int width, height;                     /* size of the picture, pixels */
    double right_unit;                     /* if > 0, a second axis on the right shows y / right_unit */
    /* 1: the curves are in a plane, so both axes have the same scale, all lines the same style, and there is no legend;
     * not with log_x or log_y */
    int plane;
} vtk_plot_settings;

/* Writes the picture. Errors: ERR_INPUT (nothing to draw), ERR_OUTPUT, ERR_RESOURCE (no OpenGL). */
MUST_CHECK int vtk_plot_write(const char *path, const vtk_plot_settings *s, int n_curve, const vtk_plot_curve *curve);

/* --- a line of text as grey values, vtk_text.cpp --- */

typedef struct {
    int width, height;    /* size of the text, pixels */
    unsigned char *cover; /* [height][width] grey values 0 to 255, top row first, owned */
} vtk_text_bitmap;

/* Draws text of `size` pixels (line height about 1.3 size). Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int vtk_text_draw(const char *text, int size, int bold, vtk_text_bitmap *out);
void vtk_text_free(vtk_text_bitmap *t);
#ifdef __cplusplus
}
#endif
#endif
