// The parts of a picture that are not the vessel: colours, bars, letters. Part of the shim around VTK (vtk_draw.h).
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
void vtk_parts_right(const vtk_draw_view &v, double right[3]); // what is to the right in the view

// Text with its left, vertical middle at (x, y) of the renderer's viewport, 0..1; size in pixels.
void vtk_parts_text(vtkRenderer *r, const char *text, double x, double y, int size, bool bold);
void vtk_parts_centred(vtkRenderer *r, const char *text, double x, double y, int size,
                       bool bold); // with its middle there
// Half of the width and height of a label in pixels, with a little room round it.
void vtk_parts_label_size(const char *text, double half[2]);
void vtk_parts_label(vtkRenderer *r, const double at_mm[3], const char *text);
void vtk_parts_colour_bar(vtkRenderer *r, vtkLookupTable *table, const char *title, int intervals, bool above);
void vtk_parts_scale_bar(vtkRenderer *r, double mm_per_pixel, const int pixels[2], bool small = false);
// Where the bar and its length stand, pixels, with a little room round them.
void vtk_parts_scale_place(double mm_per_pixel, const int pixels[2], double middle[2], double half[2]);
enum { vtk_parts_edges = 4 };
void vtk_parts_edge_places(const int pixels[2],
                           double place[2 * vtk_parts_edges]); // their middles: right, left, up, down
void vtk_parts_directions(vtkRenderer *r, const vtk_draw_view &v, const int pixels[2]); // letters at the edges
void vtk_parts_letters(vtkRenderer *r, const vtk_draw_view &v, const int pixels[2]);    // the same, small
void vtk_parts_triad(vtkGenericOpenGLRenderWindow *window, const vtk_draw_view &v, const double viewport[4]);
#endif
