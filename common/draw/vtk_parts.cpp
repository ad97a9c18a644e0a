/* SPDX-License-Identifier: Apache-2.0 */
#include "common/draw/vtk_parts.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <cstring>
#include <vtkActor2D.h>
#include <vtkAxesActor.h>
#include <vtkCamera.h>
#include <vtkCaptionActor2D.h>
#include <vtkCellArray.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkIdTypeArray.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkPolyDataNormals.h>
#include <vtkProperty2D.h>
#include <vtkRenderer.h>
#include <vtkScalarBarActor.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

/* 9 equidistant colours per map: viridis and inferno (S. van der Walt, N. Smith, public domain), turbo (A. Mikhailov,
 * Apache-2.0) */
static const double MAPS[3][9][3] = {{{0.267, 0.005, 0.329},
                                      {0.279, 0.175, 0.483},
                                      {0.230, 0.322, 0.546},
                                      {0.173, 0.449, 0.558},
                                      {0.128, 0.567, 0.551},
                                      {0.158, 0.684, 0.502},
                                      {0.369, 0.789, 0.383},
                                      {0.678, 0.864, 0.190},
                                      {0.993, 0.906, 0.144}},
                                     {{0.001, 0.000, 0.014},
                                      {0.120, 0.047, 0.285},
                                      {0.342, 0.062, 0.429},
                                      {0.550, 0.135, 0.409},
                                      {0.736, 0.216, 0.330},
                                      {0.890, 0.351, 0.198},
                                      {0.976, 0.545, 0.036},
                                      {0.974, 0.781, 0.184},
                                      {0.988, 0.998, 0.645}},
                                     {{0.190, 0.072, 0.232},
                                      {0.276, 0.421, 0.891},
                                      {0.158, 0.736, 0.923},
                                      {0.197, 0.949, 0.595},
                                      {0.644, 0.990, 0.234},
                                      {0.934, 0.809, 0.226},
                                      {0.985, 0.493, 0.128},
                                      {0.816, 0.185, 0.018},
                                      {0.480, 0.016, 0.011}}};

vtkSmartPointer<vtkPolyData> vtk_parts_mesh(const surface *s) {
    vtkNew<vtkPoints> points;
    points->SetNumberOfPoints(s->n_point);
    for (vtkIdType k = 0; k < s->n_point; k++)
        points->SetPoint(k, s->point_mm + 3 * k);
    vtkNew<vtkCellArray> triangles;
    for (int64_t t = 0; t < s->n_triangle; t++) {
        vtkIdType corner[3] = {s->triangle[3 * t], s->triangle[3 * t + 1], s->triangle[3 * t + 2]};
        triangles->InsertNextCell(3, corner);
    }
    vtkNew<vtkPolyData> mesh;
    mesh->SetPoints(points);
    mesh->SetPolys(triangles);
    vtkNew<vtkPolyDataNormals> normals;
    normals->SetInputData(mesh);
    normals->SplittingOff();
    normals->ConsistencyOff();
    normals->Update();
    return normals->GetOutput();
}

vtkSmartPointer<vtkLookupTable> vtk_parts_colours(vtk_draw_map map, double low, double high, bool above) {
    vtkSmartPointer<vtkLookupTable> table = vtkSmartPointer<vtkLookupTable>::New();
    table->SetNumberOfTableValues(256);
    table->SetTableRange(low, high > low ? high : low + 1);
    table->Build();
    for (int k = 0; k < 256; k++) {
        double t = k / 255.0 * 8, c[3];
        int i = std::min(static_cast<int>(t), 7);
        for (int a = 0; a < 3; a++)
            c[a] = MAPS[map][i][a] + (t - i) * (MAPS[map][i + 1][a] - MAPS[map][i][a]);
        table->SetTableValue(k, c[0], c[1], c[2], 1);
    }
    table->SetNanColor(0.75, 0.75, 0.75, 1);
    table->SetUseAboveRangeColor(above);
    table->SetAboveRangeColor(0.85, 0.10, 0.55, 1);
    return table;
}

