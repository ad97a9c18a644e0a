/* Drawing by VTK without a screen (EGL, surfaceless): scenes of surfaces, curves, lines of text. The one header of VTK's
 * pictures: plain arrays.
 *
 * Scenes: white background, parallel projection, a scale bar, a colour bar with unit, the axes' names (L left,
 * P posterior, S superior) in every view. World coordinates are LPS mm. */
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
    double direction[3], up[3]; /* the way the camera looks, and what is up; unit, at right angles */
    const char *label;          /* "from anterior" */
} vtk_draw_view;

typedef struct {
    const surface *shape; /* what is coloured */
    const double *value;  /* [shape->n_point]; not finite: grey */
    double low, high;     /* ends of the colour bar */
    int intervals;        /* labels on the bar: intervals + 1 */
    enum vtk_draw_map map;
    const char *bar_title; /* "Pa" */
    const char *title;
    const char *note;               /* below the title, small; may be NULL */
    int above;                      /* 1: there are values above `high`; the bar says so */
    const surface *shell;           /* drawn in grey from the inside behind the shape, NULL: none */
    int n_arrow;                    /* arrows in black */
    const double *arrow_mm, *arrow; /* [n_arrow][3] foot; length and direction in mm */
    int n_line;                     /* polylines, white with a dark edge */
    const int32_t *line_first;      /* [n_line + 1] */
    const double *line_mm;          /* [line_first[n_line]][3] */
    double line_lift_mm;            /* towards the reader */
    int n_label;                    /* names at points */
    const double *label_mm;         /* [n_label][3] */
    const char *const *label;
    int n_view;
    vtk_draw_view view[VTK_DRAW_VIEWS];
} vtk_draw_picture;

/* One of several small views on a page. */
typedef struct {
    const surface *shape; /* what is coloured; NULL: the panel stays empty */
    const double *value;  /* [shape->n_point]; not finite: grey */
    const surface *shell; /* as above */
    vtk_draw_view view;   /* its label is not shown */
    const char *name;     /* above the panel; may be NULL */
} vtk_draw_panel;

/* Panels that share colours and, in a row, the scale. */
typedef struct {
    int n_row, n_column;         /* n_row 1: the row is broken where that makes its panels larger */
    const vtk_draw_panel *panel; /* [n_row][n_column] */
    const char *const *row_name; /* [n_row] to the left of each row; NULL: none */
    double low, high;            /* ends of the colour bar */
    int intervals, above;        /* as above */
    int lines;                   /* 1: isolines at the labels of the bar and half way between them */
    int room;                    /* pixels that stay free round each shape */
    enum vtk_draw_map map;
    const char *bar_title, *title, *note;
} vtk_draw_panels;

/* 1 when pictures can be drawn; otherwise 0 and the reason in one clause. Tried once. */
int vtk_draw_available(const char **reason);

/* Through "<path>.part" and rename. Errors: ERR_OUTPUT, ERR_RESOURCE (no EGL), ERR_INTERNAL. */
MUST_CHECK int vtk_draw_write_picture(const char *path, const vtk_draw_picture *p);
MUST_CHECK int vtk_draw_write_panels(const char *path, const vtk_draw_panels *p);

/* --- curves in a PNG, vtk_plot.cpp ---------------------------------------------------------------------------------- */

typedef struct {
    const char *name; /* in the legend */
    int points;       /* 1: marks, 0: a line */
    int n;
    const double *x, *y; /* [n], borrowed; not finite: left out */
    int colour;          /* 1..8, 0: by the order of the curves */
} vtk_plot_curve;

typedef struct {
    const char *title, *x_label, *y_label; /* labels with units */
    int log_x, log_y;                      /* logarithmic; values <= 0 are left out */
    int width, height;                     /* pixels */
    double right_unit;                     /* > 0: the axis on the right shows y / right_unit */
    int plane; /* 1: curves in a plane: one scale for both axes, lines alike, no legend; not with log_x, log_y */
} vtk_plot_settings;

/* Write the picture. Errors: ERR_INPUT (nothing to draw), ERR_OUTPUT, ERR_RESOURCE (no OpenGL). */
MUST_CHECK int vtk_plot_write(const char *path, const vtk_plot_settings *s, int n_curve, const vtk_plot_curve *curve);

/* --- a line of text as grey values, vtk_text.cpp -------------------------------------------------------------------- */

typedef struct {
    int width, height;    /* pixels */
    unsigned char *cover; /* [height][width] 0..255, top row first, owned */
} vtk_text_bitmap;

/* `size` in pixels (height of a line is about 1.3 size). Errors: ERR_RESOURCE, ERR_INTERNAL. */
MUST_CHECK int vtk_text_draw(const char *text, int size, int bold, vtk_text_bitmap *out);
void vtk_text_free(vtk_text_bitmap *t);
#ifdef __cplusplus
}
#endif
#endif
