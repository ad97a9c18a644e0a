/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a picture other than the vessel: colours, bars, letters. Part of the VTK shim (vtk_draw.h). */
#ifndef PORTAFLOW_VTK_PARTS_H
#define PORTAFLOW_VTK_PARTS_H
#include "common/draw/vtk_draw.h"
#include <vtkSmartPointer.h>

class vtkGenericOpenGLRenderWindow;
class vtkLookupTable;
class vtkPolyData;
class vtkRenderer;

vtkSmartPointer<vtkPolyData> vtk_parts_mesh(const surface *s);
vtkSmartPointer<vtkLookupTable> vtk_parts_colours(vtk_draw_map map, double low, double high, bool above);
void vtk_parts_right(const vtk_draw_view &v, double right[3]); /* unit vector to the right of the view */

/* Draws text; (x, y) is its left end at half height, in the renderer's viewport, 0..1; size in pixels. */
void vtk_parts_text(vtkRenderer *r, const char *text, double x, double y, int size, bool bold);
/* draws a text centred at (x, y) */
void vtk_parts_centred(vtkRenderer *r, const char *text, double x, double y, int size, bool bold);
/* Half width and half height of a label with a margin, pixels. */
void vtk_parts_label_size(const char *text, double half[2]);
void vtk_parts_label(vtkRenderer *r, const double at_mm[3], const char *text);
void vtk_parts_colour_bar(vtkRenderer *r, vtkLookupTable *table, const char *title, int intervals, bool above);
void vtk_parts_scale_bar(vtkRenderer *r, double mm_per_pixel, const int pixels[2], bool small = false);
/* Centre and half size of the box around the scale bar and its text, with a margin, pixels. */
void vtk_parts_scale_place(double mm_per_pixel, const int pixels[2], double middle[2], double half[2]);
enum { vtk_parts_edges = 4 };
void vtk_parts_edge_places(const int pixels[2],
                           /* place: centres of the letters for the directions right, left, top, bottom */
                           double place[2 * vtk_parts_edges]);
/* draws large direction letters at the edges, and the view's label */
void vtk_parts_directions(vtkRenderer *r, const vtk_draw_view &v, const int pixels[2]);
/* draws small direction letters at the edges */
void vtk_parts_letters(vtkRenderer *r, const vtk_draw_view &v, const int pixels[2]);
void vtk_parts_triad(vtkGenericOpenGLRenderWindow *window, const vtk_draw_view &v, const double viewport[4]);
#endif