void vtk_parts_right(const vtk_draw_view &v, double right[3]) {
    for (int a = 0; a < 3; a++)
        right[a] = v.direction[(a + 1) % 3] * v.up[(a + 2) % 3] - v.direction[(a + 2) % 3] * v.up[(a + 1) % 3];
}

enum { LABEL_SIZE = 26 };

static void style_text(vtkTextProperty *t, int size, bool bold) {
    t->SetFontFamilyToArial();
    t->SetFontSize(size);
    t->SetColor(0.1, 0.1, 0.1);
    t->SetBold(bold);
    t->SetItalic(false);
    t->SetShadow(false);
}

static vtkSmartPointer<vtkTextActor> text_actor(const char *text, int size, bool bold) {
    vtkSmartPointer<vtkTextActor> actor = vtkSmartPointer<vtkTextActor>::New();
    actor->SetInput(text);
    actor->SetTextScaleModeToNone();
    style_text(actor->GetTextProperty(), size, bold);
    actor->GetTextProperty()->SetVerticalJustificationToCentered();
    return actor;
}

void vtk_parts_text(vtkRenderer *r, const char *text, double x, double y, int size, bool bold) {
    vtkSmartPointer<vtkTextActor> actor = text_actor(text, size, bold);
    actor->GetPositionCoordinate()->SetCoordinateSystemToNormalizedViewport();
    actor->SetPosition(x, y);
    r->AddActor2D(actor);
}

void vtk_parts_centred(vtkRenderer *r, const char *text, double x, double y, int size, bool bold) {
    vtkSmartPointer<vtkTextActor> actor = text_actor(text, size, bold);
    actor->GetPositionCoordinate()->SetCoordinateSystemToNormalizedViewport();
    actor->GetTextProperty()->SetJustificationToCentered();
    actor->SetPosition(x, y);
    r->AddActor2D(actor);
}

void vtk_parts_label_size(const char *text, double half[2]) {
    const double wide = 0.6 * LABEL_SIZE; /* width of a letter, typical for bold Arial */
    half[0] = 0.5 * wide * static_cast<double>(std::strlen(text)) + 6;
    half[1] = 0.65 * LABEL_SIZE;
}

void vtk_parts_label(vtkRenderer *r, const double at_mm[3], const char *text) {
    vtkSmartPointer<vtkTextActor> actor = text_actor(text, LABEL_SIZE, true);
    actor->GetPositionCoordinate()->SetCoordinateSystemToWorld();
    actor->GetPositionCoordinate()->SetValue(at_mm[0], at_mm[1], at_mm[2]);
    actor->GetTextProperty()->SetJustificationToCentered();
    actor->GetTextProperty()->SetBackgroundColor(1, 1, 1);
    actor->GetTextProperty()->SetBackgroundOpacity(0.75);
    r->AddActor2D(actor);
}

void vtk_parts_colour_bar(vtkRenderer *r, vtkLookupTable *table, const char *title, int intervals, bool above) {
    vtkNew<vtkScalarBarActor> bar;
    bar->SetLookupTable(table);
    bar->SetNumberOfLabels(intervals + 1);
    bar->SetLabelFormat("%.4g");
    bar->SetUnconstrainedFontSize(true);
    style_text(bar->GetLabelTextProperty(), 26, false);
    style_text(bar->GetAnnotationTextProperty(), 22, false);
    bar->SetTitle("");
    bar->GetPositionCoordinate()->SetCoordinateSystemToNormalizedViewport();
    bar->SetPosition(0.875, 0.14);
    bar->SetWidth(0.075);
    bar->SetHeight(0.66);
    bar->SetBarRatio(0.35);
    bar->SetDrawAboveRangeSwatch(above);
    bar->SetAboveRangeAnnotation("");
    if (above)
        vtk_parts_text(r, "higher", 0.908, 0.788, 22, false);
    r->AddActor2D(bar);
    vtk_parts_text(r, title, 0.875, 0.855, 30, true);
    vtk_parts_text(r, "grey: no value", 0.875, 0.10, 20, false);
}

