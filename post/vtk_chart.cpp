// See vtk_shim.h: curves.
#include "common/status.h"
#include "post/vtk_shim.h"
#include "post/vtk_window.h"
#include <algorithm>
#include <exception>
#include <vtkAxis.h>
#include <vtkBrush.h>
#include <vtkChartLegend.h>
#include <vtkChartXY.h>
#include <vtkContextActor.h>
#include <vtkContextScene.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPen.h>
#include <vtkPlot.h>
#include <vtkPlotLine.h>
#include <vtkRenderer.h>
#include <vtkTable.h>
#include <vtkTextProperty.h>

namespace {
// Okabe and Ito's colours, told apart by people with a colour vision deficiency and in grey print
const unsigned char COLOUR[6][3] = {{0, 114, 178},   {213, 94, 0},  {0, 158, 115},
                                    {204, 121, 167}, {230, 159, 0}, {86, 180, 233}};

void style_axis(vtkAxis *axis, const char *title) {
    axis->SetTitle(title);
    axis->GetTitleProperties()->SetFontSize(30);
    axis->GetTitleProperties()->SetBold(false);
    axis->GetLabelProperties()->SetFontSize(26);
    axis->GetPen()->SetWidth(2);
    axis->GetGridPen()->SetColor(220, 220, 220, 255);
}

// scale 1: a curve on the left axis; otherwise an invisible one that carries the right axis
void add_series(vtkChartXY *chart, const vtk_shim_series *s, int k, double scale) {
    vtkNew<vtkTable> table;
    vtkNew<vtkDoubleArray> x, y;
    x->SetName("x");
    y->SetName(s->name);
    for (int j = 0; j < s->n; j++) {
        x->InsertNextValue(s->x[j]);
        y->InsertNextValue(s->y[j] / scale);
    }
    table->AddColumn(x);
    table->AddColumn(y);
    vtkPlot *line = chart->AddPlot(vtkChart::LINE);
    line->SetInputData(table, 0, 1);
    if (scale != 1) {
        chart->SetPlotCorner(line, 1);
        line->GetPen()->SetLineType(vtkPen::NO_PEN);
        line->SetLegendVisibility(false);
        return;
    }
    const unsigned char *c = COLOUR[k % 6];
    line->SetColor(c[0], c[1], c[2], 255);
    line->SetWidth(4);
    line->GetPen()->SetLineType(k / 6 + 1);
}

// y from a nice value below the lowest to one above the highest; the right axis the same in its unit
void set_ranges(vtkChartXY *chart, int n_series, const vtk_shim_series *s, double right_unit) {
    double low = 1e300, high = -1e300, end = 0;
    for (int k = 0; k < n_series; k++)
        for (int j = 0; j < s[k].n; j++) {
            low = std::min(low, s[k].y[j]);
            high = std::max(high, s[k].y[j]);
            end = std::max(end, s[k].x[j]);
        }
    double margin = 0.06 * std::max(high - low, 1e-12 + 1e-6 * std::max(high, -low));
    low = low > 0 && low < 0.3 * high ? 0 : low - margin;
    high += margin;
    chart->GetAxis(vtkAxis::BOTTOM)->SetBehavior(vtkAxis::FIXED);
    chart->GetAxis(vtkAxis::BOTTOM)->SetRange(0, end);
    chart->GetAxis(vtkAxis::LEFT)->SetBehavior(vtkAxis::FIXED);
    chart->GetAxis(vtkAxis::LEFT)->SetRange(low, high);
    if (!(right_unit > 0))
        return;
    vtkAxis *right = chart->GetAxis(vtkAxis::RIGHT);
    right->SetBehavior(vtkAxis::FIXED);
    right->SetRange(low / right_unit, high / right_unit);
    right->SetVisible(true);
    right->SetGridVisible(false);
}

int draw_chart(const char *path, const char *title, const char *x_title, const char *y_title, double right_unit,
               const char *right_title, int n_series, const vtk_shim_series *series) {
    const char *reason;
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> window = vtk_window_create(1800, 1000, &reason);
    if (!window)
        return fail(ERR_RESOURCE, "no pictures: %s", reason);
    vtkNew<vtkRenderer> renderer;
    renderer->SetBackground(1, 1, 1);
    window->AddRenderer(renderer);
    vtkNew<vtkChartXY> chart;
    vtkNew<vtkContextActor> actor;
    actor->GetScene()->AddItem(chart);
    renderer->AddActor(actor);
    actor->GetScene()->SetRenderer(renderer);
    chart->SetTitle(title);
    chart->GetTitleProperties()->SetFontSize(36);
    chart->GetTitleProperties()->SetBold(true);
    style_axis(chart->GetAxis(vtkAxis::BOTTOM), x_title);
    style_axis(chart->GetAxis(vtkAxis::LEFT), y_title);
    style_axis(chart->GetAxis(vtkAxis::RIGHT), right_title);
    for (int k = 0; k < n_series; k++)
        add_series(chart, &series[k], k, 1);
    if (n_series > 0 && right_unit > 0)
        add_series(chart, &series[0], 0, right_unit);
    set_ranges(chart, n_series, series, right_unit);
    chart->SetShowLegend(true);
    chart->GetLegend()->SetLabelSize(26);
    chart->GetLegend()->SetHorizontalAlignment(vtkChartLegend::RIGHT);
    chart->GetLegend()->SetVerticalAlignment(vtkChartLegend::TOP);
    return vtk_window_write(window, path);
}
} // namespace

int vtk_shim_chart(const char *path, const char *title, const char *x_title, const char *y_title, double right_unit,
                   const char *right_title, int n_series, const vtk_shim_series *series) {
    try {
        return draw_chart(path, title, x_title, y_title, right_unit, right_title, n_series, series);
    } catch (const std::exception &e) {
        return fail(ERR_INTERNAL, "drawing '%s' failed: %s", path, e.what());
    }
}
