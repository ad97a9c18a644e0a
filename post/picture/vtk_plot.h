/* Shim around VTK's charts: curves in a PNG. */
#ifndef PORTAFLOW_POST_PICTURE_VTK_PLOT_H
#define PORTAFLOW_POST_PICTURE_VTK_PLOT_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

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
#ifdef __cplusplus
}
#endif
#endif