static void add_box(vtkRenderer *r, double x, double y, double width, double height) {
    vtkNew<vtkPoints> points;
    points->InsertNextPoint(x, y, 0);
    points->InsertNextPoint(x + width, y, 0);
    points->InsertNextPoint(x + width, y + height, 0);
    points->InsertNextPoint(x, y + height, 0);
    vtkNew<vtkCellArray> cells;
    vtkIdType corner[4] = {0, 1, 2, 3};
    cells->InsertNextCell(4, corner);
    vtkNew<vtkPolyData> box;
    box->SetPoints(points);
    box->SetPolys(cells);
    vtkNew<vtkPolyDataMapper2D> mapper;
    mapper->SetInputData(box);
    vtkNew<vtkActor2D> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(0.1, 0.1, 0.1);
    r->AddActor2D(actor);
}

namespace {

enum { SCALE_TEXT = 26, SMALL_SCALE_TEXT = 20 };

/* A scale bar: its geometry in pixels, and its text. */
struct scale_bar {
    double right, low, width, high, text_up; /* text_up: distance from `low` to the centre of the text */
    int size;
    char text[32];
};

scale_bar scale_bar_of(double mm_per_pixel, const int pixels[2], bool small) {
    const double share = small ? 0.4 : 0.28, most = share * pixels[0] * mm_per_pixel;
    double length = 1e-6;
    for (int decade = -3; decade <= 6; decade++)
        for (double step : {1.0, 2.0, 5.0})
            if (step * std::pow(10, decade) <= most)
                length = step * std::pow(10, decade);
    scale_bar bar = {0.94 * pixels[0],
                     small ? 8 : 0.045 * pixels[1],
                     length / mm_per_pixel,
                     small ? 5.0 : 8.0,
                     small ? 18.0 : 28.0,
                     small ? SMALL_SCALE_TEXT : SCALE_TEXT,
                     ""};
    snprintf(bar.text, sizeof bar.text, "%g mm", length);
    return bar;
}

} // namespace

void vtk_parts_scale_place(double mm_per_pixel, const int pixels[2], double middle[2], double half[2]) {
    const scale_bar bar = scale_bar_of(mm_per_pixel, pixels, false);
    const double low = bar.low - 4, top = bar.low + bar.text_up + 0.65 * bar.size;
    const double text = 0.6 * bar.size * static_cast<double>(std::strlen(bar.text));
    middle[0] = bar.right - bar.width / 2;
    middle[1] = (low + top) / 2;
    half[0] = std::max(bar.width, text) / 2 + 6;
    half[1] = (top - low) / 2;
}

void vtk_parts_scale_bar(vtkRenderer *r, double mm_per_pixel, const int pixels[2], bool small) {
    const scale_bar bar = scale_bar_of(mm_per_pixel, pixels, small);
    add_box(r, bar.right - bar.width, bar.low, bar.width, bar.high);
    vtkSmartPointer<vtkTextActor> actor = text_actor(bar.text, bar.size, false);
    actor->GetTextProperty()->SetJustificationToCentered();
    actor->SetPosition(bar.right - bar.width / 2, bar.low + bar.text_up);
    r->AddActor2D(actor);
}

/* Anatomical directions of a vector, the strongest first: "R", "RA" */
static std::string direction_letters(const double v[3]) {
    static const char name[3][2] = {{'R', 'L'}, {'A', 'P'}, {'I', 'S'}};
    int first = 0, second = -1;
    for (int a = 1; a < 3; a++)
        first = std::fabs(v[a]) > std::fabs(v[first]) ? a : first;
    for (int a = 0; a < 3; a++)
        if (a != first && (second < 0 || std::fabs(v[a]) > std::fabs(v[second])))
            second = a;
    std::string text(1, name[first][v[first] > 0]);
    if (std::fabs(v[second]) > 0.4)
        text += name[second][v[second] > 0];
    return text;
}

