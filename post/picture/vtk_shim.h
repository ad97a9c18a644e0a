/* Shim around VTK's rendering: PNG pictures without a screen (EGL, surfaceless). One C header, plain arrays.
 *
 * White background, parallel projection, a scale bar, a colour bar with unit, the axes' names (L left, P posterior,
 * S superior) in every view. World coordinates are LPS mm. */
#ifndef PORTAFLOW_POST_PICTURE_VTK_SHIM_H
#define PORTAFLOW_POST_PICTURE_VTK_SHIM_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#ifdef __cplusplus
extern "C" {
#endif

enum vtk_shim_map { VTK_SHIM_VIRIDIS, VTK_SHIM_INFERNO, VTK_SHIM_TURBO };
enum { VTK_SHIM_VIEWS = 2 };

typedef struct {
    double direction[3], up[3]; /* the way the camera looks, and what is up; unit, at right angles */
    const char *label;          /* "from anterior" */
} vtk_shim_view;

typedef struct {
    const surface *shape; /* what is coloured */
    const double *value;  /* [shape->n_point]; not finite: grey */
    double low, high;     /* ends of the colour bar */
    int intervals;        /* labels on the bar: intervals + 1 */
    enum vtk_shim_map map;
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
    vtk_shim_view view[VTK_SHIM_VIEWS];
} vtk_shim_picture;

/* One of several small views on a page. */
typedef struct {
    const surface *shape; /* what is coloured; NULL: the panel stays empty */
    const double *value;  /* [shape->n_point]; not finite: grey */
    const surface *shell; /* as above */
    vtk_shim_view view;   /* its label is not shown */
    const char *name;     /* above the panel; may be NULL */
} vtk_shim_panel;

/* Panels that share colours and, in a row, the scale. */
typedef struct {
    int n_row, n_column;         /* n_row 1: the row is broken where that makes its panels larger */
    const vtk_shim_panel *panel; /* [n_row][n_column] */
    const char *const *row_name; /* [n_row] to the left of each row; NULL: none */
    double low, high;            /* ends of the colour bar */
    int intervals, above;        /* as above */
    int lines;                   /* 1: isolines at the labels of the bar and half way between them */
    int room;                    /* pixels that stay free round each shape */
    enum vtk_shim_map map;
    const char *bar_title, *title, *note;
} vtk_shim_panels;

/* 1 when pictures can be drawn; otherwise 0 and the reason in one clause. Tried once. */
int vtk_shim_available(const char **reason);

/* Through "<path>.part" and rename. Errors: ERR_OUTPUT, ERR_RESOURCE (no EGL), ERR_INTERNAL. */
MUST_CHECK int vtk_shim_draw(const char *path, const vtk_shim_picture *p);
MUST_CHECK int vtk_shim_draw_panels(const char *path, const vtk_shim_panels *p);
#ifdef __cplusplus
}
#endif
#endif