static void add_edge(vtkRenderer *r, const double v[3], double sign, double x, double y, int size) {
    double to[3] = {sign * v[0], sign * v[1], sign * v[2]};
    vtkSmartPointer<vtkTextActor> actor = text_actor(direction_letters(to).c_str(), size, true);
    actor->GetTextProperty()->SetJustificationToCentered();
    actor->GetTextProperty()->SetColor(0.45, 0.45, 0.45);
    actor->SetPosition(x, y);
    r->AddActor2D(actor);
}

void vtk_parts_edge_places(const int pixels[2], double place[2 * vtk_parts_edges]) {
    const double all[] = {pixels[0] - 30.0, pixels[1] / 2.0, 30, pixels[1] / 2.0, pixels[0] / 2.0,
                          pixels[1] - 62.0, pixels[0] / 2.0, 30};
    std::copy(all, all + 2 * vtk_parts_edges, place);
}

void vtk_parts_directions(vtkRenderer *r, const vtk_draw_view &v, const int pixels[2]) {
    double right[3];
    vtk_parts_right(v, right);
    double place[2 * vtk_parts_edges];
    vtk_parts_edge_places(pixels, place);
    add_edge(r, right, 1, place[0], place[1], 30);
    add_edge(r, right, -1, place[2], place[3], 30);
    add_edge(r, v.up, 1, place[4], place[5], 30);
    add_edge(r, v.up, -1, place[6], place[7], 30);
    vtkSmartPointer<vtkTextActor> actor = text_actor(v.label, 28, false);
    actor->GetTextProperty()->SetJustificationToCentered();
    actor->SetPosition(pixels[0] / 2.0, pixels[1] - 22.0);
    r->AddActor2D(actor);
}

void vtk_parts_letters(vtkRenderer *r, const vtk_draw_view &v, const int pixels[2]) {
    const double x = pixels[0] / 2.0, y = pixels[1] / 2.0;
    double right[3];
    vtk_parts_right(v, right);
    add_edge(r, right, 1, pixels[0] - 18.0, y, 20);
    add_edge(r, right, -1, 18, y, 20);
    add_edge(r, v.up, 1, x, pixels[1] - 12.0, 20);
    add_edge(r, v.up, -1, x, 12, 20);
}

void vtk_parts_triad(vtkGenericOpenGLRenderWindow *window, const vtk_draw_view &v, const double viewport[4]) {
    vtkNew<vtkAxesActor> axes; /* an axis along the line of sight is not named */
    axes->SetXAxisLabelText(std::fabs(v.direction[0]) < 0.95 ? "L" : "");
    axes->SetYAxisLabelText(std::fabs(v.direction[1]) < 0.95 ? "P" : "");
    axes->SetZAxisLabelText(std::fabs(v.direction[2]) < 0.95 ? "S" : "");
    for (vtkCaptionActor2D *caption :
         {axes->GetXAxisCaptionActor2D(), axes->GetYAxisCaptionActor2D(), axes->GetZAxisCaptionActor2D()}) {
        caption->GetTextActor()->SetTextScaleModeToNone();
        style_text(caption->GetCaptionTextProperty(), 26, true);
    }
    vtkNew<vtkRenderer> renderer;
    double at[4] = {viewport[0], viewport[1], viewport[2], viewport[3]};
    renderer->SetViewport(at);
    renderer->SetLayer(1);
    renderer->AddActor(axes);
    vtkCamera *camera = renderer->GetActiveCamera();
    camera->SetFocalPoint(0, 0, 0);
    camera->SetPosition(-5 * v.direction[0], -5 * v.direction[1], -5 * v.direction[2]);
    camera->SetViewUp(v.up);
    camera->ParallelProjectionOn();
    camera->SetParallelScale(1.7);
    window->SetNumberOfLayers(2);
    window->AddRenderer(renderer);
}
